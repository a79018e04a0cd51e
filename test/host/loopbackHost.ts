import type { IncomingMessage } from 'node:http';

const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

/** Whether a request names this machine. A page whose own name leads to loopback (DNS rebinding) names itself. */
export function isLoopbackHost({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return loopback.test(headers.host ?? '');
}
