import path from 'node:path';
import ts from 'typescript';

/**
 * Finds texts that are a part of another text. A translator sees each alone, so the sentence that they make has the
 * wrong case, gender or order in most languages. A place of a text takes a name, a number, a list, or what stands by
 * itself: after a colon, between commas, or as a sentence of its own.
 */

/** Functions that say a name, or a list of such, even if it is a stand-in like *Alert rule*. */
const givesName = /(?:Name|Label)$|^someNames$/;
/** A predicate, which is written in each language to follow the name of a field. */
const givesPredicate = 'errorText';
/** Returns what it is given, as safe text. */
const passesOn = /^(?:plainText|labelText|rowText|oneLine|breakable|boxText)$/;
const joins = /^(?:joined|dotted)$/;

const deepest = 6;

/** Such as `src/a.ts:12: "{0} ahead" is a part of "HEAD is {0}"`. */
export function gluedTexts(program: ts.Program, root: string): readonly string[] {
  const finder = new TextFinder(program.getTypeChecker());
  return program
    .getSourceFiles()
    .filter(({ fileName, isDeclarationFile }) => {
      return !isDeclarationFile && !path.relative(root, fileName).startsWith('..');
    })
    .flatMap((file) => gluedIn(file, finder, path.relative(root, file.fileName)));
}

function gluedIn(file: ts.SourceFile, finder: TextFinder, name: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || !isText(node)) return;
    const isCounted = calleeOf(node) === 'counted';
    const [messages, values] = isCounted
      ? [node.arguments.slice(1, 3), node.arguments.slice(3)]
      : [node.arguments.slice(0, 1), node.arguments.slice(1)];
    values.forEach((value, index) => {
      const part = finder.textOf(value);
      if (part === undefined) return;
      const place = `{${isCounted ? index + 1 : index}}`;
      const whole = messages.flatMap(literalsOf).find((text) => !isByItself(text, place));
      if (whole === undefined) return;
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push(`${name}:${line + 1}: "${part}" is a part of "${whole}"`);
    });
  };
  visit(file);
  return found;
}

/** Whether no word of the text belongs to the place. */
function isByItself(text: string, place: string): boolean {
  const [before = '', after = ''] = text.split(place, 2);
  const isStart = before === '' || /[:.,?×] $/.test(before);
  const isSentence = before === '' || before.endsWith('. ');
  return isStart && (/^(?:$|[.,:…])/.test(after) || (isSentence && /^ [A-Z]/.test(after)));
}

function isText(call: ts.CallExpression): boolean {
  return ['t', 'counted'].includes(calleeOf(call) ?? '');
}

function calleeOf({ expression }: ts.CallExpression): string | undefined {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : undefined;
}

function literalsOf(node: ts.Expression): readonly string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return literalsOf(node.expression);
  return ts.isConditionalExpression(node)
    ? [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)]
    : [];
}

/** Follows constants and functions to the text that a value is made of. */
class TextFinder {
  private readonly known = new Map<ts.Node, string | undefined>();

  constructor(private readonly checker: ts.TypeChecker) {}

  /** Undefined if the value is not made of a text. */
  textOf(node: ts.Expression | undefined, depth = 0): string | undefined {
    if (node === undefined || depth > deepest) return undefined;
    if (ts.isParenthesizedExpression(node)) return this.textOf(node.expression, depth);
    if (ts.isConditionalExpression(node)) {
      return this.firstOf([node.whenTrue, node.whenFalse], depth);
    }
    if (ts.isBinaryExpression(node)) return this.firstOf([node.left, node.right], depth);
    if (ts.isTemplateExpression(node)) {
      return this.firstOf(
        node.templateSpans.map(({ expression }) => expression),
        depth,
      );
    }
    if (ts.isIdentifier(node)) {
      const declared = this.checker.getSymbolAtLocation(node)?.valueDeclaration;
      return declared !== undefined && ts.isVariableDeclaration(declared)
        ? this.textOf(declared.initializer, depth + 1)
        : undefined;
    }
    if (ts.isArrayLiteralExpression(node)) return this.firstOf(node.elements, depth);
    return ts.isCallExpression(node) ? this.textOfCall(node, depth) : undefined;
  }

  private firstOf(nodes: readonly ts.Expression[], depth: number): string | undefined {
    return nodes.map((node) => this.textOf(node, depth)).find((text) => text !== undefined);
  }

  private textOfCall(call: ts.CallExpression, depth: number): string | undefined {
    const callee = calleeOf(call) ?? '';
    if (isText(call)) return call.arguments.flatMap(literalsOf)[0];
    if (givesName.test(callee) || callee === givesPredicate) return undefined;
    if (passesOn.test(callee) || joins.test(callee)) return this.textOf(call.arguments[0], depth);
    const { expression } = call;
    const at = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    const symbol = this.checker.getSymbolAtLocation(at);
    const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const { valueDeclaration } = (isAlias ? this.checker.getAliasedSymbol(symbol) : symbol) ?? {};
    return valueDeclaration === undefined ? undefined : this.returned(valueDeclaration, depth + 1);
  }

  /** What a function returns. */
  private returned(declared: ts.Declaration, depth: number): string | undefined {
    if (this.known.has(declared)) return this.known.get(declared);
    // A function that calls itself ends here.
    this.known.set(declared, undefined);
    const initial = ts.isVariableDeclaration(declared) ? declared.initializer : undefined;
    const made = initial !== undefined && ts.isArrowFunction(initial) ? initial : declared;
    const body = ts.isFunctionLike(made) && 'body' in made ? made.body : undefined;
    let text: string | undefined;
    const visit = (node: ts.Node): void => {
      if (text !== undefined || ts.isFunctionLike(node)) return;
      if (ts.isReturnStatement(node)) text = this.textOf(node.expression, depth);
      ts.forEachChild(node, visit);
    };
    if (body !== undefined && ts.isBlock(body)) visit(body);
    else if (body !== undefined) text = this.textOf(body, depth);
    this.known.set(declared, text);
    return text;
  }
}
