import { type UiText, uiText } from '../../host/texts';

/** What an InvalidRequestError says about a field: what is wrong, and the limit that it breaks. */
export function problemText(
  problem: UiText,
  limit: UiText,
  ...values: readonly (string | number)[]
): string {
  return `${uiText(problem)} (${uiText(limit, ...values)})`;
}

export const missing = problemText('is missing', 'required');
export const notKnown = problemText('is not known', 'no other members');
export const noText = problemText('is not valid text', 'complete characters only');
export const noItems = problemText('is empty', 'at least 1 item');
export const noUuid = problemText(
  'is not a UUID',
  'version 1 to 8 and variant 8, 9, a or b, or all zeros, or all f',
);
export const noEnvironment = problemText(
  'is not the name of an environment',
  'a lowercase letter, then up to 62 lowercase letters, digits or hyphens; optionally preview: first',
);

export const wrongType = (type: string): string => problemText('is of the wrong type', '{0}', type);
export const tooSmall = (limit: number): string =>
  problemText('is too small', 'at least {0}', limit);
export const tooLarge = (limit: number): string =>
  problemText('is too large', 'at most {0}', limit);
export const tooLong = (limit: number): string =>
  problemText('is too long', 'at most {0} characters', limit);
export const tooMany = (limit: number): string =>
  problemText('has too many items', 'at most {0} items', limit);
