import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VARIANTS } from '../../qa/variants';
import { BREAKS } from './breaks.mjs';

const root = join(__dirname, '../..');
/** The copy of the tree without Variant B has none of its tests. */
const isHere = (path: string): boolean =>
  VARIANTS.some((variant: string) => variant === 'B') || !path.includes('.variant-b.');

it.each(BREAKS)('there is still a line to break, and a test to see it: $breaks', ({ file, line, tests }) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(line);
  expect(tests.filter(isHere).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
