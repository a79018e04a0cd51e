/** The Log Explorer, as the rest of the extension sees it. */
export interface LogExplorer {
  /** Shows it as it is. */
  show(): void;
  /**
   * Shows it with a query in its bar.
   *
   * @param options `run`: whether it is searched for at once; it is unless this says otherwise. What
   * came from outside must wait for a person.
   */
  open(query: string, options?: { readonly run: boolean }): void;
}
