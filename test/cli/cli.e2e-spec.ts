import { utimesSync } from 'node:fs';
import { mailTransport } from '@app/mail/smtp-transport';
import { clientOf, makeCustomer, makeOrganisation, PASSWORD } from '../support/factories/factories';
import { storePasskey } from '../support/factories/passkey-factories';
import { makeMail } from '../support/factories/records';
import { type CliOptions, type CliResult, runCli } from '../support/service/cli';
import { anonymous, asAdmin, loggedIn } from '../support/service/client';
import { createEmptyDatabase, type TestDatabase } from '../support/service/databases';
import { useFiles } from '../support/service/files';
import { useService } from '../support/service/service';
import { makeOlder } from '../support/service/time';

const service = useService('A');
const files = useFiles();
/** Without a schema until the tests of `migrate`. */
let empty: TestDatabase;
beforeAll(async () => {
  empty = await createEmptyDatabase();
});
afterAll(() => empty.drop());
const cli = (args: readonly string[], options?: CliOptions): Promise<CliResult> =>
  runCli(service.database, args, options);

describe('cli', () => {
  it('--help names every command without a setting', async () => {
    const help = await runCli(undefined, ['--help'], { env: { PORT: 'no port' } });
    expect(help.exitCode).toBe(0);
    expect(help.messages).toEqual([]);
    const commands = [
      'migrate',
      'create-admin',
      'import-users',
      'import-entities',
      'rotate-secrets',
      'logins',
      'database-role-settings',
      'verify',
      'after-restore',
    ];
    for (const command of commands) expect(help.output).toContain(`\n  ${command} `);
    const version = await runCli(undefined, ['--version']);
    expect(version.output).toMatch(/^\d+\.\d+\.\d+\n$/);
    const topic = await runCli(undefined, ['help', 'logins', 'revoke']);
    expect(topic.output).toContain('$ node dist/apps/cli/main.js logins revoke jan@example.com');
    const [importUsers, revoke] = await Promise.all([
      runCli(undefined, ['import-users', '--help']),
      runCli(undefined, ['logins', 'revoke', '--help']),
    ]);
    expect(importUsers.output).toContain('$ node dist/apps/cli/main.js import-users accounts.csv');
    expect(revoke.output).toContain('$ node dist/apps/cli/main.js logins revoke');
    const byNpm = await runCli(undefined, ['--help'], { env: { npm_lifecycle_event: 'cli' } });
    expect(byNpm.output).toContain('$ npm run cli -- import-users accounts.csv --dry-run');
    expect(help.output).toContain('$ node dist/apps/cli/main.js import-users accounts.csv --dry-run');
    expect(help.output).toMatch(/\n {2}3 {2}done except for refused rows.*"after-restore":[^]*"doctor"/);
  });

  it('--help lists each command as help of the command names it', async () => {
    const { output } = await runCli(undefined, ['--help']);
    const [, list = ''] = /\nCommands:\n([^]*?)\n\n/.exec(output) ?? [];
    const listed = [
      ...list.matchAll(/^ {2}([a-z-]+)((?: \[options\])?(?: <(?:file|organisation)>)?) {2,}\w/gm),
    ];
    expect(listed).toHaveLength(list.match(/^ {2}(?!help )\S/gm)?.length ?? 0);
    expect(listed.length).toBeGreaterThan(15);
    for (const [, name = '', usage = ''] of listed) {
      const help = await runCli(undefined, ['help', name]);
      const isGroup = usage === '';
      expect(help.output).toContain(`Usage: cli ${name}${isGroup ? ' [options] [command]' : usage}\n`);
    }
  });

  it.each([
    [[], /Usage/],
    [['mirgate'], /unknown command 'mirgate' \(Did you mean migrate\?\)/],
    [['migrate', '--dry'], /unknown option '--dry'/],
    [['create-admin'], /--username/],
    [['import-users'], /missing required argument 'file'/],
    [['import-users', 'x.csv', '--format', 'xml'], /csv, jsonl/],
    [['import-users', '/no/such/file.csv'], /cannot read \/no\/such\/file.csv \(ENOENT\)/],
    [['import-users', __dirname], /not a file/],
    [['import-users', __filename], /--format csv or --format jsonl/],
    [['logins', 'revoke', 'jan', '--id', '0'], /identifier/],
    [['create-admin', '--username', 'jan'], /e-mail address/],
    [
      ['create-admin', '--username', 'jan@operator.example', '--password', 'short'],
      /must have 9 to 29 characters/,
    ],
    [
      ['create-admin', '--username', 'Janssen-1@operator.example', '--password', 'JANSSEN-1'],
      /neither the user name nor its part before the @/,
    ],
    [
      ['user', 'set-password', 'Janssen-1@operator.example', '--password', 'Janssen-1'],
      /neither the user name nor its part before the @/,
    ],
    [['create-admin', '--username', 'jan@operator.example', '--password-stdin'], /standard input is empty/],
  ])('exits with 2 and one line on %j', async (args, sentence) => {
    const { exitCode, output, messages } = await cli(args);
    expect(exitCode).toBe(2);
    expect(output).toBe('');
    expect(messages.join('\n')).toMatch(sentence);
    if (args.length > 0) expect(messages).toHaveLength(1);
  });

  it('exits with 1 on a wrong SECRETS_KEY and on a database that is away or without schema', async () => {
    const url = new URL(service.database.url);
    url.port = '1';
    const results = await Promise.all([
      cli(['migrate'], { env: { SECRETS_KEY: '' } }),
      cli(['rotate-secrets', '--every-process-has-the-new-key'], { env: { SECRETS_KEY: 'c2hvcnQ=' } }),
      runCli({ url: url.href }, ['logins', 'list', 'jan']),
      runCli(empty, ['logins', 'list', 'jan']),
    ]);
    expect(results.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1, 1]);
    expect(results.map(({ messages }) => messages)).toEqual([
      [expect.stringMatching(/SECRETS_KEY is required/)],
      [expect.stringMatching(/SECRETS_KEY cannot be used: key 1 is not/)],
      [expect.stringMatching(/cannot be reached/)],
      [expect.stringMatching(/run `migrate` first/)],
    ]);
  });
});

describe('cli migrate', () => {
  it('brings an empty database up to date, and --dry-run says so before', async () => {
    const trial = await runCli(empty, ['migrate', '--dry-run', '--json']);
    const refused = await runCli(empty, ['logins', 'list', 'jan']);
    const first = await runCli(empty, ['migrate', '--json']);
    const second = await runCli(empty, ['migrate', '--json']);
    expect([trial, refused, first, second].map(({ exitCode }) => exitCode)).toEqual([0, 1, 0, 0]);
    const stored = await service.sql<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    const migrations = [...stored.map((row) => row.name), 'graphile-worker'];
    expect(trial.report).toEqual({ dryRun: true, migrations });
    expect(first.report).toEqual({ dryRun: false, migrations });
    expect(second.report).toEqual({ dryRun: false, migrations: [] });
  });
});

describe('cli create-admin', () => {
  it('makes an admin with a password that is made up and shown once', async () => {
    const { exitCode, report } = await cli([
      'create-admin',
      '--username',
      'Made.Up@operator.example',
      '--json',
    ]);
    expect(exitCode).toBe(0);
    const { password } = report as { password: string };
    const admin = await loggedIn(service, 'made.up@operator.example', password);
    const { body } = await admin.get(`/organisations/1/users/${String(report['id'])}`).expect(200);
    expect((body as { user: object }).user).toMatchObject({
      username: 'Made.Up@operator.example',
      roles: ['ROLE_ADMIN'],
      language: 'en',
    });
  });

  it('--password-stdin takes a password from standard input', async () => {
    const username = 'stdin@operator.example';
    const result = await cli(['create-admin', '--username', username, '--password-stdin', '--json'], {
      input: `${PASSWORD}\n`,
    });
    expect(result.exitCode).toBe(0);
    expect(result.report).toEqual({ id: expect.any(Number), username });
    await loggedIn(service, username, PASSWORD);
  });

  it('exits with 1 where the user name is taken, and makes one of two at once', async () => {
    const args = ['create-admin', '--username', 'twice@operator.example'];
    const results = await Promise.all([cli(args), cli(args)]);
    expect(results.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1]);
    const refused = results.find(({ exitCode }) => exitCode === 1);
    expect(refused?.output).toBe('');
    expect(refused?.messages).toEqual([
      expect.stringContaining('username: This user name is already taken.'),
    ]);
  });

  it('makes the first admin of an empty database', async () => {
    const dataDir = files.path('embedded');
    const env = { DATA_DIR: dataDir };
    expect((await runCli(undefined, ['migrate'], { env })).exitCode).toBe(0);
    const created = await runCli(
      undefined,
      ['create-admin', '--username', 'first@operator.example', '--json'],
      { env },
    );
    expect(created.exitCode).toBe(0);
    const listed = await runCli(undefined, ['logins', 'list', 'first@operator.example', '--json'], { env });
    expect(listed.report).toEqual({
      username: 'first@operator.example',
      userId: created.report['id'],
      logins: [],
    });
  });
});

describe('cli logins', () => {
  const loginIds = async (userId: number): Promise<number[]> =>
    (await service.sql<{ id: number }>`SELECT id FROM logins WHERE user_id = ${userId} ORDER BY id`).map(
      ({ id }) => id,
    );

  it('list shows the live logins of that user alone', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    await clientOf(service, plain.id);
    const [first, ...others] = await loginIds(plain.id);
    await makeOlder(service, 'logins', { id: first as number }, '8 days', ['last_used_at']);
    const result = await cli(['logins', 'list', plain.username.toUpperCase(), '--json']);
    expect(result.exitCode).toBe(0);
    expect((result.report['logins'] as { id: number }[]).map(({ id }) => id)).toEqual(others);
    await service.sql`UPDATE logins SET user_agent = ${'Red\u001b[31m/1'} WHERE user_id = ${custadmin.id}`;
    const table = await cli(['logins', 'list', custadmin.username]);
    const [ownLogin] = await loginIds(custadmin.id);
    expect(table.output).toMatch(new RegExp(`^Id .*\\n${ownLogin} .* 127\\.0\\.0\\.1  Red\\?\\[31m/1\\n$`));
  });

  it('revoke ends all logins of a user at once, and of nobody else', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const second = await clientOf(service, plain.id);
    const result = await cli(['logins', 'revoke', plain.username, '--json']);
    expect(result.report).toEqual({ username: plain.username, userId: plain.id, revoked: 2 });
    await plain.client.get('/whoami').expect(401);
    await second.get('/whoami').expect(401);
    await custadmin.client.get('/whoami').expect(200);
  });

  it('revoke --id ends one login, and none of another user', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const second = await clientOf(service, plain.id);
    const [first] = await loginIds(plain.id);
    const [foreign] = await loginIds(custadmin.id);
    const wrong = await cli(['logins', 'revoke', plain.username, '--id', String(foreign)]);
    expect(wrong.exitCode).toBe(1);
    expect(wrong.messages).toEqual([expect.stringContaining(`has no login ${foreign}`)]);
    await custadmin.client.get('/whoami').expect(200);
    const result = await cli(['logins', 'revoke', plain.username, '--id', String(first)]);
    expect(result).toMatchObject({ exitCode: 0, output: `Revoked 1 login of ${plain.username}\n` });
    await plain.client.get('/whoami').expect(401);
    await second.get('/whoami').expect(200);
  });

  it('revoke stands in the audit log with its name', async () => {
    const { plain } = await makeCustomer(service);
    await cli(['logins', 'revoke', plain.username]);
    const rows = await service.sql(
      `SELECT actor_credential_kind AS kind, request_id AS command FROM audit_log
       WHERE table_name = 'logins' AND action = 'delete' ORDER BY id DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ kind: 'command', command: 'logins revoke' }]);
  });
});

describe('cli user', () => {
  const lastAudit = () =>
    service.sql(`SELECT actor_credential_kind AS kind, request_id AS command FROM audit_log
      WHERE table_name = 'users' ORDER BY id DESC LIMIT 1`);

  it('set-password ends logins, trusted devices, reset links and passkeys of the last 7 days', async () => {
    const { plain } = await makeCustomer(service);
    await service.sql`INSERT INTO trusted_devices (user_id, digest, user_agent, expires_at, address)
      VALUES (${plain.id}, '\\x01', '', now() + interval '1 day', '::1')`;
    const [old] = [await storePasskey(service, plain.id), await storePasskey(service, plain.id)];
    await makeOlder(service, 'passkeys', { id: old }, '7 days');
    await anonymous(service).post('/resetting/send_email', { username: plain.username }).expect(204);
    const result = await cli(['user', 'set-password', plain.username.toUpperCase(), '--json']);
    expect(result.exitCode).toBe(0);
    const { password } = result.report as { password: string };
    await plain.client.get('/whoami').expect(401);
    await anonymous(service).post('/login', { username: plain.username, password: PASSWORD }).expect(401);
    await loggedIn(service, plain.username, password);
    const [left] = await service.sql`SELECT
      (SELECT count(*)::integer FROM trusted_devices WHERE user_id = ${plain.id}) AS devices,
      (SELECT count(*)::integer FROM recovery_requests WHERE user_id = ${plain.id} AND ended_at IS NULL) AS links`;
    expect(left).toEqual({ devices: 0, links: 0 });
    expect(await service.sql`SELECT id FROM passkeys WHERE user_id = ${plain.id}`).toEqual([{ id: old }]);
    expect(await lastAudit()).toEqual([{ kind: 'command', command: 'user set-password' }]);

    const given = await cli(['user', 'set-password', plain.username, '--password-stdin'], {
      input: 'Chosen-Password-1\n',
    });
    expect(given).toMatchObject({ exitCode: 0 });
    expect(given.output).not.toContain('Chosen');
    await loggedIn(service, plain.username, 'Chosen-Password-1');
  });

  it('disable-2fa removes the second factor and says what still keeps the user out, and enable enables', async () => {
    const { plain, custadmin: user } = await makeCustomer(service);
    await service.sql`UPDATE users SET enabled = false, second_factor = 'enabled', totp_secret = 'v1.x.y'
      WHERE id = ${user.id}`;
    await storePasskey(service, user.id);
    const removed = await cli(['user', 'disable-2fa', user.username]);
    expect(removed).toMatchObject({ exitCode: 0 });
    expect(removed.output).toContain(
      `${user.username} is disabled and cannot log in: \`user enable ${user.username}\``,
    );
    expect(removed.output).toContain(
      `${user.username} keeps passkeys (1), which log in without a second factor`,
    );
    expect(await lastAudit()).toEqual([{ kind: 'command', command: 'user disable-2fa' }]);
    const enabled = await cli(['user', 'enable', user.username]);
    expect(enabled).toMatchObject({ exitCode: 0, output: `Enabled ${user.username}\n` });
    await loggedIn(service, user.username, PASSWORD);
    expect((await cli(['user', 'enable', plain.username])).output).toBe(
      `${plain.username} is enabled already\n`,
    );
  });

  it('disable-2fa --passkeys lets the password set a second factor up again', async () => {
    const { plain } = await makeCustomer(service, { required2fa: true });
    await storePasskey(service, plain.id);
    const setUp = () =>
      anonymous(service).post('/enable2faandget2fasecret', { username: plain.username, password: PASSWORD });
    await setUp().expect(401);
    const kept = await cli(['user', 'disable-2fa', plain.username]);
    expect(kept.output).toContain('the password alone sets no second factor up beside them');
    await setUp().expect(401);
    const removed = await cli(['user', 'disable-2fa', plain.username, '--passkeys']);
    expect(removed.output).toContain(`Removed the passkeys of ${plain.username}: 1`);
    await setUp().expect(200);
  });

  it.each([
    ['user', 'set-password'],
    ['logins', 'list'],
  ])('exits with 1 where there is no such user: cli %s %s', async (...names) => {
    const { exitCode, messages } = await cli([...names, 'nobody@example.com']);
    expect(exitCode).toBe(1);
    expect(messages).toEqual(['error: there is no user "nobody@example.com"']);
  });
});

describe('cli mail show', () => {
  it('lists waiting mails and shows one without its link', async () => {
    const admin = await asAdmin(service);
    const organisationId = await makeOrganisation(service);
    await admin
      .post(`/organisations/${organisationId}/invitations`, {
        email: 'reader@example.com',
        firstName: 'Zoë',
        lastName: 'Reader',
        autoRoles: 'ROLE_CUSTADMIN',
      })
      .expect(201);
    const listed = await cli(['mail', 'show', '--json']);
    const { mails } = listed.report as {
      mails: { id: number; to: string; template: string; state: string }[];
    };
    const [mail] = mails.filter(({ to }) => to === 'reader@example.com');
    expect(mail).toMatchObject({
      template: 'invitation',
      state: 'due',
      subject: expect.stringMatching(/^\S.+/) as string,
    });
    const shown = await cli(['mail', 'show', String(mail?.id)]);
    expect(shown.exitCode).toBe(0);
    expect(shown.output).toMatch(
      /^To: reader@example.com\nSubject: .+\n\n[^]*“Organisation \d+”[^]*\(encrypted link\)/,
    );
    expect(shown.output).not.toMatch(/v1\.[0-9a-f]{8}\.|https?:/);
    const linked = await makeMail(service, {
      template: 'linkedNotification',
      address: 'reader@example.com',
      texts: {
        organisation: 'O',
        subject: 'S',
        text: 'T',
        links: 'https://api.example/v1/documents/planted',
      },
    });
    const links = await cli(['mail', 'show', String(linked)]);
    expect(links.output).toContain('(links not shown)');
    expect(links.output).not.toContain('planted');
    expect((await cli(['mail', 'show', '2000000000'])).exitCode).toBe(1);
    expect((await cli(['mail', 'show', 'reader'])).exitCode).toBe(2);
  });

  it('decodes a mail that was written to a file', async () => {
    const link = `https://panel.example.com/register/2/1/${'4f7cce78=45'.repeat(20)}`;
    const mail = {
      subject: `Uitnodiging voor Zoë van Bakkerij ‘de Vries’ ${'x'.repeat(70)}`,
      text: `Beste Zoë,\n\n${link}\n`,
    };
    const names = { mailFrom: 'no-reply@example.com', publicUrl: 'https://api.example.com' };
    await mailTransport({ smtpUrl: undefined, dataDir: files.path('mails'), ...names }).deliver({
      ...mail,
      from: 'no-reply@example.com',
      to: 'zoe@example.com',
      html: '<p>Beste Zoë</p>',
      messageId: '<one@example.com>',
    });
    const shown = await cli(['mail', 'show', files.path('mails/mail/one.eml'), '--json']);
    expect(shown.report).toEqual({ to: 'zoe@example.com', ...mail });

    const older = files.write('mails/mail/older.eml', 'To: jan@example.com\nSubject: Older\n\nText\n');
    utimesSync(older, new Date('2026-01-02T03:04:05Z'), new Date('2026-01-02T03:04:05Z'));
    const listed = await cli(['mail', 'show'], { env: { DATA_DIR: files.path('mails') } });
    const lines = listed.output.split('\n').map((line) => line.replaceAll(/ {2,}/g, '|'));
    expect(lines[0]).toBe('Id|When|To|Subject|State|Last error');
    expect(lines.filter((line) => line.includes('.eml'))).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${files.path('mails/mail/one.eml')}\\|20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d\\|zoe@example\\.com\\|${mail.subject}\\|written$`,
        ),
      ),
      `${older}|2026-01-02 03:04|jan@example.com|Older|written`,
    ]);
  });
});
