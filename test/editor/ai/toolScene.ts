import { assert } from 'chai';
import * as vscode from 'vscode';
import { tools } from '../../../src/vscode/contributions';
import { known, setScene } from '../scene';
import { until } from '../wait';

const prefix = 'controlPlane_';
const original = vscode.lm.registerTool;
type AnyTool = vscode.LanguageModelTool<unknown>;
/** Registered tools: VS Code has no API for the confirmation of a tool. */
const registered = new Map<string, AnyTool>();

/** Calls a tool as a model does. */
export async function call(name: string, input: object, tokenBudget?: number): Promise<string> {
  const { content } = await vscode.lm.invokeTool(`${prefix}${name}`, {
    toolInvocationToken: undefined,
    input,
    ...(tokenBudget === undefined
      ? {}
      : { tokenizationOptions: { tokenBudget, countTokens: () => Promise.resolve(1) } }),
  });
  return textOf(content);
}

function textOf(content: readonly unknown[]): string {
  const parts = content.map((part) => {
    if (part instanceof vscode.LanguageModelTextPart) return part.value;
    throw new Error('A tool must return text only.');
  });
  return parts.join('\n');
}

/** Runs a tool as VS Code does after the user has confirmed the result of `asked`. */
export async function carryOut(name: string, input: object): Promise<string> {
  const { token } = new vscode.CancellationTokenSource();
  const options = { toolInvocationToken: undefined, input };
  const result = await registered.get(`${prefix}${name}`)?.invoke(options, token);
  return textOf(result?.content ?? []);
}

/** The text outside of the fence, and the lines inside. */
export function partsOf(answer: string): { words: string; data: string[] } {
  const [, words = answer, mark = '', data = ''] =
    /^([^]*?)\n<<<DATA ([0-9a-f-]{36})\n([^]*)DATA \2>>>$/.exec(answer) ?? [];
  const lines = data.split('\n').slice(0, -1);
  for (const line of lines) assert.isTrue(line.startsWith('| '), line);
  if (mark !== '') assert.include(words, mark);
  return { words, data: lines.map((line) => line.slice(2)) };
}

/** The confirmation that VS Code shows before the tool runs. */
export async function asked(name: string, input: object): Promise<vscode.PreparedToolInvocation> {
  const token = new vscode.CancellationTokenSource().token;
  const prepared = await registered.get(`${prefix}${name}`)?.prepareInvocation?.({ input }, token);
  if (prepared === undefined || prepared === null) throw new Error(`${name} has no confirmation.`);
  return prepared;
}

/** A scene with AI tools enabled, with a source `shop` and a server `fra`. */
export function setToolScene() {
  const scene = setScene(
    { operationSeconds: 0 },
    {
      settings: (world) => ({ ...known.shop(world), ...known.fra(world), 'ai.enabled': true }),
    },
  );
  const source = () => scene.controlPlane.world.sources[0]!;
  const server = () => scene.controlPlane.world.servers[0]!;

  before(() => {
    Object.assign(vscode.lm, {
      registerTool(name: string, tool: AnyTool) {
        registered.set(name, tool);
        return vscode.Disposable.from(
          original.call(vscode.lm, name, tool),
          new vscode.Disposable(() => registered.delete(name)),
        );
      },
    });
  });
  after(() => Object.assign(vscode.lm, { registerTool: original }));

  beforeEach(async () => {
    assert.isTrue(await scene.connect());
    await until('the tools are registered', () => registered.size === Object.keys(tools).length);
  });

  return { scene, source, server, countTools: () => registered.size };
}
