import { membersOf } from '../api/lenient';
interface View {
  readonly name: string;
  readonly accessibilityHelpContent: string;
}

/**
 * The help of all views, as Markdown.
 *
 * @param manifest package.json as the editor has read it, with texts in the language of the person.
 */
export function accessibilityHelp(manifest: unknown): string {
  return viewsOf(manifest)
    .map(({ name, accessibilityHelpContent: help }) => `# ${name}\n\n${withoutKeys(help)}\n`)
    .join('\n');
}

/** Only the editor knows which keys a command has. */
function withoutKeys(help: string): string {
  return help.replace(/\s*<keybinding:[^>]*>/g, '').replace(/\n- /, '\n\n- ');
}

function viewsOf(manifest: unknown): readonly View[] {
  const { views } = membersOf(membersOf(manifest)['contributes']);
  return Object.values(membersOf(views)).flat().filter(isView);
}

function isView(value: unknown): value is View {
  const { name, accessibilityHelpContent } = membersOf(value);
  return typeof name === 'string' && typeof accessibilityHelpContent === 'string';
}
