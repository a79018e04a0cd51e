import texts from '../../package.nls.json';

/** The names of texts of a kind in package.nls.json: `connect` for `command.connect`. */
export type TextName<Kind extends string> = keyof typeof texts extends infer Key
  ? Key extends `${Kind}.${infer Name}`
    ? Name
    : never
  : never;

/** Names of commands and views: their ids without `controlPlane.`. Tests find them by these. */
export type CommandName = TextName<'command'>;
export type ViewName = TextName<'view'>;

/** The title of a command on buttons and in menus. */
export function commandTitle(name: CommandName): string {
  return texts[`command.${name}`];
}

/** A view by its name, or by its title in another language. */
export type View = ViewName | { readonly title: string };

export function viewTitle(view: View): string {
  return typeof view === 'string' ? texts[`view.${view}`] : view.title;
}
