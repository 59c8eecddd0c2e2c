import { existsSync, readFileSync, statSync } from 'node:fs';
import { makeOrganisation, nextNumber } from '../support/factories/factories';
import { type CliResult, runCli } from '../support/service/cli';
import { useFiles } from '../support/service/files';
import { ADMIN, useService } from '../support/service/service';

const HASH = '$1$Zp3kWq81$tVo2jkEj/paZhLGHi4q4q.';
const service = useService('A');
const files = useFiles();

let base = 0;
beforeEach(() => {
  base += 10_000;
});

const run = (...args: string[]): Promise<CliResult> => runCli(service.database, args);
const newFile = (extension: string): string => files.path(`refused${nextNumber()}.${extension}`);

describe('refused rows of cli import', () => {
  it('organisations: are named by line, id and value, in the order of the file, with all faults', async () => {
    const organisations = [
      'id,name,taxNumber,parentOrganisation,resellerOrganisation,organisationType,invoiceDayMin,invoiceDayMax',
      `${base + 2},Child,NL1,${base + 1},,1,,`,
      `${base + 3},Grandchild,NL1,${base + 2},,1,,`,
      `${base + 1},Parent,,,,1,9,3`,
      `${base + 5},Below a type,NL1,${base + 4},,1,,`,
      `${base + 4},Type,NL1,9999,8888,77,,`,
      `${base + 6},"Good",NL1,,,1,,`,
      `${base + 7},Day,NL1,,,1,9,soon`,
    ];
    const result = await run(
      'import-organisations',
      files.write('tree.csv', organisations.join('\n')),
      '--dry-run',
    );
    const itself = (line: number, id: number) =>
      `parentOrganisation: Organisation ${base + id} is refused itself (line ${line}).`;
    const nowhere = (id: number) => `Organisation ${id} is neither in the file nor in the database.`;
    expect(result.messages).toEqual([
      `line 2 (id ${base + 2}, name Child, parentOrganisation ${base + 1}): ${itself(4, 1)}`,
      `line 3 (id ${base + 3}, name Grandchild, parentOrganisation ${base + 2}): ${itself(2, 2)}`,
      `line 4 (id ${base + 1}, name Parent, invoiceDayMin 9): taxNumber: This value should not be blank.; ` +
        'invoiceDayMin: This value should not be above invoiceDayMax.',
      `line 5 (id ${base + 5}, name "Below a type", parentOrganisation ${base + 4}): ${itself(6, 4)}`,
      `line 6 (id ${base + 4}, name Type, organisationType 77, parentOrganisation 9999, resellerOrganisation 8888): ` +
        `organisationType: This organisation type does not exist.; parentOrganisation: ${nowhere(9999)}; ` +
        `resellerOrganisation: ${nowhere(8888)}`,
      expect.stringMatching(/^line 8 \(id \d+, name Day, invoiceDayMax soon\): invoiceDayMax: [^;]*$/),
    ]);
    expect(result.output).toBe(
      'Dry run, nothing is written: 1 would be stored, 0 there already, 6 would be refused\n',
    );
  });

  it('are named with faults of form and with records that do not exist in one run', async () => {
    const nowhere = 1_999_999_999;
    const known = await makeOrganisation(service);
    const faultsOf = async (kind: string, rows: readonly object[]): Promise<string[]> => {
      const text = rows.map((row) => JSON.stringify(row)).join('\n');
      const { messages } = await run(`import-${kind}`, files.write(`${kind}.jsonl`, text), '--dry-run');
      return messages.map((message) => message.replace(/^line \d+ \(.*?\): /, ''));
    };
    const fieldsOf = async (kind: string, rows: readonly object[]): Promise<string[][]> =>
      (await faultsOf(kind, rows)).map((faults) =>
        faults.split('; ').map((one) => one.slice(0, one.indexOf(':'))),
      );

    const organisation = { id: base + 1, name: 'Bad', taxNumber: 'T', country: 'ZZ' };
    const organisations = [
      {
        ...organisation,
        organisationType: 9,
        pricegroup: 8_888,
        parentOrganisation: nowhere,
        resellerOrganisation: base + 2,
      },
      { ...organisation, id: base + 2, organisationType: 'many', parentOrganisation: base + 3 },
      { id: base + 3, name: 'Good', taxNumber: 'T' },
    ];
    expect(await faultsOf('organisations', organisations)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^country: .*; parentOrganisation: Organisation ${nowhere} is neither in the file nor in the database\\.; ` +
            `resellerOrganisation: Organisation ${base + 2} is refused itself \\(line 2\\)\\.; ` +
            'organisationType: This organisation type does not exist\\.; pricegroup: ',
        ),
      ),
      expect.stringMatching(/^country: [^;]*; organisationType: [^;]*$/),
    ]);

    const user = { username: `a${base}@example.com`, firstName: 'A', lastName: 'B', passwordHash: HASH };
    const users = [
      { ...user, organisationId: nowhere, language: 'de' },
      { ...user, organisationId: known, language: 'de' },
      { ...user, organisationId: 'none', language: 'de' },
    ];
    expect(await fieldsOf('users', users)).toEqual([
      ['language', 'organisationId'],
      ['language'],
      ['organisationId', 'language'],
    ]);

    const contacts = [
      { username: 'nobody@example.com', type: 'email', name: 'no address' },
      { organisationId: nowhere, type: 'email', name: 'no address' },
      { organisationId: known, type: 'email', name: 'no address' },
      { username: ADMIN.username.toUpperCase(), type: 'email', name: 'no address' },
      { organisationId: nowhere, userId: nowhere, type: 'email', name: 'no address' },
    ];
    expect(await fieldsOf('contacts', contacts)).toEqual([
      ['name', 'username'],
      ['name', 'organisationId'],
      ['name'],
      ['name'],
      ['username', 'name'],
    ]);
    expect(await fieldsOf('sshkeys', [{ userId: nowhere, content: 'no key' }])).toEqual([
      ['content', 'userId'],
    ]);
    const apiKey = { userId: nowhere, name: 'Key', digest: 'no digest' };
    expect(await fieldsOf('apikeys', [apiKey])).toEqual([['digest', 'userId']]);

    const entities = [
      { kind: 'plane', id: 1, name: 'x', organisationId: nowhere, odd: 1 },
      { kind: 'plane', id: 'x', removed: 'perhaps', organisationId: nowhere },
      { kind: 'plane', id: 1, removed: true, organisationId: nowhere },
    ];
    expect((await fieldsOf('entities', entities)).map((fields) => [...fields].sort())).toEqual([
      ['kind', 'odd', 'organisationId'],
      ['id', 'kind', 'removed'],
      ['kind'],
    ]);
  });

  it('users: show every fault, and no secret', async () => {
    const organisationId = await makeOrganisation(service);
    const row = {
      id: base,
      organisationId,
      username: `jan${base}@example.com`,
      firstName: 'Jan',
      lastName: 'Smit',
      passwordHash: 'my secret',
      totpSecret: 'not base 32 either',
      language: 'de',
      roles: 'ROLE_ADMIN',
    };
    const lines = [row, { ...row, id: base + 1, username: 'x', passwordHash: HASH, pasword: 'my secret' }];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const { messages } = await run('import-users', files.write('users.jsonl', text));
    expect(messages).toHaveLength(2);
    const parts = [
      `line 1 (id ${base}, username jan${base}@example.com, `,
      'language: ',
      'roles: ROLE_ADMIN can only',
    ];
    for (const part of parts) expect(messages[0]).toContain(part);
    expect(messages[0]).toContain('language de');
    for (const secret of ['my secret', 'not base', HASH]) expect(messages.join()).not.toContain(secret);
  });

  it('users: --refused writes them as csv, which can be mended and imported', async () => {
    const organisationId = await makeOrganisation(service);
    const name = (n: number): string => `csv${n}.${base}@example.com`;
    const row = (n: number, rest = `Jan;"de ""V"" Vries";${HASH};nl;`): string =>
      `${organisationId};${name(n)};${rest}`;
    const header = 'organisationId;username;firstName;lastName;passwordHash;language;websiteOrderInfo';
    const source = [
      header,
      row(1),
      row(2, `"Jan; Piet";X;${HASH};de;"two`),
      'lines"',
      row(3, 'Jan'),
      row(4, `"Jan" x;X;${HASH};nl;`),
      `999999999;${name(5)};Jan;X;${HASH};fr;`,
    ];
    const refused = newFile('csv');
    const path = files.write('come-back.csv', `\uFEFF${source.join('\r\n')}\r\n`);
    const args = (from: string, to: string) => ['import-users', from, '--refused', to, '--json'];
    const first = await run(...args(path, refused));
    expect(first.report).toMatchObject({ stored: 1, refused: 4 });
    expect(statSync(refused).mode & 0o777).toBe(0o600);
    const content = readFileSync(refused, 'utf8');
    expect(content.split('\n')[0]).toBe(`${header};reason`);
    const unmended = `${organisationId};${name(2)};"Jan; Piet";X;${HASH};de;"two\r\nlines";language: `;
    expect(content).toContain(unmended);
    expect(content).toContain('it has 3 cells, but the header has 7');

    // Each row is refused for the same reason, and comes back the same.
    const second = newFile('csv');
    expect((await run(...args(refused, second))).report).toMatchObject({ stored: 0, refused: 4 });
    const reread = readFileSync(second, 'utf8');
    expect(reread.split('\n').filter((line) => line.includes(name(5)))).toEqual(
      content.split('\n').filter((line) => line.includes(name(5))),
    );
    const mended = content.replace(`${HASH};de;`, `${HASH};fr;`).replace('999999999', String(organisationId));
    const third = await run('import-users', files.write('mended.csv', mended), '--json');
    expect(third.report).toMatchObject({ stored: 2, refused: 2 });
    expect(
      await service.sql`SELECT first_name, website_order_information AS info FROM users
         WHERE username = ${name(2)}`,
    ).toEqual([{ first_name: 'Jan; Piet', info: 'two\r\nlines' }]);
    // Never replaced, and left out where nothing is refused.
    expect(await run(...args(path, refused))).toMatchObject({ exitCode: 1, output: '' });
    const none = newFile('csv');
    const good = files.write('good.csv', `${header}\n${row(1)}\n`);
    expect((await run(...args(good, none))).exitCode).toBe(0);
    expect(existsSync(none)).toBe(false);
  });

  it('contacts: --refused writes them as JSON lines, which can be mended and imported', async () => {
    const organisationId = await makeOrganisation(service);
    const contact = { organisationId, type: 'email', name: 'no address', preferences: ['System'] };
    const path = files.write('contacts.jsonl', [JSON.stringify(contact), '{"type"', '[]'].join('\n'));
    const refused = newFile('jsonl');
    const { report } = await run('import-contacts', path, '--refused', refused, '--dry-run', '--json');
    expect(report).toMatchObject({ stored: 0, refused: 3 });
    const reasons = (report['refusedRows'] as { reason: string }[]).map(({ reason }) => reason);
    expect(
      readFileSync(refused, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toEqual([
      { ...contact, reason: reasons[0] },
      { unreadable: '{"type"', reason: reasons[1] },
      { unreadable: '[]', reason: reasons[2] },
    ]);
    const mended = readFileSync(refused, 'utf8')
      .split('\n')[0]
      ?.replace('no address', `a${base}@example.com`);
    const again = await run('import-contacts', files.write('mended.jsonl', mended ?? ''), '--json');
    expect(again.report).toMatchObject({ stored: 1, refused: 0 });
  });
});
