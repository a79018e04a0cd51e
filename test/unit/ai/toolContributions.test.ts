import { assert } from 'chai';
import manifest from '../../../package.json';
import texts from '../../../package.nls.json';
import { isObject } from '../../../src/base/json';
import { tools } from '../../../src/vscode/contributions';

const all = manifest.contributes.languageModelTools;

/** What every model takes of JSON Schema: the others refuse a tool with more, or ignore it. */
const keywords = new Set([
  ...['type', 'description', 'properties', 'required', 'additionalProperties', 'items', 'enum'],
  ...['default', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'],
]);
/** The longest description that some models take, in characters. */
const longestDescription = 1024;
/** The longest name. */
const longestName = 64;

/** Each schema in a schema, with the path to it. */
function schemasIn(schema: object, path: string): readonly (readonly [string, object])[] {
  const { properties = {}, items } = schema as { properties?: object; items?: object };
  const inner = Object.entries(properties).flatMap(([name, one]: [string, unknown]) =>
    isObject(one) ? schemasIn(one, `${path}.${name}`) : [],
  );
  return [[path, schema], ...inner, ...(items === undefined ? [] : schemasIn(items, `${path}[]`))];
}

describe('A tool for agents', () => {
  it('has what VS Code needs to offer it in agent mode and in a prompt', () => {
    assert.lengthOf(all, Object.keys(tools).length);
    const names = new Set(all.map(({ name }) => name));
    const references = new Set(all.map(({ toolReferenceName }) => toolReferenceName));
    assert.deepEqual([names.size, references.size], [all.length, all.length]);
    for (const tool of all) {
      const { name, toolReferenceName, canBeReferencedInPrompt, tags } = tool;
      for (const one of [name, toolReferenceName]) {
        assert.match(one, /^[\w-]+$/);
        assert.isAtMost(one.length, longestName);
      }
      // Without it, agent mode does not get the tool, and VS Code refuses it without a name for prompts.
      assert.isTrue(canBeReferencedInPrompt, name);
      // Those of VS Code itself.
      for (const one of [name, ...tags]) assert.notMatch(one, /^(?:vscode|copilot)_/);
    }
  });

  it('says when to use it and what it answers, no longer than every model takes', () => {
    for (const { name, modelDescription, displayName, userDescription } of all) {
      assert.isAtMost(modelDescription.length, longestDescription, name);
      assert.match(modelDescription, /\bUse this to |\buse it only /, name);
      assert.match(modelDescription, /\breturns |\bEach kind has /i, name);
      for (const key of [displayName, userDescription]) {
        assert.property(texts, key.replaceAll('%', ''));
      }
    }
  });

  it('says so if it changes something, since VS Code has no other word for it', () => {
    const changing = all.filter(({ name }) => !/_(?:list|search|summarise|compare)/.test(name));
    assert.deepEqual(
      changing.map(({ name }) => name),
      [tools.syncEnvironment, tools.cleanUpOrphans],
    );
    for (const { modelDescription } of changing) {
      assert.match(modelDescription, /\bchanges what runs\b|\bcannot be undone\b/);
      assert.match(modelDescription, /\bThe user confirms it\b|\bthe user confirms it\b/);
    }
  });

  it('takes an object of described members, in the part of JSON Schema that every model takes', () => {
    for (const { name, inputSchema } of all) {
      assert.equal(inputSchema.type, 'object', name);
      const known = Object.keys(inputSchema.properties);
      assert.includeMembers(known, inputSchema.required);
      assert.isFalse(inputSchema.additionalProperties, name);
      for (const [path, schema] of schemasIn(inputSchema, name)) {
        assert.isEmpty(
          Object.keys(schema).filter((keyword) => !keywords.has(keyword)),
          path,
        );
        const { type, description } = schema as { type?: unknown; description?: unknown };
        assert.include(['object', 'array', 'string', 'integer'], type, path);
        if (path === name) continue;
        assert.isString(description, path);
        assert.isAtMost(String(description).length, longestDescription, path);
      }
    }
  });
});
