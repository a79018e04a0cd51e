import { documentFace } from './documentFace';
import type { FaceKind } from './face';
import { realFace } from './real/face';

/**
 * Which control plane it is: that of the API document alone, or a real one, which has names of its own where the
 * document leaves them open, and more than the document says.
 */
export const likes = ['document', 'real'] as const;
export type Like = (typeof likes)[number];

export const faces: Readonly<Record<Like, FaceKind>> = { document: documentFace, real: realFace };

/** The face that an argument of a program names. @throws if there is none */
export function likeNamed(text: string): Like {
  const like = likes.find((one) => one === text);
  if (like === undefined) throw new Error(`--like takes ${likes.join(' or ')}.`);
  return like;
}
