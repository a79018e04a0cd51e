/** The parts of the document of the page. All text is our own. */
interface PageParts {
  /** The URIs of the files that the page loads. */
  readonly script: string;
  readonly style: string;
  readonly icons: string;
  /** The source of these files in the content security policy. */
  readonly cspSource: string;
  /** Only scripts with this nonce run. A new one for each page. */
  readonly nonce: string;
  /** The language of the texts (BCP 47). */
  readonly language: string;
  readonly title: string;
}

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur']);

/**
 * Returns the document of the page, which can load only its own files and send messages only to the panel.
 * Inline styles are not allowed: style sheets are files or constructed style sheets.
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
