import { readFileSync, statSync } from 'node:fs';
import { type MadeUser, makeCustomer, makeOrganisation, makeUser } from '../support/factories/factories';
import { pathOf } from '../support/factories/users-factories';
import { audited, CLIENT_ADDRESS, loginIdOf } from '../support/service/audit';
import { type CliResult, runCli } from '../support/service/cli';
import { useFiles } from '../support/service/files';
import { useService } from '../support/service/service';

const service = useService('A', { settings: { trustedProxies: ['127.0.0.1'] } });
let organisationId: number;
let custadmin: MadeUser;
let plain: MadeUser;
let requestId: string;
const files = useFiles();

beforeAll(async () => {
  ({ organisationId, custadmin, plain } = await makeCustomer(service));
  // Another customer's changes stand beside every one.
  const other = await makeCustomer(service);
  // A name from before names could hold no control characters.
  const fullName = { firstName: '=Pi\u202eet\u001b[2J', lastName: 'de Vries' };
  await service.sql(`SET session_replication_role = replica`);
  await service.sql`UPDATE users SET first_name = ${fullName.firstName} WHERE id = ${plain.id}`;
  await service.sql(`SET session_replication_role = DEFAULT`);
  const change = custadmin.client.patch(pathOf(plain), {
    ...fullName,
    firstName: 'Piet',
    username: plain.username,
  });
  ({ requestId } = await audited(service, change, 204));
  await other.plain.client.post('/logout').expect(204);
});

const audit = (...args: string[]): Promise<CliResult> => runCli(service.database, ['audit', ...args]);

const changesOf = ({ output }: CliResult): Record<string, unknown>[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('cli audit', () => {
  it('shows changes as lines that cannot steer the terminal', async () => {
    const { exitCode, output, messages } = await audit('--user', custadmin.username.toUpperCase());
    const who = `${custadmin.username} (login ${await loginIdOf(service, custadmin)}) from ${CLIENT_ADDRESS}`;
    const what = `update users ${plain.id} of organisation ${organisationId}: first_name "=Pi?et\\u001b[2J" -> "Piet"`;
    expect(output.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, '<time>')).toBe(`<time>  ${who}  ${what}\n`);
    expect({ exitCode, messages }).toEqual({ exitCode: 0, messages: [] });
  });

  it('--json gives every field', async () => {
    const [change, ...more] = changesOf(await audit('--user', custadmin.username, '--json'));
    expect(more).toEqual([]);
    expect(change).toEqual({
      id: expect.any(Number) as number,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      actorUserId: custadmin.id,
      actorUsername: custadmin.username,
      actorCredentialKind: 'login',
      actorCredentialId: await loginIdOf(service, custadmin),
      actorName: null,
      onBehalfOf: null,
      address: CLIENT_ADDRESS,
      requestId,
      action: 'update',
      table: 'users',
      recordId: plain.id,
      organisationId,
      before: { first_name: '=Pi\u202eet\u001b[2J' },
      after: { first_name: 'Piet' },
    });
  });

  it('--organisation, --table, --record, --since, --until and --limit narrow it, newest first', async () => {
    const record = ['--table', 'users', '--record', String(plain.id), '--json'];
    const [all = [], ofRecord, limited, young, old] = await Promise.all(
      [
        ['--organisation', String(organisationId), '--json'],
        record,
        [...record, '--limit', '1'],
        [...record, '--since', '1h'],
        [...record, '--until', '1h'],
      ].map(async (args) => changesOf(await audit(...args))),
    );
    expect(new Set(all.map((change) => change['organisationId']))).toEqual(new Set([organisationId]));
    expect(all.map(({ action, table }) => `${String(action)} ${String(table)}`)).toEqual([
      'update users',
      'insert logins',
      'insert users',
      'insert logins',
      'insert users',
      'insert organisations',
    ]);
    expect(ofRecord?.map(({ action }) => action)).toEqual(['update', 'insert']);
    expect(limited?.map(({ action }) => action)).toEqual(['update']);
    expect(young).toEqual(ofRecord);
    expect(old).toEqual([]);
  });

  it('--csv writes what no spreadsheet executes, into a file that only its owner reads', async () => {
    const file = files.path('audit.csv');
    const { exitCode, output } = await audit('--user', custadmin.username, '--csv', file);
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: '' });
    const text = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [header, row, ...rest] = text.split('\r\n');
    expect(header).toBe(
      'id,at,actorUserId,actorUsername,actorCredentialKind,actorCredentialId,actorName,address,requestId,' +
        'action,table,recordId,organisationId,before,after',
    );
    expect(row).toContain('"{""first_name"":""Piet""}"');
    expect(rest).toEqual(['']);
    expect((await audit('--user', custadmin.username, '--csv', '-')).output).toBe(text);
    const again = await audit('--csv', file);
    expect(again).toMatchObject({ exitCode: 1, messages: [`error: ${file} exists already`] });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('--json gives 1,235 rows once each, and the table the newest 100', async () => {
    const id = await makeOrganisation(service);
    await service.sql`INSERT INTO invitations (organisation_id, inviter_id, email, first_name, last_name, token_digest, expires_at)
       SELECT ${id}, ${plain.id}, n || '@example.com', 'a', 'b', sha256(n::text::bytea), now()
         FROM generate_series(1, 1234) n`;
    const ids = changesOf(await audit('--organisation', String(id), '--json')).map((change) => change['id']);
    expect(new Set(ids).size).toBe(1235);
    const shown = await audit('--organisation', String(id));
    expect(shown.output.trimEnd().split('\n')).toHaveLength(100);
    expect(shown.messages).toEqual(['These are the newest 100: --limit shows more, --until older ones']);
  });

  it('names the command and the account behind a change by cli create-admin', async () => {
    const username = 'second@operator.example';
    const made = await runCli(service.database, ['create-admin', '--username', username]);
    expect(made.exitCode).toBe(0);
    const [change] = changesOf(await audit('--table', 'users', '--limit', '1', '--json'));
    expect(change).toMatchObject({
      actorUserId: null,
      actorCredentialKind: 'command',
      actorName: expect.any(String) as string,
      requestId: 'create-admin',
      after: { username, password_hash: '(changed)' },
    });
  });

  it('refuses an unknown user, table, time or file in one line', async () => {
    const refused: [string[], number, string][] = [
      [['--user', 'nobody@example.com'], 1, 'there is no user "nobody@example.com", nor a deleted one'],
      [['--record', '1'], 2, '--record needs --table'],
      [
        ['--table', 'notifications'],
        2,
        '--table must be one of acl_teams, acls, api_keys, brands, contacts, documents, entities, invitations',
      ],
      [['--since', 'yesterday'], 2, 'Use 15m, 24h or 7d'],
      [['--json', '--csv', '-'], 2, 'cannot be used with'],
      [['--csv', files.path('nowhere/audit.csv')], 1, 'cannot write'],
    ];
    const results = await Promise.all(refused.map(([args]) => audit(...args)));
    const outcomes = results.map(({ exitCode, output, messages }) => [exitCode, output, messages]);
    expect(outcomes).toEqual(
      refused.map(([, exitCode, sentence]) => [exitCode, '', [expect.stringContaining(sentence)]]),
    );
  });

  it('says that no change was found', async () => {
    const result = await audit('--table', 'acls');
    expect(result).toMatchObject({ exitCode: 0, output: '', messages: ['No change was found'] });
    const organisationId = await makeOrganisation(service);
    const { id, username } = await makeUser(service, { organisationId });
    expect(await audit('--user', username)).toMatchObject({
      exitCode: 0,
      output: '',
      messages: [
        `${username} made no such change; --table users --record ${id} shows changes of the user's own record`,
      ],
    });
  });
});
