import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BREAKS } from './breaks.mjs';

const root = join(__dirname, '../..');

it.each(BREAKS)('there is still a line to break, and a test to see it: $breaks', ({ file, line, tests }) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(line);
  expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
