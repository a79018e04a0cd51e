#!/usr/bin/env node
// Replaces the executable of a desktop VS Code: takes the same options and runs the same tests in
// an editor from the npm registry. `runTests` of @vscode/test-electron starts it.
await import('tsx');
await import('./launcher.ts');
