import path from 'node:path';
import { createPackage } from './vsix';

createPackage()
  .then(({ file, bytes, files }) => {
    console.log(files.map((name) => `  ${name}`).join('\n'));
    console.log(`${path.basename(file)}  ${(bytes / 1024).toFixed(1)} KB`);
  })
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
