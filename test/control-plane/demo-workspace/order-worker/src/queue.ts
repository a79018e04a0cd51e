export interface Message {
  readonly id: string;
  readonly body: string;
}

export class QueueClosedError extends Error {
  override readonly name = 'QueueClosedError';
}

/** Takes messages one after the other; each is given back if its handler fails. */
export async function consume(
  next: () => Promise<Message | undefined>,
  handle: (message: Message) => Promise<void>,
): Promise<never> {
  for (;;) {
    const message = await next();
    if (!message) throw new QueueClosedError('The queue closed the connection');
    await handle(message);
  }
}
