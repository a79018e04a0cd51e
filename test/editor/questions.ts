import { uiPattern } from '../host/texts';
import { nextBox, type } from './boxes';
import { clickInMessage } from './person';

/** The question before a clean-up. */
export function cleanUpQuestion(items: number, server = 'fra'): RegExp {
  return uiPattern(
    items === 1 ? 'Clean up {0} item on {1}?' : 'Clean up {0} items on {1}?',
    items,
    server,
  );
}

/** Agrees to the clean-up of an item, also by typing the name of the server: what runs there is not known. */
export function agreeToCleanUp(server = 'fra'): void {
  clickInMessage(cleanUpQuestion(1, server), 'Clean Up');
  void nextBox().then((box) => type(box, server));
}

/** The question whether another program may connect, or replace a key. */
export function connectQuestion(name: string, baseUrl: string): RegExp {
  return uiPattern('Connect to {0} at {1}?', name, baseUrl);
}

/** The question before a sign-out. */
export const signOutQuestion = uiPattern('Sign out of {0}?', undefined);

/** The question before a sync of the environment `production` of the source `shop`. */
export const syncQuestion = uiPattern('Sync {0} of {1}?', 'production', 'shop');
