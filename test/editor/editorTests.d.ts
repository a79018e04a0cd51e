/** Every `*.test.ts` of this folder and below; the build makes this module (.config/build.ts). */
declare module 'editor-tests' {}

/** Mocha's build for browsers, which runs in a web worker; it sets the global `mocha`. */
declare module 'mocha/mocha.js' {}
