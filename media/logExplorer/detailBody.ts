import type { Details } from '../../src/logs/explorer/panel/messages';
import { element } from './dom';
import { toolbarButton } from './toolbarButton';
import type { Words } from './words';

interface BodyHost {
  readonly words: Words;
  readonly onFrame: (frame: number) => void;
  /** Whether JSON is shown on many lines; kept from record to record. */
  readonly isFormatted: boolean;
  readonly onFormat: (isFormatted: boolean) => void;
}

/** The body of a record, with links to the source and JSON on many lines. */
export function detailBody({ body, json }: Details, host: BodyHost): Element[] {
  const { words } = host;
  const text = element('pre', {
    class: 'body',
    // Long ones scroll, which the keyboard must reach.
    attributes: { tabindex: '0', role: 'group', 'aria-label': words('listBody') },
  });
  const show = (isFormatted: boolean): void => {
    if (json !== undefined && isFormatted) text.textContent = json;
    else text.replaceChildren(...body.map((piece) => bodyPiece(piece, host)));
  };
  const heading = element('h3', { text: words('listBody') });
  const head = element('div', { class: 'body-head' }, heading);
  if (json !== undefined) {
    const toggle = toolbarButton('json', words('detailsFormat'), () => undefined);
    toggle.toggleable = true;
    toggle.checked = host.isFormatted;
    toggle.addEventListener('change', () => {
      host.onFormat(toggle.checked);
      show(toggle.checked);
    });
    head.append(toggle);
  }
  show(host.isFormatted);
  return [head, text];
}

function bodyPiece({ text, frame }: Details['body'][number], host: BodyHost): Node {
  if (frame === undefined) return document.createTextNode(text);
  // A button could not wrap as text does, and VS Code takes what has an address for a page to open.
  const link = element('span', {
    class: 'link frame',
    text,
    attributes: { role: 'link', tabindex: '0', title: host.words('detailsOpenFrame') },
    onClick: () => host.onFrame(frame),
  });
  link.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    host.onFrame(frame);
  });
  return link;
}
