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
  const views = member(member(manifest, 'contributes'), 'views');
  if (typeof views !== 'object' || views === null) return [];
  return Object.values(views).flat().filter(isView);
}

function isView(value: unknown): value is View {
  return (
    typeof member(value, 'name') === 'string' &&
    typeof member(value, 'accessibilityHelpContent') === 'string'
  );
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
