/**
 * Gives the focus to a part of the page whenever the page gets it as a whole: to what had it last, as
 * where a menu of VS Code was open over the list, or else to the bar. It takes it from nobody.
 */
export function returnFocus(focusBar: () => void): void {
  let last: HTMLElement | undefined;
  document.addEventListener('focusin', (event) => {
    // The one within a component, which does not always hand it on.
    const [target] = event.composedPath();
    if (target instanceof HTMLElement) last = target;
  });
  const isNowhere = (): boolean => document.activeElement === document.body;
  const focusPart = (): void => {
    if (!document.hasFocus() || !isNowhere()) return;
    last?.focus();
    // It may be gone or hidden by now.
    if (isNowhere()) focusBar();
  };
  window.addEventListener('focus', focusPart);
  focusPart();
}
