import { isWebWorker } from '../../vscode/webWorker';

/**
 * The editor's own `fetch`, which knows its proxy and certificates. In a web worker the browser hides
 * why a request failed; one look at the same origin without a key tells a control plane that does
 * not let browsers in from one that is not there.
 */
export const editorFetch: (request: Request) => Promise<Response> = isWebWorker
  ? browserFetch
  : (request) => globalThis.fetch(request);

async function browserFetch(request: Request): Promise<Response> {
  try {
    return await globalThis.fetch(request);
  } catch (error) {
    if (!(error instanceof TypeError) || request.signal.aborted) throw error;
    if (await answersAtAll(new URL(request.url).origin, request.signal)) throw error;
    throw Object.assign(new Error('no answer from the control plane', { cause: error }), {
      code: 'ERR_ADDRESS_UNREACHABLE',
    });
  }
}

/** Without CORS the answer cannot be read, but that there is one can be seen. */
async function answersAtAll(origin: string, signal: AbortSignal): Promise<boolean> {
  try {
    await globalThis.fetch(origin, {
      mode: 'no-cors',
      credentials: 'omit',
      signal,
    });
    return true;
  } catch {
    return false;
  }
}
