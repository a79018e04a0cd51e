import { isObject, type JsonObject, membersOf } from '../base/json';
import { getOrMake } from '../base/maps';
import {
  type Form,
  forms as formsByName,
  openSettings,
  type ValueKind,
} from './generated/descriptionForms';

/*
 * What the description of a server (OpenAPI 3) says of what the contract leaves open, and of what the server can do beyond
 * it. Anybody may have written it: a reference is looked up in the document alone, and what is kept is checked as strictly
 * as a setting. What it does not say clearly, it does not say.
 */

/** The operations that a description may list, by what the client calls them. */
export type DescribedOperation = keyof typeof formsByName;

const forms: Readonly<Record<DescribedOperation, Form>> = formsByName;

/** Their names. */
export const describedOperations = Object.keys(forms) as readonly DescribedOperation[];

/** What a description says of an operation. */
export interface OperationFacts {
  /** The path below `/v1/api`, with the names of its parameters in the contract. */
  readonly path: string;
  /** Its query parameters by their names in the contract, as far as the server has them. */
  readonly query: Readonly<Record<string, { readonly name: string; readonly isRequired: boolean }>>;
  /** Whether the members of its body are required, by their paths, such as `items[].name`. */
  readonly body: Readonly<Record<string, boolean>>;
}

/** What a server says of itself. A few kilobytes of checked texts. */
export interface ServerFacts {
  /** The version of its API. */
  readonly version?: string | undefined;
  /** The operations it has. `none`: it has no such one. What is missing is not clear. */
  readonly operations: Readonly<Partial<Record<DescribedOperation, OperationFacts | 'none'>>>;
}

/** What the contract leaves open, by the setting for it below `controlPlane.api`. */
export type OpenSetting = keyof typeof openSettings;

/**
 * Reads the description of a server.
 *
 * @param document the parsed OpenAPI document.
 * @returns undefined if it is none, is far larger than one, or has nothing of the contract.
 */
export function readServerDescription(document: unknown): ServerFacts | undefined {
  const root = membersOf(document);
  if (!/^3\.\d{1,3}(?:\.|$)/.test(textOf(root['openapi']))) return undefined;
  const reader = new DocumentReader(root);
  const found = reader.operations();
  const entries = describedOperations.map(
    (name) => [name, choose(forms[name], found.get(keyOf(forms[name])) ?? [], reader)] as const,
  );
  const isOurs = entries.some(([name, facts]) => forms[name].isBeyond !== true && isObject(facts));
  if (reader.isExhausted || !isOurs) return undefined;
  const version = textOf(membersOf(root['info'])['version']);
  return {
    ...(versionForm.test(version) ? { version } : {}),
    operations: Object.fromEntries(entries.filter(([, facts]) => facts !== undefined)),
  };
}

/** Where a description has what the contract leaves open; nowhere without an operation. */
interface OpenPart {
  readonly default: string;
  readonly operation?: DescribedOperation;
  readonly parameter?: string;
}

/** What a server says of what a setting is for; undefined if it does not. An empty text: there is no such thing. */
export function describedValue(
  { operations }: ServerFacts,
  setting: OpenSetting,
): string | undefined {
  const of: OpenPart = openSettings[setting];
  if (of.operation === undefined) return undefined;
  const facts = operations[of.operation];
  const { open } = forms[of.operation];
  if (facts === undefined) return undefined;
  if (facts === 'none') return open === 'path' ? '' : undefined;
  if (of.parameter !== undefined) return facts.query[of.parameter]?.name;
  return open === 'path' ? facts.path : facts.path.split('/')[Number(open)];
}

/** An operation of a description that may be one of the contract. */
interface Candidate {
  readonly segments: readonly string[];
  readonly item: JsonObject;
  readonly operation: JsonObject;
}

/** Operations that differ in this are different. */
function keyOf({ method, path, open }: Form): string {
  return open === 'path' ? `${method} one` : `${method} ${path.split('/').length}`;
}

/** The operation that is clearly the one of this form; `none` if none can be it, undefined if that is not clear. */
function choose(
  form: Form,
  candidates: readonly Candidate[],
  reader: DocumentReader,
): OperationFacts | 'none' | undefined {
  const possible = candidates.flatMap((candidate) => {
    if (reader.isExhausted || !fitsPath(form, candidate.segments)) return [];
    const parts = partsOf(candidate, reader);
    const evidence = evidenceOf(form, candidate.segments, parts);
    if (evidence === undefined) return [];
    return [{ ...candidate, ...parts, evidence, path: pathFor(form, candidate.segments) }];
  });
  if (possible.length === 0) return 'none';
  const most = Math.max(...possible.map(({ evidence }) => evidence));
  const best = possible.filter(({ evidence }) => evidence === most && evidence > 0);
  const isOne = best.every(({ path }) => path === best[0]?.path);
  const chosen = isOne ? best[0] : best.find(({ path }) => path === form.path);
  if (chosen === undefined) return undefined;
  return {
    path: chosen.path,
    query: Object.fromEntries(matched(form, chosen.query)),
    body: reader.bodyPaths(chosen.body),
  };
}

function fitsPath({ path, open }: Form, segments: readonly string[]): boolean {
  if (open === 'path') return isOfOperation(segments);
  return path.split('/').every((own, at) => {
    const theirs = segments[at] ?? '';
    if (at === open) return !isParameter(theirs);
    return isParameter(own) ? isParameter(theirs) : own === theirs;
  });
}

/** Whether the only parameter of a path is the id of an operation, by its name or by what is before it. */
function isOfOperation(segments: readonly string[]): boolean {
  const at = segments.findIndex(isParameter);
  return [segments[at], segments[at - 1]].some((one = '') =>
    /operation|action|job|task/i.test(one),
  );
}

/** The path with the names that the contract has for the parameters. */
function pathFor({ path, open }: Form, segments: readonly string[]): string {
  const own = path.split('/');
  const names = own.filter(isParameter);
  return open === 'path'
    ? segments.map((segment) => (isParameter(segment) ? names.shift() : segment)).join('/')
    : own.map((segment, at) => (at === open ? segments[at] : segment)).join('/');
}

interface QueryParameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly kind: ValueKind | undefined;
}

interface Parts {
  readonly query: readonly QueryParameter[];
  readonly body: unknown;
  readonly bodyMembers: ReadonlySet<string>;
  readonly answerMembers: ReadonlySet<string>;
}

function partsOf({ item, operation }: Candidate, reader: DocumentReader): Parts {
  const body = reader.bodyOf(operation);
  return {
    query: reader.queryOf(item, operation),
    body,
    bodyMembers: new Set(reader.members(body).keys()),
    answerMembers: new Set(reader.members(reader.answerOf(operation)).keys()),
  };
}

/**
 * How much of what an operation is recognized by it has: 0 if that is not more than half; undefined if its body or its
 * answer is described and is something else.
 */
function evidenceOf(
  form: Form,
  segments: readonly string[],
  { query, bodyMembers, answerMembers }: Parts,
): number | undefined {
  const own = form.path.split('/').slice(1);
  const fixed = own.filter(
    (one, at) => !isParameter(one) && segments[at + 1] === one && at + 1 !== form.open,
  ).length;
  let [all, have] = [fixed, fixed];
  for (const [known, theirs] of [
    [form.body, bodyMembers],
    [form.answer, answerMembers],
  ] as const) {
    if (known.length === 0 || theirs.size === 0) continue;
    const common = known.filter((name) => theirs.has(name)).length;
    if (common === 0) return undefined;
    all += known.length;
    have += common;
  }
  all += Object.keys(form.query).length;
  have += matched(form, query).length;
  return 2 * have > all ? have : 0;
}

/** The parameters of a form that an operation has: of the same name, or the only other one with such values. */
function matched({ query: own }: Form, theirs: readonly QueryParameter[]) {
  return Object.entries(own).flatMap(([name, kind]) => {
    const named = theirs.find((one) => one.name === name && (one.kind ?? kind) === kind);
    const others = theirs.filter((one) => one.kind === kind && !Object.hasOwn(own, one.name));
    const found = named ?? (others.length === 1 ? others[0] : undefined);
    if (found === undefined) return [];
    return [[name, { name: found.name, isRequired: found.isRequired }] as const];
  });
}

/** As the settings for a path segment and for a parameter. */
const segmentForm = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}$/;
export const parameterForm = /^[A-Za-z0-9._~[\]-]{1,64}$/;
export const memberForm = /^[A-Za-z0-9_-]{1,64}$/;
const parameterPart = /^\{[^{}/]{1,64}\}$/;
export const versionForm = /^[\w.+-]{1,64}$/;

/** Whether a path can be one that was read. */
export function isDescribedPath(path: string): boolean {
  const [first, ...segments] = path.slice(0, longestPath).split('/');
  return (
    first === '' &&
    segments.length > 0 &&
    segments.every((one) => segmentForm.test(one) || parameterPart.test(one))
  );
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

/** The longest path that is read. */
const longestPath = 512;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** How many nodes of a document are looked at: many times those of all operations of the contract. */
const mostNodes = 10_000;
/** How many references lead to one value, and how many schemas are in one another. */
const deepest = 12;
/** How deep the members of a body have names. */
const deepestPath = 4;
const mostMembers = 64;

/** Reads parts of an OpenAPI document that anybody may have written. */
class DocumentReader {
  private left = mostNodes;

  constructor(private readonly root: JsonObject) {}

  /** Whether the document is larger than what is read. */
  get isExhausted(): boolean {
    return this.left < 0;
  }

  /** The operations below `/v1/api` by their `keyOf`. */
  operations(): ReadonlyMap<string, readonly Candidate[]> {
    const found = new Map<string, Candidate[]>();
    const paths = membersOf(this.root['paths']);
    for (const template of Object.keys(paths)) {
      if (this.isExhausted) return found;
      const item = this.resolve(paths[template]);
      for (const method of ['get', 'post'] as const) {
        if (!isObject(item[method]) || template.length > longestPath) continue;
        const operation = this.resolve(item[method]);
        const segments = this.segmentsOf(template, operation['servers'] ?? item['servers']);
        this.left -= segments?.length ?? 1;
        if (segments === undefined) continue;
        const candidate = { segments, item, operation };
        getOrMake(found, `${method} ${segments.length}`, () => []).push(candidate);
        if (segments.filter(isParameter).length !== 1) continue;
        getOrMake(found, `${method} one`, () => []).push(candidate);
      }
    }
    return found;
  }

  /** The object that a value is or refers to, within the document; an empty one if it is neither. */
  resolve(value: unknown): JsonObject {
    let at = value;
    for (let hops = 0; hops < deepest && --this.left >= 0; hops++) {
      if (!isObject(at)) return {};
      const reference = at['$ref'];
      if (typeof reference !== 'string') return at;
      at = this.target(reference);
    }
    return {};
  }

  queryOf(item: JsonObject, operation: JsonObject): readonly QueryParameter[] {
    const all = new Map<string, QueryParameter>();
    const listed = [item, operation].flatMap((one) => this.itemsIn(one['parameters']));
    for (const parameter of listed.map((one) => this.resolve(one))) {
      const name = textOf(parameter['name']);
      if (parameter['in'] !== 'query' || !parameterForm.test(name)) continue;
      const kind = this.valueKind(parameter['schema']);
      all.set(name, { name, isRequired: parameter['required'] === true, kind });
    }
    return [...all.values()];
  }

  bodyOf(operation: JsonObject): unknown {
    return this.jsonSchema(this.resolve(operation['requestBody']));
  }

  answerOf(operation: JsonObject): unknown {
    const responses = this.resolve(operation['responses']);
    const success = this.namesIn(responses).filter((status) => /^2(?:\d\d|XX)$/i.test(status));
    const schemas = success.map((status) => this.jsonSchema(this.resolve(responses[status])));
    return schemas.find((schema) => schema !== undefined);
  }

  /** The members of a schema with their own, and whether they are required. Those of alternatives are not. */
  members(
    schema: unknown,
    depth = 0,
  ): Map<string, { readonly schema: unknown; readonly isRequired: boolean }> {
    const all: ReturnType<DocumentReader['members']> = new Map();
    if (depth > deepest || this.isExhausted) return all;
    const object = this.resolve(schema);
    const add = (of: unknown, isRequired: boolean): void => {
      if (all.size >= mostMembers || this.isExhausted) return;
      for (const [name, member] of this.members(of, depth + 1)) {
        const before = all.get(name)?.isRequired ?? false;
        all.set(name, { ...member, isRequired: before || (isRequired && member.isRequired) });
      }
    };
    for (const part of this.itemsIn(object['allOf'])) add(part, true);
    const alternatives = this.alternatives(object);
    for (const part of alternatives) add(part, alternatives.length === 1);
    const required = new Set(this.itemsIn(object['required']));
    const properties = this.resolve(object['properties'] ?? {});
    for (const name of this.namesIn(properties)) {
      all.set(name, { schema: properties[name], isRequired: false });
    }
    for (const [name, member] of all) {
      if (required.has(name)) all.set(name, { ...member, isRequired: true });
    }
    return all;
  }

  /** Whether the members of a body are required, by their paths. */
  bodyPaths(schema: unknown): Readonly<Record<string, boolean>> {
    const found: [string, boolean][] = [];
    const walk = (of: unknown, prefix: string, depth: number): void => {
      if (depth > deepestPath) return;
      const { items } = this.resolve(of);
      if (items !== undefined) walk(items, `${prefix}[]`, depth + 1);
      for (const [name, member] of this.members(of)) {
        if (!memberForm.test(name) || found.length >= mostMembers) continue;
        const path = prefix === '' ? name : `${prefix}.${name}`;
        found.push([path, member.isRequired]);
        walk(member.schema, path, depth + 1);
      }
    };
    walk(schema, '', 1);
    return Object.fromEntries(found);
  }

  /** The segments of a path below `/v1/api`, from index 1; undefined if it is not there, or cannot be sent. */
  private segmentsOf(template: string, servers: unknown): readonly string[] | undefined {
    const [server] = this.itemsIn(servers ?? this.root['servers']);
    const url = textOf(membersOf(server)['url']).slice(0, longestPath);
    const base = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '').replace(/(?:^\.)?\/*$/, '');
    const [, below] = /\/v1\/api(\/.*)$/.exec(base + template) ?? [];
    const path = below ?? (base === '' ? template : '');
    const [first, ...segments] = path.split('/');
    return first === '' && isDescribedPath(path) ? ['', ...segments] : undefined;
  }

  private target(reference: string): unknown {
    if (!reference.startsWith('#/') || reference.length > longestPath) return undefined;
    let at: unknown = this.root;
    for (const part of reference.slice(2).split('/')) {
      const name = unescaped(part);
      const members: unknown = at;
      if (typeof members !== 'object' || members === null || !Object.hasOwn(members, name))
        return undefined;
      at = Reflect.get(members, name);
    }
    return at;
  }

  /** The first names in an object. */
  private namesIn(object: JsonObject): readonly string[] {
    const names = Object.keys(object);
    this.left -= names.length;
    return names.slice(0, mostMembers);
  }

  /** The first items of a value, if it is a list. */
  private itemsIn(value: unknown): readonly unknown[] {
    if (!Array.isArray(value)) return [];
    const items = value.slice(0, mostMembers) as readonly unknown[];
    this.left -= items.length;
    return items;
  }

  /** The schema of a body or an answer in JSON. */
  private jsonSchema({ content }: JsonObject): unknown {
    const types = membersOf(content);
    const json = this.namesIn(types).find((type) =>
      /^application\/(?:[\w.-]{1,64}\+)?json\b/i.test(type),
    );
    return json === undefined ? undefined : membersOf(types[json])['schema'];
  }

  private alternatives(schema: JsonObject): readonly unknown[] {
    return [...this.itemsIn(schema['anyOf']), ...this.itemsIn(schema['oneOf'])].filter(
      (one) => membersOf(one)['type'] !== 'null',
    );
  }

  private valueKind(schema: unknown, depth = 0): ValueKind | undefined {
    const object = this.resolve(schema);
    const { type, format, pattern } = object;
    const types = Array.isArray(type) ? this.itemsIn(type) : [type];
    if (types.includes('integer')) return 'integer';
    const isId = format === 'uuid' || /\{8\}-?.*\{4\}/.test(textOf(pattern).slice(0, longestPath));
    if (types.includes('string')) return isId ? 'id' : 'text';
    if (depth > deepest) return undefined;
    const parts = [...this.alternatives(object), ...this.itemsIn(object['allOf'])];
    const kinds = parts.map((one) => this.valueKind(one, depth + 1));
    return kinds.find((kind) => kind === 'id') ?? kinds.find((kind) => kind !== undefined);
  }
}

/** A part of a JSON pointer in a fragment of a URL. */
function unescaped(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // It is meant as it is.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
