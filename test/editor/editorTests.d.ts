/** The tests of this folder for one host; the build makes this module (test/host/testBuilds.ts). */
declare module 'editor-tests' {
  export const files: readonly {
    /** Its path below this folder, such as `follow.test.ts`. */
    readonly name: string;
    /** Evaluates it, which tells mocha of its tests. */
    readonly load: () => Promise<unknown>;
  }[];
}

/** Mocha's build for browsers, which runs in a web worker; it sets the global `mocha`. */
declare module 'mocha/mocha.js' {}
