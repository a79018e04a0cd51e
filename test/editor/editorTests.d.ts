/** The tests of this folder for one host; test/host/testBuilds.ts creates this module. */
declare module 'editor-tests' {
  export const files: readonly {
    /** Its path below this folder, such as `tail/follow.test.ts`. */
    readonly name: string;
    /** Evaluates the file, which registers its tests. */
    readonly load: () => Promise<unknown>;
  }[];
}

/** Mocha's build for browsers, which runs in a web worker; it sets the global `mocha`. */
declare module 'mocha/mocha.js' {}
