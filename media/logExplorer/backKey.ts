/**
 * Listens for the key that leads back in browsers and in VS Code: Alt with the left arrow. In a text it
 * stays what it is there, which on a Mac goes back by a word.
 *
 * @param goBack answers whether there was somewhere to go.
 */
export function onBackKey(goBack: () => boolean): void {
  const listener = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (key !== 'ArrowLeft' || !altKey || ctrlKey || metaKey || shiftKey) return;
    if (event.composedPath()[0] instanceof HTMLInputElement || !goBack()) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Before the parts of the page, of which many go somewhere by the arrow alone.
  document.addEventListener('keydown', listener, { capture: true });
}
