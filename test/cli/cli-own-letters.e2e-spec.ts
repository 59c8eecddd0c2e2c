import { existsSync } from 'node:fs';
import { type MadeUser, makeCustomer, makeOrganisation, nextNumber } from '../support/factories/factories';
import { type CliResult, runCli } from '../support/service/cli';
import { loggedIn } from '../support/service/client';
import { useFiles } from '../support/service/files';
import { useService } from '../support/service/service';

const LETTERS = 'm\u00fcnchen.example';
const DECOMPOSED = 'mu\u0308nchen.example';
const ASCII = 'xn--mnchen-3ya.example';

/**
 * Of `Cafe\u0301-Zoe\u0308-123` as the previous panel got it: printf … | openssl
 * passwd -1 -stdin -salt saltstri
 */
const DECOMPOSED_HASH = '$1$saltstri$bpISKyLSdd9i79Q77nUTd/';

describe('text in either form of Unicode, and addresses in any letters (rule requests 22, rule requests 33)', () => {
  const service = useService('A');
  const files = useFiles();
  const cli = (...args: string[]): Promise<CliResult> => runCli(service.database, args);
  let organisationId: number;
  let plain: MadeUser;
  let local: string;

  beforeEach(async () => {
    ({ organisationId, plain } = await makeCustomer(service));
    local = `jan${nextNumber()}`;
  });

  const importRows = (kind: string, ...rows: object[]): Promise<CliResult> =>
    cli(
      `import-${kind}`,
      files.write(`${kind}.jsonl`, rows.map((row) => JSON.stringify(row)).join('\n')),
      '--json',
    );

  it('cli import-users and import-contacts store text composed, and addresses in ASCII', async () => {
    const user = {
      organisationId,
      firstName: 'Zoe\u0308',
      lastName: 'Mu\u0308ller',
      passwordHash: DECOMPOSED_HASH,
    };
    const imported = await importRows('users', { ...user, username: `${local}@${DECOMPOSED}` });
    expect(imported).toMatchObject({ exitCode: 0, messages: [] });
    const [row] = await service.sql`
      SELECT u.username, u.first_name, u.last_name, c.name AS contact
      FROM users u JOIN contacts c ON c.user_id = u.id WHERE u.username LIKE ${`${local}@%`}`;
    expect(row).toEqual({
      username: `${local}@${ASCII}`,
      first_name: 'Zo\u00eb',
      last_name: 'M\u00fcller',
      contact: `${local}@${ASCII}`,
    });
    await loggedIn(service, `${local}@${LETTERS}`, 'Caf\u00e9-Zo\u00eb-123');

    // Other files name the user in any form, and a repeated row is the same row.
    const contact = { type: 'email', name: `${local}.2@${LETTERS}`, preferences: 'System' };
    for (const domain of [LETTERS, DECOMPOSED]) {
      const contacts = await importRows('contacts', { ...contact, username: `${local}@${domain}` });
      expect(contacts).toMatchObject({ exitCode: 0, messages: [] });
    }
    expect(await service.sql`SELECT name FROM contacts WHERE name LIKE ${`${local}.2@%`}`).toEqual([
      { name: `${local}.2@${ASCII}` },
    ]);
    const unknown = await importRows('contacts', { ...contact, username: `nobody@${LETTERS}` });
    expect(unknown.messages.join()).toContain('username: This user does not exist.');
    const refused = await importRows('users', { ...user, username: `${local}@a\u200db.example` });
    expect(refused.messages.join()).toContain(
      'username: This value should be a login name or an e-mail address.',
    );
  });

  it('cli import-entities stores text composed', async () => {
    const id = 700_000 + nextNumber();
    const domains = [
      { id, name: `cafe\u0301${id}.example`, mailPrimary: true, domaintype: { id: 1, extension: 'example' } },
    ];
    const imported = await importRows(
      'entities',
      { kind: 'system', id, name: 'Cafe\u0301', organisationId },
      { kind: 'mailgroup', id, name: 'Zoe\u0308', organisationId, domains },
    );
    expect(imported).toMatchObject({ exitCode: 0, messages: [] });
    const stored =
      await service.sql`SELECT kind, name, domains FROM entities WHERE object_id = ${id} ORDER BY kind`;
    expect(stored).toEqual([
      expect.objectContaining({
        name: 'Zo\u00eb',
        domains: [expect.objectContaining({ name: `caf\u00e9${id}.example` })],
      }),
      expect.objectContaining({ name: 'Caf\u00e9' }),
    ]);
  });

  it('cli import-organisations takes the codes of countries that people write', async () => {
    const rows = [' be ', 'XK', 'UK', 'el', ' '].map((country, place) => ({
      id: 700_000 + nextNumber() * 10 + place,
      name: 'Cafe\u0301',
      taxNumber: 'T',
      country,
    }));
    expect(await importRows('organisations', ...rows)).toMatchObject({ exitCode: 0, messages: [] });
    const stored = await service.sql`
      SELECT name, country_code AS country FROM organisations WHERE id >= ${rows[0]?.id} ORDER BY id`;
    expect(stored).toEqual(['BE', 'XK', 'GB', 'GR', null].map((country) => ({ name: 'Caf\u00e9', country })));
    const unseen = await importRows('organisations', {
      ...rows[0],
      id: 900_000 + nextNumber(),
      name: '\u3164',
    });
    expect(unseen.messages.join()).toContain('name: This value should not be blank.');
  });

  it('cli create-admin takes them, and POST /login takes either form', async () => {
    const created = await cli(
      'create-admin',
      '--username',
      `${local}@${LETTERS}`,
      '--first-name',
      'Zoe\u0308',
      '--password',
      'Cafe\u0301-Zoe\u0308-123',
      '--json',
    );
    expect(created).toMatchObject({ exitCode: 0 });
    expect(created.report).toMatchObject({ username: `${local}@${ASCII}` });
    const [row] = await service.sql`SELECT first_name FROM users WHERE username = ${`${local}@${ASCII}`}`;
    expect(row).toEqual({ first_name: 'Zo\u00eb' });
    await loggedIn(service, `${local}@${DECOMPOSED}`, 'Caf\u00e9-Zo\u00eb-123');
    const refused = await cli(
      'create-admin',
      '--username',
      'jan@a\u200db.example',
      '--password',
      'Welcome-1234',
    );
    expect(refused).toMatchObject({ exitCode: 2 });
    const unseen = await cli(
      'create-admin',
      '--username',
      `x${local}@${LETTERS}`,
      '--last-name',
      '\u3164',
      '--password',
      'Welcome-1234',
    );
    expect(unseen).toMatchObject({ exitCode: 2 });
  });

  it('cli logins list, user set-password, audit and person export find a user by the address in letters', async () => {
    await service.sql`UPDATE users SET username = ${`${local}@${ASCII}`} WHERE id = ${plain.id}`;
    const found = await cli('logins', 'list', `${local}@${DECOMPOSED}`, '--json');
    expect(found.report).toMatchObject({ userId: plain.id });
    const changed = await cli(
      'user',
      'set-password',
      `${local}@${LETTERS}`,
      '--password',
      'Cafe\u0301-Zoe\u0308-123',
    );
    expect(changed.exitCode).toBe(0);
    await loggedIn(service, `${local}@${ASCII}`, 'Caf\u00e9-Zo\u00eb-123');
    const changes = await cli('audit', '--user', `${local}@${LETTERS}`, '--json');
    expect(changes.exitCode).toBe(0);
    const data = await cli('person', 'export', `${local}@${LETTERS}`);
    expect(data.report).toMatchObject({ person: plain.id });
  });

  it('cli import-users and person export open a file by the form of its name', async () => {
    const id = await makeOrganisation(service);
    const name = `cafe\u0301-${id}.jsonl`;
    const user = { organisationId: id, username: `${local}@example.com`, firstName: 'Jan', lastName: 'Smit' };
    const path = files.write(name, JSON.stringify({ ...user, passwordHash: DECOMPOSED_HASH }));
    const exported = files.path(`preuve-e\u0301-${id}.json`);
    expect(await cli('import-users', path)).toMatchObject({ exitCode: 0 });
    expect(await cli('person', 'export', user.username, '--file', exported)).toMatchObject({ exitCode: 0 });
    expect(existsSync(exported)).toBe(true);
  });
});
