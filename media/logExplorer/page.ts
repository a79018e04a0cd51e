import { element } from './dom';

/** Where the parts of the page stand, from top to bottom. */
export interface Page {
  /** The query bar, the chips and the builder. */
  readonly search: HTMLElement;
  readonly toolbar: HTMLElement;
  readonly notices: HTMLElement;
  readonly histogram: HTMLElement;
  /** The list and the details; it takes the room that the others leave. */
  readonly results: HTMLElement;
}

/** Makes the places of the parts. */
export function layOut(): Page {
  const root = document.getElementById('page') ?? document.body;
  const place = (name: string): HTMLElement => {
    const made = element('div', { class: name });
    root.append(made);
    return made;
  };
  return {
    search: place('search'),
    toolbar: place('toolbar'),
    notices: place('notices'),
    histogram: place('histogram'),
    results: place('results'),
  };
}
