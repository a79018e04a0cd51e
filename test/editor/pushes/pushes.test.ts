import { assert } from 'chai';
import path from 'node:path';
import { gitFolder } from '../../host/gitFolder';
import { uiPattern, uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { setRepository } from '../gitExtension';
import {
  answerPick,
  clickInMessage,
  errorMessages,
  offeredButtons,
  shownMessages,
  notification,
} from '../person';
import { known, setScene } from '../scene';
import { until } from '../wait';

describe('A push of the checked-out branch, with the Git extension', () => {
  const scene = setScene(
    {},
    {
      shared: true,
      // What ended is read again soon.
      settings: (world) => ({ ...known.sources(world), 'refresh.intervalSeconds': 5 }),
    },
  );
  const git = setRepository(async ({ folder, code }) => {
    await code.commit('page.ts', 'export const page = 1;\n');
    const remote = path.join(folder, 'shop-web.git');
    await code.git('init', '--quiet', '--bare', remote);
    await code.git('remote', 'add', 'origin', remote);
    await code.git('push', '--quiet', '--set-upstream', 'origin', 'main');
    await scene.connect();
  });
  before(async () => {
    const isRead = async (): Promise<boolean> => (await scene.requests('/deployments')).length >= 3;
    await until('the branch has an environment', isRead);
  });

  /** The control plane deploys a commit in each app, and one of them ends in this state. */
  async function deploy(
    sha: string,
    state: string,
    members: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { world, admin } = scene.controlPlane;
    const apps = world.workloads.filter(({ source }) => source.name === 'shop-web');
    for (const [index, { id }] of apps.entries()) {
      const end =
        index === 0
          ? { afterSeconds: 2, state, members }
          : { afterSeconds: 2, state: 'succeeded', members: {} };
      await admin.deploy(id, { commitSha: sha }, [{ afterSeconds: 1, state: 'building' }, end]);
    }
  }

  /** Commits and pushes before Git looks again, as in a terminal; then it is deployed. */
  async function push(
    text: string,
    state: string,
    members: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    const { code, repository } = git;
    const sha = await code.commit('page.ts', text);
    await code.git('push', '--quiet');
    await repository.status();
    await deploy(sha, state, members);
    return sha.slice(0, 7);
  }

  /** Pulls a commit of the same person that was made elsewhere, such as a squash merge; it is deployed, too. */
  async function pull(): Promise<string> {
    const { code, folder, repository } = git;
    await code.git('clone', '--quiet', path.join(folder, 'shop-web.git'), '../host');
    const host = gitFolder(path.join(folder, 'host'));
    const sha = await host.commit('other.ts', 'export const other = 1;\n');
    await host.git('push', '--quiet');
    await code.git('pull', '--quiet');
    await repository.status();
    await deploy(sha, 'succeeded', {});
    return sha.slice(0, 7);
  }

  it(`is watched until it is live or has failed, and each is said once; a pull is none ${covers('F97', 'editor')}`, async () => {
    const good = await push('export const page = 2;\n', 'succeeded', {});
    const sites = new Promise<string>((resolve) =>
      answerPick((items) => {
        resolve(items.map(({ label }) => label).join());
        return undefined;
      }),
    );
    const live = uiPattern('{1} is live in {2}: {0} apps in {3}', '3', good, 'production', /.+/);
    clickInMessage(live, 'Open Site');
    await notification(live);
    assert.notEqual(await sites, '');
    assert.notInclude(await sites, '/', 'the host of each, apart from what follows it');
    assert.deepEqual(offeredButtons().slice(0, 2), [uiText('Follow Logs'), uiText('Open Site')]);

    const pulled = await pull();
    const errorCode = 'build_failed';
    const errorMessage = '[x](command:go) is missing';
    const bad = await push('export const page = 3;\n', 'failed', { errorCode, errorMessage });
    const why = await notification(uiPattern('{0} failed in {1}. {2}', bad, 'production', /.+/));
    assert.include(why, errorCode);
    assert.notInclude(why, '](command:');
    assert.include(offeredButtons(), uiText('Show Deployment'));
    const all = [...(await shownMessages()), ...(await errorMessages())];
    assert.lengthOf(
      all.filter((one) => one.includes(good) || one.includes(bad)),
      2,
    );
    assert.isEmpty(all.filter((one) => one.includes(pulled)));
  });
});
