import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { limitsDocument } from '../scripts/limits.cjs';
import { startTestService, type TestService } from './support/service';

const ROOT = resolve(__dirname, '..');

/** Tables without the blanks and dashes that prettier lines them up with. */
const bare = (text: string): string => text.replaceAll(/[ \t]+/g, ' ').replaceAll(/-{3,}/g, '---');

describe('docs/limits.md', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('A');
  });
  afterAll(() => service.stop());

  const page = readFileSync(join(ROOT, 'docs/limits.md'), 'utf8');

  it('says what the constants say (npm run docs:limits)', () => {
    expect(bare(page)).toBe(bare(limitsDocument()));
  });

  it('says of every limit what it is', () => {
    const withoutWords = page.split('\n').filter((line) => /^\| `\w+`/.test(line) && / \|\s+\| `/.test(line));
    expect(withoutWords).toEqual([]);
  });

  it('has the amounts that the database holds', async () => {
    const triggers = await service.sql<{ table: string; arguments: string }>(
      `SELECT tgrelid::regclass::text AS table, encode(tgargs, 'escape') AS arguments FROM pg_trigger
       WHERE tgfoid = 'limit_rows'::regproc ORDER BY 1`,
    );
    const held = triggers.map((trigger) => {
      const [owner = '', most = ''] = trigger.arguments.split('\\000');
      return `${owner.replace('_id', '')} ${trigger.table} ${Number(most).toLocaleString('en')}`;
    });
    const printed = [...page.matchAll(/^\| (\w+)\s+\| `(\w+)`\s+\| ([\d,]+)/gm)].map(
      ([, owner, table, most]) => `${owner} ${table} ${most}`,
    );
    expect(printed.length).toBeGreaterThan(6);
    expect(new Set(held)).toEqual(new Set(printed));
  });
});
