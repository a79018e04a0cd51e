import path from 'node:path';
import { assert } from 'chai';
import ts from 'typescript';
import { gluedTexts } from '../host/gluedTexts';

const root = path.resolve(__dirname, '../..');

/** The glued texts of a file with this code. */
function glued(code: string): readonly string[] {
  const name = path.join(root, 'src/a.ts');
  const host = ts.createCompilerHost({});
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (file, version) =>
    file === name ? ts.createSourceFile(file, code, version) : read(file, version);
  return gluedTexts(ts.createProgram([name], { noLib: true, types: [] }, host), root);
}

describe('No text is a part of another', () => {
  it('is held for constants, functions and joined parts', () => {
    const found = glued(`
      const ahead = counted(2, '{0} ahead', '{0} ahead');
      function words(n: number) { if (n > 1) return plainText(t('many')); return ''; }
      t('HEAD is {0}', joined([ahead], ', '));
      t('Runs {0} here', words(3));
      counted(3, '{0} of {1}', '{0} of {1}', t('everything'));`);
    assert.deepEqual(found, [
      'src/a.ts:4: "{0} ahead" is a part of "HEAD is {0}"',
      'src/a.ts:5: "many" is a part of "Runs {0} here"',
      'src/a.ts:6: "everything" is a part of "{0} of {1}"',
    ]);
  });

  it('lets a place have a name, a number, or what stands by itself', () => {
    const found = glued(`
      const serverName = () => t('Server');
      t('Clean up {0} on {1}', number(3), serverName());
      t('Found: {0}.', counted(3, '{0} server', '{0} servers'));
      t('{0} Press Enter again.', t('There is no answer.'));
      t('Following {0} failed. {1}', name, t('You are signed out.'));`);
    assert.deepEqual(found, []);
  });

  it('is so in the code', () => {
    const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) =>
      ts.sys.readFile(file),
    ) as {
      readonly config: unknown;
    };
    const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    const source = path.join(root, 'src');
    const files = fileNames.filter((file) => path.resolve(file).startsWith(source));
    assert.isAbove(files.length, 100);
    // The texts need no types of what runs them.
    const program = ts.createProgram(files, { ...options, types: [] });
    assert.deepEqual(gluedTexts(program, source), []);
  });
});
