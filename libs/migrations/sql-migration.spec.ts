import { createHash } from 'node:crypto';
import { MIGRATIONS } from './all';
import { SqlMigration } from './sql-migration';

class Made extends SqlMigration {
  constructor(readonly steps: readonly string[]) {
    super();
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

const digestOf = (...steps: readonly string[]): string => new Made(steps).digest();

describe('the digest of a migration', () => {
  it('is that of its SQL, whatever ends the lines of a checkout', () => {
    const sql = 'CREATE TABLE a ();\n-- b\n';
    expect(digestOf(sql)).toBe(createHash('sha256').update(`${sql}\0`).digest('hex'));
    expect(digestOf(sql.replaceAll('\n', '\r\n'))).toBe(digestOf(sql));
  });

  it('tells apart other words, comments, orders and parts', () => {
    const digests = [
      digestOf('SELECT 1;', 'SELECT 2;'),
      digestOf('SELECT 2;', 'SELECT 1;'),
      digestOf('SELECT 1;SELECT 2;'),
      digestOf('SELECT 1;', 'SELECT 2; -- two'),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('is another one for each migration of the build', () => {
    const digests = MIGRATIONS.map((Migration) => new Migration().digest());
    expect(digests).toEqual(digests.map(() => expect.stringMatching(/^[0-9a-f]{64}$/) as string));
    expect(new Set(digests).size).toBe(MIGRATIONS.length);
  });
});
