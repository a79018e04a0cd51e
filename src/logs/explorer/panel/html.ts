/** What the document of the page is made of; all of it is our own text. */
interface PageParts {
  /** URIs that the page may load. */
  readonly script: string;
  readonly style: string;
  readonly icons: string;
  /** Where VS Code serves files to pages from, as a policy names it. */
  readonly cspSource: string;
  /** Only the script that carries it runs; another one for each page. */
  readonly nonce: string;
  /** The language of the words, as BCP 47 has it. */
  readonly language: string;
  readonly title: string;
}

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur']);

/**
 * The document of the page: it loads its own files and nothing else, and talks to nobody but the
 * panel. Its style sheets are files, and those of components are objects: no inline style is let in.
 */
export function pageHtml(parts: PageParts): string {
  const { script, style, icons, cspSource, nonce, language, title } = parts;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const direction = rightToLeft.has(language.split('-')[0] ?? '') ? 'rtl' : 'ltr';
  return `<!DOCTYPE html>
<html lang="${attribute(language)}" dir="${direction}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${attribute(title)}</title>
<link rel="stylesheet" href="${attribute(icons)}" id="vscode-codicon-stylesheet">
<link rel="stylesheet" href="${attribute(style)}">
</head>
<body>
<main id="page"></main>
<script nonce="${attribute(nonce)}" src="${attribute(script)}"></script>
</body>
</html>
`;
}

function attribute(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
