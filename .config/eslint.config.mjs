import { defineConfig } from 'eslint/config';
import { builtinRules } from 'eslint/use-at-your-own-risk';
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript-eslint';

const root = `${import.meta.dirname}/..`;

/** The rules that `@eslint/js` recommends. */
const recommended = Object.fromEntries(
  [...builtinRules]
    .filter(([, { meta }]) => meta.docs.recommended)
    .map(([name]) => [name, 'error']),
);

/** The rooms of CONTRIBUTING.md, lowest first: a room may import those before it. */
const rooms = [
  ...['base', 'api', 'vscode', 'connection', 'commits', 'data', 'trees'],
  ...['logs', 'deployed', 'activity', 'pushes', 'actions', 'ai'],
];

/** The rooms of the logs, in the same way. */
const logRooms = ['query', 'record', 'tail', 'errors', 'explorer', 'calls'];

/** Code that turns text into elements: a page shows untrusted text only with `textContent`. */
const waysToMarkup = [
  'AssignmentExpression > MemberExpression.left[property.name=/^(inner|outer)HTML$|^srcdoc$/]',
  'CallExpression[callee.property.name=/^(insertAdjacentHTML|(set|parse)HTMLUnsafe)$/]',
  'CallExpression[callee.property.name=/^(createContextualFragment|write|writeln)$/]',
  "ImportSpecifier[imported.name='unsafeHTML']",
  "NewExpression[callee.name='DOMParser']",
].map((selector) => ({ selector, message: 'Show text with textContent only.' }));

/**
 * Visible text is never hard-coded: it must be translated. URLs, names in capitals, ids and parts
 * of queries are the same in every language.
 */
const words = String.raw`/^(?!https?:\/\/|[A-Z]+$|[\w.]+:\S+$|&\w+;$).*[A-Za-z]{2}/`;
/** A hard-coded text at a place, also in a conditional or as a default. */
const writtenOut = (place, field) =>
  [
    `Literal[value=${words}]`,
    'TemplateLiteral:has(> TemplateElement[value.raw=/(^|[^\\w(-])[A-Za-z]{2}/])',
  ].flatMap((text) => [
    `${place} > ${text}.${field}`,
    `${place} > ConditionalExpression.${field} > ${text}.consequent`,
    `${place} > ConditionalExpression.${field} > ${text}.alternate`,
    `${place} > LogicalExpression.${field} > ${text}.right`,
    `${place} > BinaryExpression.${field} > ${text}`,
  ]);

/** Where VS Code takes visible texts. */
const shownByTheEditor =
  '/^(title|prompt|place[hH]older|label|description|detail|tooltip|message|ariaLabel)$/';
/** English text in an error is a detail; the message around it is translated. */
const ofAnError = 'NewExpression[callee.name=/Error$/] > ObjectExpression > Property';
const hardCodedHere = [
  ...[
    'CallExpression[callee.property.name=/^show(Information|Warning|Error)Message$/]',
    "CallExpression[callee.property.name='setStatusBarMessage']",
    'CallExpression[callee.name=/^(markdown|boxText|labelText)$/]',
    'CallExpression[callee.name=/^(withProgress|showFailure)$/]',
    "NewExpression[callee.property.name='TreeItem']",
  ].flatMap((place) => writtenOut(place, 'arguments')),
  ...writtenOut(`Property[key.name=${shownByTheEditor}]:not(${ofAnError})`, 'value'),
  ...writtenOut(`AssignmentExpression[left.property.name=${shownByTheEditor}]`, 'right'),
  ...writtenOut(
    'AssignmentExpression[left.property.name=/^(name|text|validationMessage|busyMessage)$/]',
    'right',
  ),
].map((selector) => ({ selector, message: 'Visible text: use vscode.l10n.t.' }));

/** The places that make more of a text than text, each with the helper that prevents it. */
const untrusted = [
  [
    "NewExpression[callee.property.name='MarkdownString']",
    'Markdown is made by markdown() of src/vscode/markdown.ts only.',
  ],
  [
    'CallExpression[callee.property.name=/^append(Text|Markdown|Codeblock)$/]',
    'Markdown is made by markdown() of src/vscode/markdown.ts only.',
  ],
  [
    "AssignmentExpression[left.object.name='link'][left.property.name='tooltip']:not([right.callee.name='linkTooltip'])",
    'The tooltip of a link is Markdown: use linkTooltip.',
  ],
  [
    "AssignmentExpression[left.property.name=/^(prompt|validationMessage)$/]:not(:has(CallExpression[callee.name='boxText']))",
    'An input box runs links: use boxText.',
  ],
  ["CallExpression[callee.property.name='showInputBox']", 'Use ask, which escapes what is quoted.'],
  [
    "AssignmentExpression[left.object.name='item'][left.property.name='text']:not(:has(CallExpression[callee.name='labelText']))",
    'The status bar shows icons: use labelText.',
  ],
].map(([selector, message]) => ({ selector, message }));

/** A window is drawn when VS Code gets to it: a slow machine would show what was there before. */
const readOnce = [
  "CallExpression[callee.object.name='assert'] AwaitExpression",
  "CallExpression[callee.name='assert'] AwaitExpression",
].map((selector) => ({
  selector,
  message: 'Read the window until it is as expected: expect(locator), expect.poll or eventually.',
}));

/** What has one way, in src/vscode, which is the only place that uses the other. */
const habits = [
  [
    'registerCommand',
    'registerCommand of src/vscode/commands.ts, which knows the ids and shows failures',
  ],
  ['showErrorMessage', 'showFailure of src/vscode/notifications.ts'],
  ['getConfiguration', 'src/vscode/settings.ts, which reads and writes settings'],
].map(([name, one]) => ({
  selector: `CallExpression[callee.property.name='${name}']`,
  message: `Use ${one}.`,
}));
habits.push({
  selector:
    'CallExpression[callee.property.name=/^(get|update)$/]:matches([callee.object.name=/^(workspaceState|globalState|memento)$/], [callee.object.property.name=/^(workspaceState|globalState|memento)$/])',
  message: 'Use StoredValue of src/base/storedValue.ts, which validates what is stored.',
});
habits.push({
  selector: "CallExpression[callee.property.name='executeCommand'] > Literal[value='setContext']",
  message: 'Use contextKey of src/vscode/contextKeys.ts, which knows the keys.',
});

/** Also in pages. */
const messagesByKind = {
  selector: 'SwitchStatement > MemberExpression.discriminant[object.name=/^(message|request)$/]',
  message: 'Handle messages by HandlersOf of src/logs/explorer/protocol/messages.ts.',
};
habits.push(messagesByKind);

/** A plain error is a fault of ours: its message is not translated and is only in the diagnostics. */
const plainErrors = {
  selector:
    "ThrowStatement > NewExpression.argument[callee.name='Error'], NewExpression[callee.name='Error'] > CallExpression.arguments",
  message: 'Use UserError, whose message says in the language of the user what to do.',
};
const oneWay = [...untrusted, ...habits, plainErrors];

/** Where a browser takes texts that it shows or reads out. */
const shownByTheBrowser =
  '/^(text|textContent|innerText|title|placeholder|alt|label|aria(Label|Description|RoleDescription|ValueText|Placeholder))$/';
const shownAttributes =
  '/^(title|placeholder|alt|label|aria-(label|description|roledescription|valuetext))$/';
const hardCodedInPages = [
  ...writtenOut(`Property[key.name=${shownByTheBrowser}]`, 'value'),
  ...writtenOut(`Property[key.value=${shownAttributes}]`, 'value'),
  ...writtenOut(`AssignmentExpression[left.property.name=${shownByTheBrowser}]`, 'right'),
  ...[
    `CallExpression[arguments.0.value=${shownAttributes}][callee.property.name='setAttribute']`,
    `CallExpression[arguments.1.value=${shownAttributes}][callee.name='setAttribute']`,
  ].flatMap((place) => writtenOut(place, 'arguments:last-child')),
  ...writtenOut("CallExpression[callee.name='setText']", 'arguments'),
  // In a template: between tags, and in an attribute.
  ...[
    '>[^<]*[A-Za-z]{2}',
    '^[^<>=]*[A-Za-z]{2}[^<>=]*<',
    String.raw`\s(title|placeholder|alt|label|aria-(label|description|valuetext))="[^"]*[A-Za-z]{2}`,
  ].map(
    (text) =>
      `TaggedTemplateExpression[tag.name=/^(html|svg)$/] TemplateElement[value.raw=/${text}/]`,
  ),
].map((selector) => ({
  selector,
  message: 'Visible text: a page gets its texts from its panel, by id.',
}));

/** What a column differs in is declared in one place; all others ask for its kind. */
const columns = String.raw`Literal[value=/^(timestamp|severity|workload)$/]`;
const namedColumns = ['BinaryExpression', 'SwitchCase', 'CallExpression'].map((place) => ({
  selector: `${place} > ${columns}`,
  message: 'What columns and fields differ in is declared in columnKinds.ts and recordFields.ts.',
}));

const onlyTheClient = {
  name: 'openapi-fetch',
  message: 'Only src/api/buildRequest.ts makes requests.',
};
const noEditor = {
  name: 'vscode',
  message: 'A core runs under plain mocha: only ui imports vscode.',
};
const coreKnows = [
  {
    // The ids of package.json are plain data.
    group: ['**/ui/**', '**/vscode/*', '!**/vscode/contributions'],
    message: 'A core does not import the user interface.',
  },
  { group: ['node:*'], message: 'A core runs in the web worker host: no Node modules.' },
];
const onlyDown = (room) => ({
  group: [
    ...rooms.slice(rooms.indexOf(room) + 1).map((higher) => `**/${higher}/**`),
    '**/extension',
  ],
  message: `src/${room} must not import this room: imports point one way.`,
});
const notInCore = ['fetch', 'setTimeout', 'setInterval', 'performance', 'process', 'Buffer'].map(
  (name) => ({ name, message: 'A core takes what it needs as an argument.' }),
);

/** The clock of this machine may be wrong, and the control plane's dates what is shown and searched. */
const localTime = [
  'CallExpression[callee.property.name="now"]:matches([callee.object.name=/^(Date|.*[cC]lock)$/], [callee.object.property.name=/[cC]lock$/])',
  "NewExpression[callee.name='Date'][arguments.length=0]",
].map((selector) => ({
  selector,
  message:
    'What the control plane dates is compared with serverNow() of the client or the session.',
}));
/** Where the clock of this machine is right: for its sleep, and between its windows. */
const localTimeIsRight = ['src/logs/tail/connectionAttempt.ts', 'src/activity/activity.ts'];
/** The rooms that use times of the control plane. */
const datedRooms = '{data,trees,logs,deployed,activity,pushes,actions,ai}';

const mayNotImport = (...patterns) => ({
  '@typescript-eslint/no-restricted-imports': ['error', { patterns }],
});

/** The rules of a room, and of its core, which is everything except its user interface. */
const roomRules = rooms.flatMap((room) => {
  const rulesOf = (ignores, paths, patterns, more) => ({
    files: [`src/${room}/**/*.ts`],
    ignores: ['src/api/buildRequest.ts', ...ignores],
    rules: { 'no-restricted-imports': ['error', { paths, patterns }], ...more },
  });
  const whole = rulesOf([], [onlyTheClient], [onlyDown(room)]);
  if (room === 'vscode') return [whole];
  const core = rulesOf(
    ['src/**/ui/**'],
    [onlyTheClient, noEditor],
    [onlyDown(room), ...coreKnows],
    { 'no-restricted-globals': ['error', ...notInCore] },
  );
  return [whole, core];
});

/** What is highest may import all others. */
const logRoomRules = logRooms.slice(0, -1).map((room, index) => ({
  files: [`src/logs/${room}/**/*.ts`],
  rules: mayNotImport({
    group: logRooms.slice(index + 1).map((higher) => `**/${higher}/**`),
    message: `src/logs/${room} must not import this room: imports point one way.`,
  }),
}));

/** Members are `private` in one way: by TypeScript, which also takes them as arguments of a constructor. */
const privateByKeyword = {
  meta: { type: 'suggestion', schema: [], messages: { keyword: 'Use the keyword private.' } },
  create: (context) => ({
    'PropertyDefinition > PrivateIdentifier.key, MethodDefinition > PrivateIdentifier.key': (
      node,
    ) => context.report({ node, messageId: 'keyword' }),
  }),
};

/** What these move is not clear: names say that, such as `read`, `markRead`, `request` and `remember`. */
const vague = /^(?:take|pass|hear|learn|tell)(?:s?$|[A-Z])|^(?:heard|told|mine)$/;
const sayWhatMoves = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      vague: 'Name what moves: read, request or remember instead of take, learn or note.',
      pair: 'Say what the two are, or a and b.',
    },
  },
  create: (context) => ({
    'FunctionDeclaration > .id, MethodDefinition > .key, PropertyDefinition > .key, TSPropertySignature > .key, VariableDeclarator > Identifier.id, :function > Identifier.params':
      (node) => {
        if (vague.test(node.name)) context.report({ node, messageId: 'vague' });
      },
    ':function, ArrayPattern'(node) {
      const [first, second] = node.params ?? node.elements;
      const isPair = first?.name === 'one' && second?.name === 'other';
      if (isPair) context.report({ node, messageId: 'pair' });
    },
  }),
};

/** The members of an object are spread for nothing but where the formatter breaks lines. */
const spreadLiteral = {
  meta: {
    type: 'layout',
    fixable: 'code',
    schema: [],
    messages: { literal: 'Write these members where they are: spread only what has a name.' },
  },
  create(context) {
    const { sourceCode } = context;
    return {
      'ObjectExpression > SpreadElement[argument.type="ObjectExpression"]'(node) {
        const members = node.argument.properties.map((member) => sourceCode.getText(member));
        const fix = (fixer) => fixer.replaceText(node, members.join(', '));
        context.report({ node, messageId: 'literal', fix });
      },
    };
  },
};

/** Where each kind of something is one object. */
const listings = 'src/data/listings.ts';
const entryKinds = ['src/pushes/pushKind.ts'].concat(
  readdirSync(`${root}/src/actions/kinds`).map((name) => `src/actions/kinds/${name}`),
);
/** The names of the kinds in a file, each a match of `pattern`. */
function kindsIn(file, pattern, code = readFileSync(`${root}/${file}`, 'utf8')) {
  return { file, kinds: new Set([...code.matchAll(pattern)].map(([, kind]) => kind)) };
}
const [, listingValues] = /interface ListingValues \{(.*?)\n\}/s.exec(
  readFileSync(`${root}/${listings}`, 'utf8'),
);
const kindModules = [
  kindsIn(listings, /^ {2}(\w+):/gm, listingValues),
  ...entryKinds.map((file) => kindsIn(file, /^ {2}name: '(\w+)'/gm)),
];

/** Nothing asks which kind something is: what differs between kinds is a member of their object. */
const kindsDeclaredOnce = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { kind: 'What is special about a kind is a member of its object in {{file}}.' },
  },
  create(context) {
    const check = (asked, literal, node) => {
      const name = asked.type === 'MemberExpression' ? asked.property.name : asked.name;
      if (name !== 'kind' || literal?.type !== 'Literal') return;
      for (const { file, kinds } of kindModules) {
        const isOwn = context.filename.endsWith(`/${file}`);
        if (kinds.has(literal.value) && !isOwn) {
          context.report({ node, messageId: 'kind', data: { file } });
        }
      }
    };
    return {
      BinaryExpression(node) {
        check(node.left, node.right, node);
        check(node.right, node.left, node);
      },
      SwitchCase: (node) => check(node.parent.discriminant, node.test, node),
    };
  },
};

const contract = JSON.parse(readFileSync(`${import.meta.dirname}/../src/api/openapi.json`, 'utf8'));
const operationNames = new Set(
  Object.values(contract.paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => operation['x-name']),
);
const permissions = new Set(contract.components.schemas.Permission.enum);

/** What differs between operations is in their table, and nothing else names what they need. */
const operationsDeclaredOnce = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      operation:
        'What is special about an operation is a member of its object in src/api/generated/operations.ts.',
      permission: 'Take the permission from its operation: operations.listResources.permission.',
    },
  },
  create: (context) => ({
    'BinaryExpression > Literal, SwitchCase > Literal.test': (node) => {
      if (operationNames.has(node.value)) context.report({ node, messageId: 'operation' });
    },
    Literal: (node) => {
      if (permissions.has(node.value)) context.report({ node, messageId: 'permission' });
    },
  }),
};

/** Records are objects with a severity and an id: which severity people see is decided in one place. */
const severityDecidedOnce = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      severity:
        'Use shownSeverity of src/logs/record/shownSeverity.ts, or withShownSeverity before: a body may know better.',
    },
  },
  create(context) {
    const { esTreeNodeToTSNodeMap, program } = context.sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const isRecord = (node) => {
      const type = checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(node));
      const parts = type.isUnion() ? type.types : [type];
      return parts.some((part) => part.getProperty('eventId') && part.getProperty('severity'));
    };
    const check = (node, record) => {
      if (isRecord(record)) context.report({ node, messageId: 'severity' });
    };
    return {
      "MemberExpression[property.name='severity']": (node) => check(node, node.object),
      "ObjectPattern > Property[key.name='severity']": (node) => check(node, node.parent),
    };
  },
};
/** What is asked for and exported is that of the control plane; a formatter gets a record that has the right one. */
const severityOfServer = [
  'src/logs/record/{shownSeverity,bodyLevel,logLine}.ts',
  'src/logs/query/matches.ts',
  'src/logs/explorer/{recordFields,recordRows}.ts',
];

const houseRules = {
  severity: severityDecidedOnce,
  private: privateByKeyword,
  spread: spreadLiteral,
  words: sayWhatMoves,
  kinds: kindsDeclaredOnce,
  operations: operationsDeclaredOnce,
};

export default defineConfig(
  { plugins: { house: { rules: houseRules } } },
  {
    ignores: [
      ...['**/node_modules/', 'dist/', 'coverage/', '.vscode-test/', 'src/**/generated/'],
      'test/control-plane/demo-workspace/',
    ],
  },
  { rules: recommended },
  ts.configs.strictTypeChecked,
  ts.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['.config/*.mjs', 'test/host/*.mjs'] },
        tsconfigRootDir: root,
      },
    },
    rules: {
      eqeqeq: 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/prefer-readonly': 'error',
      'house/private': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, argsIgnorePattern: '^_' },
      ],
    },
  },
  roomRules,
  logRoomRules,
  { files: ['src/**/*.ts'], rules: { 'house/kinds': 'error', 'house/operations': 'error' } },
  {
    files: ['src/**/*.ts', 'media/**/*.ts', 'test/host/**/*.ts', '.config/*.ts'],
    rules: { 'house/spread': 'error', 'house/words': 'error' },
  },
  {
    files: ['src/{logs,ai,pushes,deployed}/**/*.ts'],
    ignores: severityOfServer,
    rules: { 'house/severity': 'error' },
  },
  {
    files: [`src/${datedRooms}/**/*.ts`],
    ignores: localTimeIsRight,
    rules: { 'no-restricted-syntax': ['error', ...localTime] },
  },
  {
    files: ['src/vscode/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...hardCodedHere] },
  },
  {
    files: ['src/**/ui/**/*.ts', 'src/extension.ts'],
    rules: { 'no-restricted-syntax': ['error', ...hardCodedHere, ...oneWay] },
  },
  {
    files: [`src/${datedRooms}/**/ui/**/*.ts`],
    ignores: localTimeIsRight,
    rules: {
      'no-restricted-syntax': ['error', ...hardCodedHere, ...oneWay, ...localTime],
    },
  },
  {
    files: ['src/logs/explorer/protocol/{messages,comparisonMessages,view}.ts'],
    rules: mayNotImport({
      regex: '^\\.(?!/(messages|view)$)|^(vscode$|node:)',
      message: 'The page imports this file too.',
    }),
  },
  {
    files: ['media/**/*.ts'],
    rules: {
      ...mayNotImport(
        { regex: '^vscode$|^node:', message: 'A page runs in a browser.' },
        {
          regex:
            '/src/(?!logs/(record/severity|explorer/(protocol/(messages|comparisonMessages|view)|ui/pageStrings))$)',
          message: 'A page imports only the messages of its panel.',
        },
        {
          regex: '/src/.*/pageStrings$',
          allowTypeImports: true,
          message: 'The texts of a page arrive with the first message.',
        },
      ),
      'no-restricted-syntax': ['error', ...waysToMarkup, ...hardCodedInPages, messagesByKind],
    },
  },
  {
    files: ['media/**/*.ts'],
    ignores: ['media/logExplorer/columnKinds.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[...waysToMarkup, ...hardCodedInPages, ...namedColumns],
        messagesByKind,
      ],
    },
  },
  {
    files: ['src/logs/explorer/*.ts'],
    ignores: ['src/logs/explorer/recordFields.ts'],
    rules: { 'no-restricted-syntax': ['error', ...localTime, ...namedColumns] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['test/{browser,pages}/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...readOnce] },
  },
  {
    files: ['**/*.mjs'],
    extends: [ts.configs.disableTypeChecked],
    rules: { 'no-restricted-exports': 'off', 'no-undef': 'off' },
  },
);
