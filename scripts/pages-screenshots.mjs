// npm run pages:screenshots: pictures of every state of every page, and of every mail, in Chromium, at
// two widths, light and dark.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { assertNodeVersion } from './node-version.mjs';
import { readWords } from './words.mjs';

assertNodeVersion();
const { positionals } = readWords('npm run pages:screenshots -- [FOLDER], by default reports/pages', {
  words: 1,
});
const { installWhenMissing, root } = await import('./prepare.mjs');
const { execute } = await import('./run.mjs');
await installWhenMissing();

const folder = resolve(positionals[0] ?? join(root, 'reports/pages'));
const { status } = await execute(
  process.execPath,
  [
    join(root, 'node_modules/jest/bin/jest.js'),
    '--selectProjects=e2e',
    '--runInBand',
    '--testPathPatterns=test/(pages|mail|brands)/long/.*-browser',
  ],
  { cwd: root, env: { ...process.env, PAGES_SCREENSHOTS: folder } },
);
const pictures = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.png')) : [];
console.log(
  pictures.length > 0
    ? `${pictures.length} pictures in ${folder}`
    : 'No pictures: this takes Chromium (apt-get install chromium)',
);
process.exitCode = pictures.length > 0 ? status : 1;
