/**
 * Takes out of ajv's standalone code what only composed schemas and other readers need: more than
 * half of it, in a bundle whose size is what makes the extension slow to load.
 *
 * ajv counts errors, since a branch of `anyOf` may fail without the whole failing. None of the
 * schemas held here is composed so: the first error is the end, and counting it is not needed.
 * `test/unit/api/generated/validators.test.ts` holds the result against ajv itself.
 *
 * @param code as esbuild prints it, so that one form of each construct is enough.
 * @throws if something is left that the above is not true of.
 */
export function slimValidators(code: string): string {
  const schemas = new Map<string, unknown>();
  for (const [, name, json] of code.matchAll(/^var (schema\d+) = (\{.*\});$/gm)) {
    schemas.set(String(name), JSON.parse(String(json)));
  }
  const literal = (reference: string): unknown =>
    reference
      .split('.')
      .slice(1)
      .reduce(
        (node: unknown, key) => (node as Record<string, unknown>)[key],
        schemas.get(reference.split('.')[0] ?? ''),
      );

  const slim = code
    // Whole schemas would stay in the bundle for a list of names in each.
    .replace(/^var schema\d+ = .*\n/gm, '')
    .replace(
      /!func\d+\.call\((schema\d+\.[\w.]+), (\w+)\)/g,
      (_, reference: string, key: string) =>
        `!${JSON.stringify(Object.keys(literal(reference) as object))}.includes(${key})`,
    )
    .replace(
      /(allowedValues|type): (schema\d+\.[\w.]+)/g,
      (_, name: string, reference: string) => `${name}: ${JSON.stringify(literal(reference))}`,
    )
    // A path is all that the validators need to tell each other.
    .replace(
      /\{ instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = \{\} \} = \{\}/g,
      'instancePath = ""',
    )
    .replace(/\{ instancePath: (.+?), parentData: .*?, dynamicAnchors \}/g, '$1')
    .replace(/\{ instancePath, parentData, .*?, dynamicAnchors \}/g, 'instancePath')
    // What a pattern is in words is not for the validators to say.
    .replace(/params: \{ pattern: .*? \} \}\]/g, 'params: {} }]')
    .replace(
      /(validate\d+)\.errors = \[\{ instancePath(?:: (.+?))?, schemaPath: ".*?", keyword: (".+?"), params: (.*) \}\];\s*return false;/g,
      (_, self: string, path: string | undefined, keyword: string, params: string) =>
        `return fail(${self}, ${path ?? 'instancePath'}, ${keyword}, ${params});`,
    )
    // The first error is the end.
    .replace(/validate\d+\.evaluated = \{.*\};/g, '')
    .replace(
      /const evaluated\d+ = validate\d+\.evaluated;\s*(?:if \(evaluated\d+\.\w+\) \{[^}]*\}\s*)*/g,
      '',
    )
    .replace(
      /vErrors = vErrors === null \? (validate\d+)\.errors : vErrors\.concat\(\1\.errors\);\s*errors = vErrors\.length;/g,
      'return failAs(self, $1);',
    )
    .replace(/let vErrors = null;\s*let errors = 0;/g, '')
    .replace(/(?:const|var|let) (?:_errs|valid)\d+ = (?:errors|true|_errs\d+ === errors);/g, '')
    .replace(/if \(!valid\d+\) \{\s*break;\s*\}/g, '')
    .replace(
      /if \((?:valid\d+|errors === 0|_errs\d+ === errors|errors === _errs\d+)\)/g,
      'if (true)',
    )
    .replace(/validate\d+\.errors = vErrors;\s*return errors === 0;/g, 'return true;')
    .replace(/function (validate\d+)\([^]*?\n\}/g, (text, self: string) =>
      text.replaceAll('failAs(self,', `failAs(${self},`),
    );

  const left =
    /\b(?:vErrors|errors(?! =|\))|_errs\d+|valid\d+|schema\d+|schemaPath|evaluated\d*|rootData)\b/.exec(
      slim.replace(/\w+\.errors/g, ''),
    );
  if (left) throw new Error(`The validators hold something unforeseen: ${left[0]}`);
  return `${slim}
function fail(self, instancePath, keyword, params) {
  self.errors = [{ instancePath, keyword, params }];
  return false;
}
function failAs(self, other) {
  self.errors = other.errors;
  return false;
}
`;
}
