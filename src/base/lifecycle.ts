/** Something to end: a subscription, a timer, a part of VS Code. */
export interface Disposable {
  dispose(): unknown;
}
