import { createHash } from 'node:crypto';
import { newSecret } from '@app/security/secrets/digest';
import {
  type MadeUser,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { newPublicKey } from '../support/factories/key-factories';
import { MovableClock } from '../support/factories/two-factor-factories';
import { auditRows } from '../support/service/audit';
import { type CliResult, runCli } from '../support/service/cli';
import { anonymous, ApiClient, asAdmin } from '../support/service/client';
import { useFiles } from '../support/service/files';
import { useService } from '../support/service/service';

/** A hash of {@link PASSWORD}, by `openssl passwd -1`. */
const HASH = '$1$Zp3kWq81$tVo2jkEj/paZhLGHi4q4q.';

const service = useService('A');
let organisationId: number;
let user: MadeUser;
const files = useFiles();

let clock: MovableClock;
beforeAll(() => {
  clock = new MovableClock(service);
});
beforeEach(async () => {
  organisationId = await makeOrganisation(service);
  user = await makeUser(service, { organisationId });
});

type Kind = 'users' | 'contacts' | 'sshkeys' | 'apikeys';
const fileOf = (rows: readonly object[]): string =>
  files.write(`rows${nextNumber()}.jsonl`, rows.map((row) => JSON.stringify(row)).join('\n'));
const importRows = (kind: Kind, rows: readonly object[], ...flags: string[]): Promise<CliResult> =>
  runCli(service.database, [`import-${kind}`, fileOf(rows), '--json', ...flags]);
const importCsv = (kind: Kind, lines: readonly string[], ...flags: string[]): Promise<CliResult> =>
  runCli(service.database, [
    `import-${kind}`,
    files.write(`rows${nextNumber()}.csv`, lines.join('\n')),
    '--json',
    ...flags,
  ]);
const newName = (): string => `moved${nextNumber()}@example.com`;
const userRow = <More extends object>(username = newName(), more = {} as More) => ({
  organisationId,
  username,
  firstName: 'Jan',
  lastName: 'de Vries',
  passwordHash: HASH,
  ...more,
});
/** The groups of a contact as the interface answers them. */
const withEnabled = (...enabled: string[]) =>
  ['System', 'Domain', 'App', 'Finance', 'Job', 'Crm', 'Mail'].map((name) => ({
    name,
    value: enabled.includes(name),
  }));
const refusals = ({ report }: CliResult): { line: number; reason: string }[] =>
  (report['refusedRows'] as { line: number; reason: string }[]).sort((a, b) => a.line - b.line);
const counts = (stored: number, kept: number, refused: number, dryRun = false) =>
  expect.objectContaining({ dryRun, stored, kept, refused }) as object;

describe('cli import-users', () => {
  it('takes totpSecret over, encrypted and of 80 bits too: POST /login asks for the code', async () => {
    const secrets = ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', 'gezd gnbv gy3t qojq'] as const;
    const rows = secrets.map((totpSecret) => userRow(newName(), { totpSecret }));
    expect((await importRows('users', rows)).report).toEqual(counts(2, 0, 0));
    for (const { username, totpSecret } of rows) {
      const [stored] = await service.sql<{ second_factor: string; totp_secret: string }>(
        'SELECT second_factor, totp_secret FROM users WHERE username = $1',
        [username],
      );
      expect(stored).toEqual({
        second_factor: 'enabled',
        totp_secret: expect.stringMatching(/^v1\.[0-9a-f]{8}\./),
      });
      const login = (code?: string) =>
        anonymous(service).post('/login', { username, password: PASSWORD, '6digitCode': code });
      await login().expect(401);
      await login(clock.wrongCode(totpSecret.replaceAll(' ', '').toUpperCase())).expect(401);
      await login(clock.code(totpSecret.replaceAll(' ', '').toUpperCase())).expect(200);
    }
    const written = JSON.stringify(
      await service.sql`SELECT before, after FROM audit_log WHERE organisation_id = ${organisationId}`,
    );
    expect(written).not.toContain('JBSWY3DP');
    const bad = await importRows('users', [userRow(newName(), { totpSecret: '12345678' })]);
    expect(refusals(bad)).toEqual([{ line: 1, reason: expect.stringMatching(/^totpSecret: .*base32/) }]);
    expect(JSON.stringify([bad.messages, bad.output])).not.toContain('12345678');
  });

  it('keeps ids of rows, and gives new users later ones', async () => {
    const id = 1_000_000 + nextNumber();
    const first = userRow(newName(), { id });
    const second = userRow();
    expect((await importRows('users', [first, second])).report).toEqual(counts(2, 0, 0));
    const stored = await service.sql<{ id: number; username: string }>(
      'SELECT id, username FROM users WHERE organisation_id = $1 AND id >= $2 ORDER BY id',
      [organisationId, id],
    );
    expect(stored).toEqual([
      { id, username: first.username },
      { id: id + 1, username: second.username },
    ]);
    const again = await importRows('users', [
      first,
      userRow(second.username, { id: id + 5 }),
      userRow(newName(), { id }),
      userRow(newName(), { id: user.id }),
      userRow(newName(), { id: 2_000_000_001 }),
    ]);
    expect(again.report).toEqual(counts(0, 1, 4));
    expect(refusals(again)).toEqual([
      { line: 2, reason: `id: The user of this name has the id ${id + 1}.` },
      { line: 3, reason: expect.stringMatching(/^id: .*row above, on line 1/) },
      { line: 4, reason: 'id: This id belongs to a user of another name.' },
      { line: 5, reason: expect.stringMatching(/^id: .*2000000000/) },
    ]);
  });

  it('--no-contacts gives users no contact', async () => {
    const row = userRow();
    await importRows('users', [row], '--no-contacts');
    expect(await service.sql`SELECT 1 FROM contacts WHERE name = ${row.username}`).toEqual([]);
  });
});

describe('cli import-contacts', () => {
  it('takes contacts of users and organisations over, and mails nobody', async () => {
    const result = await importCsv('contacts', [
      'username,userId,organisationId,type,name,preferences',
      `${user.username.toUpperCase()},,,phone,+31 20 123 4567,Finance;Crm`,
      `,${user.id},,slack,#ops,`,
      `,,${organisationId},email,Office@example.com,"System,Mail"`,
    ]);
    expect(result).toMatchObject({ exitCode: 0, messages: [], report: counts(3, 0, 0) });
    const { body } = await (
      await asAdmin(service)
    )
      .get(`/organisations/${organisationId}/users/${user.id}/contacts`)
      .expect(200);
    expect((body as { contacts: unknown }).contacts).toMatchObject([
      { type: 'phone', name: '+31201234567', preferences: withEnabled('Finance', 'Crm') },
      { type: 'slack', name: '#ops', preferences: withEnabled() },
    ]);
    expect(
      await service.sql`SELECT type, name, groups FROM contacts WHERE organisation_id = ${organisationId}
         AND user_id IS NULL`,
    ).toEqual([{ type: 'email', name: 'Office@example.com', groups: ['System', 'Mail'] }]);
    expect(await service.sql`SELECT 1 FROM notifications WHERE organisation_id = ${organisationId}`).toEqual(
      [],
    );
    const audited = await auditRows(service, `table_name = 'contacts' AND organisation_id = $1`, [
      organisationId,
    ]);
    expect(audited).toHaveLength(3);
    expect(audited[0]).toMatchObject({ action: 'insert', request_id: 'import-contacts' });
  });

  it('names bad rows, and a contact that is there is kept or named as another', async () => {
    const { username } = user;
    const good = { username, type: 'email', name: 'Jan@example.com', preferences: 'Mail' };
    const rows = [
      good,
      { username, userId: user.id, type: 'email', name: 'a@example.com' },
      { type: 'email', name: 'a@example.com' },
      { username: newName(), type: 'email', name: 'a@example.com' },
      { organisationId: 999_999_999, type: 'email', name: 'a@example.com' },
      { username, type: 'fax', name: '1' },
      { username, type: 'phone', name: '12' },
      { username, type: 'slack', name: 'ops', preferences: 'Nothing' },
      { username, type: 'email', name: 'jan@EXAMPLE.com' },
      { username, type: 'email', name: 'b@example.com', colour: 'red' },
    ];
    const result = await importRows('contacts', rows);
    expect(result.exitCode).toBe(3);
    expect(result.report).toEqual(counts(1, 0, rows.length - 1));
    expect(refusals(result)).toEqual(
      [
        /^username: Exactly one of username, userId, organisationId/,
        /^username: Exactly one of/,
        /^username: This user does not exist/,
        /^organisationId: This organisation does not exist/,
        /^type: /,
        /^name: .*phone number/,
        /^preferences: .*Nothing/,
        /^name: .*row above, on line 1/,
        /^colour: .*not known/,
      ].map((reason, position) => ({ line: position + 2, reason: expect.stringMatching(reason) })),
    );
    const again = await importRows('contacts', [good]);
    expect(again).toMatchObject({ exitCode: 0, report: counts(0, 1, 0) });
    const other = await importRows('contacts', [{ ...good, preferences: 'Mail,Crm' }]);
    expect(refusals(other)).toEqual([{ line: 1, reason: 'it is there already, with another preferences' }]);
  });

  it('refuses the 51st contact of a user, with --dry-run too, and loses no other row', async () => {
    const rows = [
      ...Array.from({ length: 52 }, (_, n) => ({
        username: user.username,
        type: 'email',
        name: `c${n}@example.com`,
      })),
      { organisationId, type: 'email', name: 'last@example.com' },
    ];
    const tooMany = [52, 51].map((line) => ({ line, reason: 'A user has at most 50 contacts.' })).reverse();
    const trial = await importRows('contacts', rows, '--dry-run');
    expect(trial.report).toEqual(counts(51, 0, 2, true));
    expect(refusals(trial)).toEqual(tooMany);
    const real = await importRows('contacts', rows);
    expect(real.report).toEqual(counts(51, 0, 2));
    expect(refusals(real)).toEqual(tooMany);
    expect(await service.sql`SELECT 1 FROM contacts WHERE user_id = ${user.id}`).toHaveLength(50);
  });
});

describe('cli import-sshkeys', () => {
  it('takes keys of users and deploy keys over, each once in the whole service', async () => {
    const own = newPublicKey('jan@laptop');
    const deploy = newPublicKey();
    const lent = newPublicKey();
    const other = await makeUser(service, { organisationId });
    const rows = [
      { username: user.username, content: own },
      { organisationId, content: deploy, description: 'Deployment' },
      { userId: other.id, content: lent },
      { userId: other.id, content: own },
      { userId: other.id, content: 'ssh-dss AAAA' },
      { userId: other.id, content: newPublicKey(), description: 'x'.repeat(256) },
    ];
    const result = await importRows('sshkeys', rows);
    expect(result.report).toEqual(counts(3, 0, 3));
    expect(refusals(result)).toEqual([
      { line: 4, reason: expect.stringMatching(/^content: .*row above, on line 1/) },
      { line: 5, reason: expect.stringMatching(/^content: DSA/) },
      { line: 6, reason: expect.stringMatching(/^description: .*255/) },
    ]);
    const admin = await asAdmin(service);
    const { body } = await admin.get(`/organisations/${organisationId}/users/${user.id}/sshkeys`).expect(200);
    expect((body as { sshkeys: unknown }).sshkeys).toMatchObject([
      { content: own, description: 'jan@laptop' },
    ]);
    const again = await importRows('sshkeys', [
      ...rows.slice(0, 2),
      { userId: user.id, content: lent },
      { ...rows[2], description: 'Another' },
    ]);
    expect(again.report).toEqual(counts(0, 2, 2));
    expect(refusals(again).map(({ reason }) => reason)).toEqual([
      'content: This key is already in use.',
      expect.stringMatching(/^content: .*row above/),
    ]);
  });
});

describe('cli import-apikeys', () => {
  it('takes digests over: programs go on with the keys that they have', async () => {
    const key = 'old-panel-key/of any form=';
    const digest = createHash('sha256').update(key).digest('hex');
    const result = await importCsv('apikeys', [
      'username,name,digest,whitelist',
      `${user.username},Deployment,${digest.toUpperCase()},127.0.0.1;::1;2001:DB8::/32`,
    ]);
    expect(result).toMatchObject({ exitCode: 0, report: counts(1, 0, 0) });
    const { body } = await new ApiClient(service.url, key).get('/whoami').expect(200);
    expect(body).toMatchObject({ userId: user.id });
    await new ApiClient(service.url, digest).get('/whoami').expect(401);
    const [stored] = await service.sql(
      `SELECT name, whitelist, extract(day FROM expires_at - now())::integer AS days FROM api_keys WHERE user_id = $1`,
      [user.id],
    );
    expect(stored).toEqual({
      name: 'Deployment',
      whitelist: ['127.0.0.1', '::1', '2001:db8::/32'],
      days: expect.closeTo(364, -1),
    });
  });

  it('names bad rows, and a key that is there is kept or named as another', async () => {
    const other = await makeUser(service, { organisationId });
    const first = newSecret();
    const second = newSecret();
    const now = Math.floor(Date.now() / 1000);
    const row = { username: user.username, name: 'Key', digest: first, whitelist: ['192.0.2.1'] };
    const result = await importRows('apikeys', [
      { ...row, expires: now + 86_400 },
      { ...row, digest: 'abc' },
      { ...row, digest: second, whitelist: '0.0.0.0/0' },
      { ...row, digest: second, expires: now + 10 * 365 * 86_400 },
      { ...row, digest: second, organisationId },
      { name: 'Key', digest: second },
    ]);
    expect(result.report).toEqual(counts(1, 0, 5));
    expect(refusals(result)).toEqual(
      [
        /^digest: .*64 hex digits/,
        /^whitelist: .*\/0/,
        /^expires: .*API_KEY_TTL/,
        /^organisationId: .*not known/,
        /^username: Exactly one of username, userId/,
      ].map((reason, position) => ({ line: position + 2, reason: expect.stringMatching(reason) })),
    );
    const again = await importRows('apikeys', [{ ...row, expires: now + 86_400 }]);
    expect(again.report).toEqual(counts(0, 1, 0));
    const changed = await importRows('apikeys', [
      { ...row, name: 'Another', expires: now + 99 },
      { ...row, username: other.username, digest: second },
    ]);
    expect(refusals(changed)).toEqual([
      { line: 1, reason: 'it is there already, with another name, expires' },
    ]);
    const taken = await importRows('apikeys', [{ ...row, digest: second }]);
    expect(refusals(taken)).toEqual([{ line: 1, reason: 'digest: This key is already in use.' }]);
  });
});

describe('an INSERT of many contacts', () => {
  const insertContacts = (count: number) =>
    service.sql`INSERT INTO contacts (organisation_id, user_id, type, name, unique_key)
       SELECT ${organisationId}, ${user.id}, 'email', key, key FROM (
         SELECT gen_random_uuid() || '@example.com' AS key FROM generate_series(1, ${count})) made`;

  it('counts for its user as a whole: the 51st contact is refused, with sixteen statements at once too', async () => {
    await expect(insertContacts(51)).rejects.toThrow(/51 of user_id/);
    const outcomes = await Promise.allSettled(Array.from({ length: 16 }, () => insertContacts(7)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
    await insertContacts(1);
    await expect(insertContacts(1)).rejects.toThrow(/51 of user_id/);
    expect(await service.sql`SELECT 1 FROM contacts WHERE user_id = ${user.id}`).toHaveLength(50);
  });

  it('makes a row of the audit log for each contact', async () => {
    await insertContacts(1);
    await insertContacts(2);
    const rows = await auditRows(service, `table_name = 'contacts' AND organisation_id = $1`, [
      organisationId,
    ]);
    const shapes = rows.map(({ action, before, after }) => ({
      action,
      before,
      after: Object.keys(after ?? {}),
    }));
    const after = ['created_at', 'groups', 'id', 'name', 'organisation_id', 'type', 'user_id'];
    expect(shapes).toEqual(
      Array(3).fill({ action: 'insert', before: null, after: expect.arrayContaining(after) }),
    );
  });
});
