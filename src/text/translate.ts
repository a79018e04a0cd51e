/** Makes a text of a template with `{0}`, `{1}` in the language of the person: as `vscode.l10n.t`. */
export type Translate = (message: string, ...args: (string | number)[]) => string;
