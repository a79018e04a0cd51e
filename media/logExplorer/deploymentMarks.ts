import type { DeploymentMark, HistogramData } from '../../src/logs/explorer/protocol/view';
import { createMenu, element, icon, type MenuItem } from './dom';
import type { Strings } from './panel';
import { rove } from './roving';

interface DeploymentMarks {
  readonly element: HTMLElement;
  /** Shows the deployments on the axis, or none. */
  show(data: HistogramData | undefined): void;
}

/** The icon of each outcome, which its color only repeats. */
const icons: Readonly<Record<DeploymentMark['outcome'], string>> = {
  succeeded: 'rocket',
  failed: 'error',
  running: 'sync',
  cancelled: 'circle-slash',
  unknown: 'question',
};

/**
 * Creates the marks of deployments over the bars. They are beside the slider of the bars, which cannot contain
 * buttons.
 *
 * @param itemsOf what a mark offers.
 */
export function createDeploymentMarks(
  strings: Strings,
  itemsOf: (mark: DeploymentMark) => readonly MenuItem[],
): DeploymentMarks {
  const marks = element('div', {
    class: 'deployments',
    attributes: { role: 'toolbar', 'aria-label': strings('deployments.label') },
  });
  const menu = createMenu(strings('deployments.label'));
  const roving = rove(marks, () => [marks]);
  let shown = '';

  function markOf(mark: DeploymentMark, place: number): HTMLElement {
    const button = element(
      'button',
      {
        class: `deployment ${mark.outcome}`,
        attributes: {
          type: 'button',
          title: mark.text,
          'aria-label': mark.text,
          'aria-haspopup': 'menu',
        },
        onClick() {
          menu.element.style.insetInlineStart = place < 50 ? `${place}%` : 'auto';
          menu.element.style.insetInlineEnd = place < 50 ? 'auto' : `${100 - place}%`;
          menu.toggle(button, itemsOf(mark));
        },
      },
      icon(icons[mark.outcome]),
    );
    button.style.left = `${place}%`;
    return button;
  }

  return {
    element: element('div', { class: 'deployment-place' }, marks, menu.element),
    show(data) {
      const all = data?.deployments ?? [];
      const key = JSON.stringify([data?.start, data?.step, data?.counts.length, all]);
      if (key === shown) return;
      shown = key;
      const focused = [...marks.children].findIndex((one) => one === document.activeElement);
      const length = (data?.counts.length ?? 0) * (data?.step ?? 0);
      marks.hidden = all.length === 0;
      marks.replaceChildren(
        ...all.map((mark) => markOf(mark, ((mark.at - (data?.start ?? 0)) / length) * 100)),
      );
      roving.update();
      const again = marks.children[Math.min(focused, all.length - 1)];
      if (focused >= 0 && again instanceof HTMLElement) again.focus();
    },
  };
}
