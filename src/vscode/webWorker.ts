/** Whether this is the web worker extension host: a browser's fetch, and no Node.js. */
export const isWebWorker = 'WorkerGlobalScope' in globalThis;
