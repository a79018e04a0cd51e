import * as vscode from 'vscode';
import { listSecretKeys } from '../../api/generated/toolInputs';
import { secretKeysOutline } from '../../inventory/tree/outlines';
import { tools } from '../../vscode/contributions';
import { count, type Validated } from '../answer';
import { entryOf } from '../listing';
import type { Tool } from './tool';

/** The names of the secret keys of an environment; nobody but the control plane has a value. */
export function listSecretKeysTool(): Tool<Validated<typeof listSecretKeys>> {
  return {
    name: tools.listSecretKeys,
    accepts: listSecretKeys,
    permission: 'secret.list',
    doing: vscode.l10n.t('Looking at the names of secret keys'),
    async run(input, { client, signal }) {
      const { bindings = [] } = await client.listSecrets(input, { signal });
      const entries = bindings.map((binding) => entryOf(secretKeysOutline(binding)));
      return {
        words: [
          `${count(entries.length, 'stage')} found, one a line as JSON. Names only: there is no way to a value.`,
        ],
        data: { entries, keep: 'first', noun: 'stage' },
      };
    },
  };
}
