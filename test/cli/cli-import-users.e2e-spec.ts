import { makeOrganisation, makeUser, nextNumber, PASSWORD } from '../support/factories/factories';
import { type CliResult, runCli, startCli } from '../support/service/cli';
import { anonymous, asAdmin, loggedIn } from '../support/service/client';
import { connectTo } from '../support/service/databases';
import { useFiles } from '../support/service/files';
import { useService } from '../support/service/service';
import { until } from '../support/service/until';

/** Hashes of {@link PASSWORD}: `$1$`, `$5$` and `$6$` by `openssl passwd`, `$2y$` by libxcrypt's crypt(3). */
const HASHES = {
  $1$: '$1$Zp3kWq81$tVo2jkEj/paZhLGHi4q4q.',
  $5$: '$5$Zp3kWq81$wxV..DQlnBEBDX9hYCv.j2SaLOHNeM5nSJz99ODbRm9',
  $6$: '$6$Zp3kWq81$Y6.zFOVIsjdZpSoyV5QQYc56FqbKMq/MX2sdW7.j.vdX.piG4qbNAV5m3tvSOXwiLc474Se0MFxddYBg8Wopo0',
  $2y$: '$2y$04$abcdefghijklmnopqrstuu9GJiPsYrQdlHs8N4ultK1m2w1lisxxi',
};
const HASH = HASHES['$1$'];
const HEADER =
  'organisationId,username,firstName,lastName,passwordHash,language,roles,enabled,websiteOrderInfo';

const service = useService('A');
let organisationId: number;
const files = useFiles();

beforeEach(async () => {
  organisationId = await makeOrganisation(service);
});

const newName = (): string => `taken.over${nextNumber()}@example.com`;
const importFile = (path: string, ...flags: string[]): Promise<CliResult> =>
  runCli(service.database, ['import-users', path, '--json', ...flags]);
const importText = (name: string, content: string | Buffer, ...flags: string[]): Promise<CliResult> =>
  importFile(files.write(name, content), ...flags);
const csv = (...rows: string[]): string => [HEADER, ...rows].join('\n');
const row = (username: string, rest = `Jan,de Vries,${HASH},,,,`): string =>
  `${organisationId},${username},${rest}`;
const usersOf = (id = organisationId) =>
  service.sql<{ id: number; username: string }>(
    `SELECT id, username, first_name, last_name, language, roles, enabled, password_hash, website_order_information
     FROM users WHERE organisation_id = $1 ORDER BY id`,
    [id],
  );
const contactsOf = (id = organisationId) =>
  service.sql`SELECT u.username, c.type, c.name, cardinality(c.groups)::integer AS groups
     FROM contacts c JOIN users u ON u.id = c.user_id WHERE u.organisation_id = ${id} ORDER BY u.id`;

describe('cli import-users', () => {
  it.each(Object.entries(HASHES))(
    'takes a user with a %s hash over: POST /login is 200 and replaces the hash',
    async (_, hash) => {
      const username = newName();
      const result = await importText('one.csv', csv(row(username, `Jan,de Vries,${hash},,,,`)));
      expect(result).toMatchObject({ exitCode: 0, messages: [] });
      expect(result.report).toEqual({ dryRun: false, stored: 1, kept: 0, refused: 0, refusedRows: [] });
      expect(await usersOf()).toEqual([expect.objectContaining({ username, password_hash: hash })]);
      await anonymous(service)
        .post('/login', { username, password: `${PASSWORD}x` })
        .expect(401);
      await loggedIn(service, username, PASSWORD);
      const [{ password_hash: own } = {}] = (await usersOf()) as { password_hash?: string }[];
      expect(own).toMatch(/^\$2b\$04\$/);
      await loggedIn(service, username, PASSWORD);
    },
  );

  it('reads every field, of csv as spreadsheets write it and of JSON lines alike', async () => {
    const names = [newName(), newName()] as const;
    const other = await makeOrganisation(service);
    const fromCsv = [
      `\uFEFF${HEADER.replaceAll(',', ';').replace('passwordHash', 'cp3Password')}`,
      `${organisationId};${names[0]};"José ""Pepe""";"van ""t; Hof";${HASH};fr;ROLE_MAIL,ROLE_CUSTADMIN;false;"two`,
      `lines"`,
      '',
    ].join('\r\n');
    const fromJson = {
      organisationId: other,
      username: names[1],
      firstName: 'José "Pepe"',
      lastName: 'van "t; Hof',
      cp3Password: HASH,
      language: 'fr',
      roles: ['ROLE_MAIL', 'ROLE_CUSTADMIN'],
      enabled: false,
      websiteOrderInfo: 'two\nlines',
    };
    const results = [
      await importText('spreadsheet.csv', fromCsv),
      await importText('rows.jsonl', `\n${JSON.stringify(fromJson)}\n`),
    ];
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const expected = {
      id: expect.any(Number),
      first_name: 'José "Pepe"',
      last_name: 'van "t; Hof',
      language: 'fr',
      roles: ['ROLE_MAIL', 'ROLE_CUSTADMIN'],
      enabled: false,
      password_hash: HASH,
      website_order_information: 'two\nlines',
    };
    expect(await usersOf()).toEqual([
      { ...expected, username: names[0], website_order_information: 'two\r\nlines' },
    ]);
    expect(await usersOf(other)).toEqual([{ ...expected, username: names[1] }]);
    await anonymous(service).post('/login', { username: names[0], password: PASSWORD }).expect(401);
  });

  it('gives a user of an address a contact, one of a login name none, and mails nobody', async () => {
    const address = newName();
    const loginName = `jan${nextNumber()}`;
    await importText('two.csv', csv(row(address), row(loginName)));
    expect(await contactsOf()).toEqual([{ username: address, type: 'email', name: address, groups: 7 }]);
    expect(await service.sql`SELECT 1 FROM notifications WHERE organisation_id = ${organisationId}`).toEqual(
      [],
    );
    await loggedIn(service, loginName, PASSWORD);
    const admin = await asAdmin(service);
    const { body } = await admin.get(`/organisations/${organisationId}/users`).expect(200);
    expect((body as { users: { username: string }[] }).users.map(({ username }) => username)).toEqual([
      address,
      loginName,
    ]);
  });

  it('names every bad row with line and reason, takes all others over, and exits with 3', async () => {
    const taken = await makeUser(service, { organisationId: await makeOrganisation(service) });
    const deleted = await makeOrganisation(service);
    await service.sql`UPDATE organisations SET deleted_at = now() WHERE id = ${deleted}`;
    const good = [newName(), newName(), newName()] as const;
    const tooLong = 'x'.repeat(256);
    const lines: [string, RegExp | undefined][] = [
      [row(good[0]), undefined],
      [row('no name'), /^username: .*login name or an e-mail address/],
      [row(newName(), `,de Vries,${HASH},,,,`), /^firstName: .*blank/],
      [row(newName(), `Jan,${tooLong},${HASH},,,,`), /^lastName: .*255/],
      [row(newName(), `Jan,de Vries,secret,,,,`), /^passwordHash: .*\$1\$/],
      [row(newName(), `Jan,de Vries,,,,,`), /^passwordHash: .*blank/],
      [row(newName(), `Jan,de Vries,${HASH},de,,,`), /^language: .*nl, en, fr/],
      [row(newName(), `Jan,de Vries,${HASH},,ROLE_KING,,`), /^roles: .*ROLE_KING/],
      [row(newName(), `Jan,de Vries,${HASH},,ROLE_ADMIN,,`), /^roles: .*operator organisation/],
      [row(newName(), `Jan,de Vries,${HASH},,,maybe,`), /^enabled: /],
      [`999999999,${newName()},Jan,de Vries,${HASH},,,,`, /^organisationId: .*does not exist/],
      [`${deleted},${newName()},Jan,de Vries,${HASH},,,,`, /^organisationId: .*does not exist/],
      [`${newName()},Jan`, /2 cells, but the header has 9/],
      [row(newName(), `"Jan" x,de Vries,${HASH},,,,`), /closing quote/],
      [row(newName(), `J\0n,de Vries,${HASH},,,,`), /^firstName: .*cannot be stored/],
      [row(newName(), `J\tan,de Vries,${HASH},,,,`), /^firstName: .*control characters/],
      [row(newName(), `Jan,at https://x.example,${HASH},,,,`), /^lastName: .*link/],
      [row(newName(), `Jan,de Vries,${HASH},de,ROLE_KING,maybe,`), /^(?=.*language: )(?=.*enabled: )/],
      [row(taken.username.toUpperCase()), /^username: .*already taken by a user of organisation/],
      [row(good[1]), undefined],
      [row(good[1].toUpperCase()), /^username: .*already taken by a row above/],
      [row(good[2]), undefined],
    ];
    const result = await importText('bad.csv', csv(...lines.map(([line]) => line)));
    expect(result.exitCode).toBe(3);
    const refused = lines.flatMap(([, reason], position) =>
      reason === undefined ? [] : [{ line: position + 2, reason: expect.stringMatching(reason) }],
    );
    const { refusedRows, ...counts } = result.report as { refusedRows: { line: number; reason: string }[] };
    expect(refusedRows).toEqual(refused);
    expect(counts).toEqual({ dryRun: false, stored: 3, kept: 0, refused: refused.length });
    // A name follows the line where the row has one.
    expect(result.messages.map((message) => message.replace(/^(line \d+) \(.*?\): /, '$1: '))).toEqual(
      refusedRows.map(({ line, reason }) => `line ${line}: ${reason}`),
    );
    expect((await usersOf()).map(({ username }) => username)).toEqual(good);
    expect((await contactsOf()).map(({ name }) => name)).toEqual(good);
  });

  it('names bad lines of JSON, and --ignore-unknown takes unknown fields', async () => {
    const good = {
      organisationId,
      username: newName(),
      firstName: 'Jan',
      lastName: 'Smit',
      passwordHash: HASH,
    };
    const lines = [
      '{',
      '[]',
      JSON.stringify({ ...good, rolls: 'x' }),
      JSON.stringify({ ...good, roles: { a: 1 } }),
    ];
    const latin1 = Buffer.from(JSON.stringify({ ...good, firstName: 'José' }), 'latin1');
    const content = Buffer.concat([
      Buffer.from(`${lines.join('\n')}\n`),
      latin1,
      Buffer.from(`\n${JSON.stringify(good)}`),
    ]);
    const result = await importText('bad.jsonl', content);
    expect(result.report).toEqual({
      dryRun: false,
      stored: 1,
      kept: 0,
      refused: 5,
      refusedRows: [
        { line: 1, reason: 'it is not JSON' },
        { line: 2, reason: 'it is not a JSON object' },
        { line: 3, reason: 'rolls: This field is not known.' },
        { line: 4, reason: 'roles: This value should be a list of role names.' },
        { line: 5, reason: 'it is not UTF-8' },
      ],
    });
    const lenient = await importText(
      'unknown.jsonl',
      JSON.stringify({ ...good, username: newName(), rolls: 'x' }),
      '--ignore-unknown',
    );
    expect(lenient.report).toMatchObject({ stored: 1, refused: 0 });
  });

  it.each([
    ['', /empty/],
    [`${HEADER},colour\n`, /"colour"/],
    [`${HEADER},roles\n`, /"roles" twice/],
    [`${HEADER.replace('username,', '')}\n`, /lacks the column username/],
    [`${HEADER.replace('passwordHash,', '')}\n`, /lacks the column passwordHash or cp3Password/],
  ])('exits with 2 where the header does not fit: %j', async (content, sentence) => {
    const { exitCode, messages, output } = await importText('header.csv', content);
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: '' });
    expect(messages.at(-1)).toMatch(sentence);
  });

  it('reads no further than a quote that is never closed', async () => {
    const good = newName();
    const lines = [row(good), row(newName(), `"Jan,de Vries,${HASH},,,,`), row(newName())];
    const result = await importText('quote.csv', csv(...lines));
    expect(result.report).toMatchObject({
      stored: 1,
      refusedRows: [{ line: 3, reason: 'a quote is opened and never closed' }],
    });
  });

  it('--dry-run writes nothing, and finds the same', async () => {
    const present = await makeUser(service, { organisationId });
    const content = csv(row(newName()), row('no name'), row(present.username));
    const before = await service.sql(`SELECT last_value FROM users_id_seq`);
    const result = await importText('dry.csv', content, '--dry-run');
    expect(result.exitCode).toBe(3);
    expect(result.report).toMatchObject({ dryRun: true, stored: 1, kept: 1, refused: 1 });
    expect(await usersOf()).toHaveLength(1);
    expect(await contactsOf()).toEqual([]);
    expect(await service.sql(`SELECT last_value FROM users_id_seq`)).toEqual(before);
  });

  it('ends after the rows in hand at SIGINT, and says how to go on', async () => {
    const names = Array.from({ length: 2600 }, newName);
    const path = files.write('interrupted.csv', csv(...names.map((name) => row(name))));
    const { child, ended } = startCli(service.database, ['import-users', path]);
    while ((await usersOf()).length === 0);
    child.kill('SIGINT');
    const { exitCode, messages, output } = await ended;
    const written = (await usersOf()).length;
    expect(written).toBeLessThan(names.length);
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' });
    expect(messages).toEqual([
      `So far: ${written} stored, 0 there already, 0 refused`,
      'error: interrupted: run the same command again to continue',
    ]);
    expect(await contactsOf()).toHaveLength(written);
  });

  it('goes on where a run was killed, and leaves what is there as it is', async () => {
    const names = Array.from({ length: 2600 }, newName);
    const path = files.write('many.csv', csv(...names.map((name) => row(name))));
    const first = await killedImport(path);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(names.length);
    // Nothing is half-written: every user has its contact.
    expect(await contactsOf()).toHaveLength(first);
    await service.sql`UPDATE users SET first_name = 'Changed' WHERE username = ${names[0]}`;
    const second = await importFile(path);
    expect(second).toMatchObject({ exitCode: 0, messages: [] });
    expect(second.report).toMatchObject({ stored: names.length - first, kept: first, refused: 0 });
    expect(await contactsOf()).toHaveLength(names.length);
    expect(await usersOf()).toEqual(
      names.map((username, position) =>
        expect.objectContaining({ username, first_name: position === 0 ? 'Changed' : 'Jan' }),
      ),
    );
    expect((await importFile(path)).report).toMatchObject({ stored: 0, kept: names.length });
  });

  it('loses one row alone where the database refuses it, not its batch', async () => {
    await service.sql(`ALTER TABLE users ADD CONSTRAINT users_not_this_one CHECK (first_name <> 'Unwanted')`);
    try {
      const names = [newName(), newName(), newName()] as const;
      const unwanted = row(names[1], `Unwanted,de Vries,${HASH},,,,`);
      const result = await importText('refused.csv', csv(row(names[0]), unwanted, row(names[2])));
      expect(result.exitCode).toBe(3);
      expect(result.report).toMatchObject({ stored: 2, refusedRows: [{ line: 3 }] });
      expect((await usersOf()).map(({ username }) => username)).toEqual([names[0], names[2]]);
    } finally {
      await service.sql('ALTER TABLE users DROP CONSTRAINT users_not_this_one');
    }
  });

  it('lets one import run at a time', async () => {
    const path = files.write('both.csv', csv(row(newName())));
    const holder = await connectTo(service.database.url);
    await holder.query('SELECT pg_advisory_lock(7218450010)');
    const refused = await importFile(path);
    expect(refused).toMatchObject({
      exitCode: 1,
      messages: [expect.stringContaining('another import of users')],
    });
    await holder.end();
    expect((await importFile(path)).exitCode).toBe(0);
  });

  /** Runs an import until it has written some of its users, kills it, and gives their number. */
  async function killedImport(path: string): Promise<number> {
    const { child, ended } = startCli(service.database, ['import-users', path]);
    let written = 0;
    while (written === 0) written = (await usersOf()).length;
    child.kill('SIGKILL');
    await ended;
    await untilGone();
    return (await usersOf()).length;
  }

  /** The server notices the end of a client when it next writes to it. */
  async function untilGone(): Promise<void> {
    await until(async () => {
      const held = await service.sql(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 7218450010 % 4294967296`,
      );
      return held.length === 0;
    });
  }
});
