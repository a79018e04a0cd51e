import { membersOf } from '../base/json';

/**
 * The accessibility help of all views, as Markdown.
 *
 * @param manifest package.json as VS Code reads it, with texts in the user's language.
 */
export function accessibilityHelp(manifest: unknown): string {
  const { views } = membersOf(membersOf(manifest)['contributes']);
  return Object.values(membersOf(views))
    .flat()
    .flatMap((view) => {
      const { name, accessibilityHelpContent: help } = membersOf(view);
      if (typeof name !== 'string' || typeof help !== 'string') return [];
      return `# ${name}\n\n${withoutKeys(help)}\n`;
    })
    .join('\n');
}

/** Leaves out the keys of commands, because only VS Code knows them. */
function withoutKeys(help: string): string {
  return help.replace(/\s*<keybinding:[^>]*>/g, '').replace(/\n- /, '\n\n- ');
}
