import { connectPanel } from './panel';

connectPanel((message) => {
  if (message.kind === 'start') document.title = message.words['title'] ?? '';
});
