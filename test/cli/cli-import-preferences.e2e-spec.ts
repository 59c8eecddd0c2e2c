import { type MadeUser, makeOrganisation, makeUser } from '../support/factories/factories';
import { type CliResult, runCli } from '../support/service/cli';
import { useFiles } from '../support/service/files';
import { useService } from '../support/service/service';

const service = useService('A');
const files = useFiles();
let user: MadeUser;

let run = 0;
beforeEach(async () => {
  run += 1;
  user = await makeUser(service, { organisationId: await makeOrganisation(service) });
});

const importText = (name: string, text: string, ...flags: string[]): Promise<CliResult> =>
  runCli(service.database, ['import-preferences', files.write(`${run}${name}`, text), '--json', ...flags]);
const importRows = (rows: readonly object[], ...flags: string[]): Promise<CliResult> =>
  importText('rows.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'), ...flags);
const reasons = ({ report }: CliResult): string[] =>
  (report['refusedRows'] as { reason: string }[]).map(({ reason }) => reason);
const counts = (stored: number, kept: number, refused: number) => ({ stored, kept, refused });
const read = async ({ client, organisationId, id }: MadeUser): Promise<string> =>
  (await client.get(`/organisations/${organisationId}/users/${id}/preferences`).expect(200)).text;

it('cli import-preferences takes darkTheme and shortcuts over as they are, and GET …/preferences answers them', async () => {
  const other = await makeUser(service, { organisationId: user.organisationId });
  const csv = [
    'username,userId,darkTheme,shortcuts',
    `${user.username.toUpperCase()},,true,"[{""z"":1,""a"":{""url"":""/é""}},{""b"":[]}]"`,
    `,${other.id},,`,
  ];
  const result = await importText('preferences.csv', csv.join('\n'));
  expect(result).toMatchObject({ exitCode: 0, messages: [], report: counts(2, 0, 0) });
  expect(await read(user)).toBe(
    '{"preferences":{"darkTheme":true,"shortcuts":[{"z":1,"a":{"url":"/é"}},{"b":[]}]}}',
  );
  expect(await read(other)).toBe('{"preferences":{"darkTheme":false,"shortcuts":[]}}');
  const path = `/organisations/${user.organisationId}/users/${user.id}/preferences`;
  await user.client.patch(path, { darkTheme: false }).expect(204);
  expect(await read(user)).toContain('"darkTheme":false,"shortcuts":[{"z":1');
});

it('cli import-preferences names bad rows, writes nothing with --dry-run, and goes on where a run ended', async () => {
  const row = { userId: user.id, darkTheme: true };
  const rows = [
    row,
    { username: user.username },
    { userId: user.id, username: user.username },
    { userId: 1_999_999_999, darkTheme: 'perhaps', shortcuts: ['x'] },
    { userId: user.id, shortcuts: [{ text: 'x'.repeat(16_384) }], colour: 'red' },
  ];
  for (const flags of [['--dry-run'], []]) {
    const result = await importRows(rows, ...flags);
    expect(result.report).toMatchObject(counts(1, 0, 4));
    expect(reasons(result)).toEqual([
      'A row above has the preferences of this user.',
      'username: Exactly one of username, userId should be given.',
      'darkTheme: This value should be true or false.; ' +
        'shortcuts: This value should be an array of objects.; userId: This user does not exist.',
      expect.stringMatching(
        /^colour: .*not known.*; shortcuts: .*16384 bytes|^shortcuts: .*16384 bytes.*; colour: /,
      ),
    ]);
    const stored =
      await service.sql`SELECT dark_theme AS dark FROM user_preferences WHERE user_id = ${user.id}`;
    expect(stored).toEqual(flags.length === 0 ? [{ dark: true }] : []);
  }
  expect((await importRows([row])).report).toMatchObject(counts(0, 1, 0));
  const changed = await importRows([{ ...row, darkTheme: false }]);
  expect(reasons(changed)).toEqual(['it is there already, with another darkTheme']);
});
