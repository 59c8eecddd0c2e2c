import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setImmediate as setTurn } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import { cellText, csvStream } from './csv-rows';

const csv = (rows: object[], columns: string[]): Promise<string> => text(csvStream(rows, columns));

describe('csvStream', () => {
  it('writes a header row and CRLF, quoting as RFC 4180 asks', async () => {
    const rows = [
      { id: 1, name: 'Plain' },
      { id: 2, name: 'Comma, "quote"' },
      { id: 3, name: 'two\r\nlines' },
      { id: 4, name: null },
    ];
    expect(await csv(rows, ['id', 'name'])).toBe(
      'id,name\r\n1,Plain\r\n2,"Comma, ""quote"""\r\n3,"two\r\nlines"\r\n4,\r\n',
    );
  });

  it('writes only the header for no rows', async () => {
    expect(await csv([], ['id', 'organisation.name'])).toBe('id,organisation.name\r\n');
  });

  it('keeps the columns whatever the rows hold', async () => {
    const rows = [
      { extra: 1, country: null },
      { country: { id: 'NL', name: 'Netherlands' } },
      { country: 'NL' },
    ];
    expect(await csv(rows, ['country.id', 'country.name'])).toBe(
      'country.id,country.name\r\n,\r\nNL,Netherlands\r\n,\r\n',
    );
  });

  it('takes 100,000 rows from the source no faster than they are read', async () => {
    let taken = 0;
    let written = 0;
    let mostAhead = 0;
    async function* source(): AsyncGenerator<object> {
      for (; taken < 100_000; taken += 1) {
        mostAhead = Math.max(mostAhead, taken - written);
        yield { id: taken, name: 'x'.repeat(50) };
      }
    }
    const slowReader = new Writable({
      write(chunk: Buffer, _encoding, done) {
        written += chunk.toString().split('\r\n').length - 1;
        void setImmediate().then(() => done());
      },
    });
    await pipeline(csvStream(source(), ['id', 'name']), slowReader);
    expect(written).toBe(100_001);
    // What fits into the buffers of the two streams, at some 57 bytes a row, and the chunk being made.
    expect(mostAhead).toBeLessThan(3_000);
  });

  /** A team of 9,900 members is one row of two megabytes. */
  it.each([
    ['a plain cell', 'Jan'],
    ['a quoted cell', 'Jan, "Piet"'],
  ])('lets others have their turn within large cells: %s', async (_, name) => {
    const paths = ['id', 'users.id', 'users.name', 'users.roles', 'ids'];
    let read = 0;
    const users = Array.from({ length: 9900 }, (__, id) => ({
      id,
      get name() {
        read++;
        return `${name} ${id}`;
      },
      get roles() {
        read++;
        return ['A', 'B'];
      },
    }));
    const row = { id: 1, users, ids: users.map(({ id }) => id) };
    let before = 0;
    let most = 0;
    let isRunning = true;
    const watch = (): void => {
      most = Math.max(most, read - before);
      before = read;
      if (isRunning) setTurn(watch);
    };
    setTurn(watch);
    const written = await csv([row], paths);
    isRunning = false;
    expect(read).toBe(2 * 9900);
    expect(most).toBeLessThanOrEqual(1000);
    const cell = users.map((user) => `${name} ${user.id}`).join(';');
    const ids = users.map(({ id }) => id).join(';');
    expect(written).toBe(
      [
        `${paths.join(',')}\r\n1`,
        ids,
        name === 'Jan' ? cell : `"${cell.replaceAll('"', '""')}"`,
        users.map(() => 'A;B').join(';'),
        `${ids}\r\n`,
      ].join(','),
    );
  });

  it('lets others have their turn between chunks, however fast the reader is', async () => {
    let taken = 0;
    function* source(): Generator<object> {
      for (; taken < 20_000; taken++) yield { id: taken, text: 'x'.repeat(2000) };
    }
    let before = 0;
    let most = 0;
    let isRunning = true;
    const watch = (): void => {
      most = Math.max(most, taken - before);
      before = taken;
      if (isRunning) setTurn(watch);
    };
    setTurn(watch);
    const fast = new Writable({ highWaterMark: 1e9, write: (_chunk, _encoding, done) => done() });
    await pipeline(csvStream(source(), ['id', 'text']), fast);
    isRunning = false;
    expect(taken).toBe(20_000);
    expect(most).toBeLessThan(20);
  });

  it('ends the source when the reader goes away', async () => {
    let taken = 0;
    let ended = false;
    async function* source(): AsyncGenerator<object> {
      try {
        for (; taken < 100_000; taken += 1) yield { id: taken };
      } finally {
        ended = true;
      }
    }
    const hangUp = new Writable({ write: (_chunk, _encoding, done) => done(new Error('gone')) });
    await expect(pipeline(csvStream(source(), ['id']), hangUp)).rejects.toThrow('gone');
    while (!ended) await setImmediate();
    expect(taken).toBeLessThan(50_000);
  });

  it('passes a failure of the source on', async () => {
    async function* source(): AsyncGenerator<object> {
      yield { id: 1 };
      throw new Error('database went away');
    }
    await expect(text(csvStream(source(), ['id']))).rejects.toThrow('database went away');
  });
});

describe('cellText', () => {
  const user = {
    roles: ['ROLE_MAIL', 'ROLE_APP'],
    teams: [],
    active: false,
    balance: -5,
    users: [
      { id: 1, email: 'a@b.example' },
      { id: 2, email: null },
      { id: 3, email: 'c@d.example' },
    ],
    groups: [{ domains: [{ id: 1 }, { id: 2 }] }, { domains: [{ id: 3 }] }],
    params: { name: 'x', deep: [1] },
    shortcuts: [{ path: '/a' }],
    organisation: { id: 7, reseller: null },
  };

  it.each([
    ['roles', 'ROLE_MAIL;ROLE_APP'],
    ['teams', ''],
    ['teams.id', ''],
    ['active', 'false'],
    ['balance', '-5'],
    ['users.id', '1;2;3'],
    ['users.email', 'a@b.example;;c@d.example'],
    ['groups.domains.id', '1;2;3'],
    ['params', '{"name":"x","deep":[1]}'],
    ['shortcuts', '[{"path":"/a"}]'],
    ['organisation.id', '7'],
    ['organisation.reseller.name', ''],
    ['missing', ''],
    ['toString', ''],
    ['active.length', ''],
  ])('%s gives %j', (path, cell) => {
    expect(cellText(user, path.split('.'))).toBe(cell);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+31612345678', "'+31612345678"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ['  =1+1', "'  =1+1"],
    ['\u00a0=1+1', "'\u00a0=1+1"],
    ['\uff1d1', "'\uff1d1"],
    ['a;=1+1', "a;'=1+1"],
    ['a\r\n=1+1', "a\r\n'=1+1"],
    ['a\n =1+1', "a\n' =1+1"],
    ['a=b', 'a=b'],
    ['a-b+c@d', 'a-b+c@d'],
    ["'=1", "'=1"],
    ['', ''],
  ])('a spreadsheet does not calculate %j', (name, cell) => {
    expect(cellText({ name }, ['name'])).toBe(cell);
  });

  it('guards every item of a list', () => {
    expect(cellText({ names: ['=1', 'b', '@c'] }, ['names'])).toBe("'=1;b;'@c");
  });
});
