import {
  type Customer,
  makeCustomer,
  makeGrant,
  makeOrganisation,
  nextNumber,
} from '../support/factories/factories';
import { newPublicKey } from '../support/factories/key-factories';
import { makeTeam, register } from '../support/factories/records';
import { auditRows } from '../support/service/audit';
import { type CliResult, runCli } from '../support/service/cli';
import { ApiClient, asAdmin } from '../support/service/client';
import { useFiles } from '../support/service/files';
import { useServices } from '../support/service/service';
import { NEIGHBOUR } from '../support/service/variants';

const [service, other] = useServices(['A', NEIGHBOUR]);
const files = useFiles();
let customer: Customer;
let organisationId: number;

let run = 0;
beforeEach(async () => {
  run += 1;
  customer = await makeCustomer(service);
  ({ organisationId } = customer);
});

const importRows = (rows: readonly object[], ...flags: string[]): Promise<CliResult> => {
  const text = rows.map((row) => JSON.stringify(row)).join('\n');
  return runCli(service.database, [
    'import-teams',
    files.write(`teams${run}.jsonl`, text),
    '--json',
    ...flags,
  ]);
};
const reasons = ({ report }: CliResult): string[] =>
  (report['refusedRows'] as { reason: string }[]).map(({ reason }) => reason);
const counts = (stored: number, kept: number, refused: number) => ({ stored, kept, refused });
/** Numbers that no other test of the file imports. */
const newId = (): number => 5_000 + run * 100;
const teams = () =>
  service.sql`SELECT id, name FROM teams WHERE organisation_id = ${organisationId} ORDER BY id`;

async function makeRecord(kind: 'app' | 'domain' | 'mailgroup' | 'system', owner = organisationId) {
  const id = 500_000 + nextNumber();
  const domains = kind === 'mailgroup' ? [] : undefined;
  await register(service, { kind, id, name: `${kind}${id}`, organisationId: owner, domains });
  return id;
}

it('cli import-teams takes teams over: GET …/teams/{teamId} and …/authorizedkeys show members and records in both variants', async () => {
  const [app, domain, mailgroup, system] = [
    await makeRecord('app'),
    await makeRecord('domain'),
    await makeRecord('mailgroup'),
    await makeRecord('system'),
  ];
  const { custadmin, plain } = customer;
  const csv = [
    'id,organisationId,name,autoAddSshkey,members,apps,domains,mailgroups,systems',
    `${newId()},${organisationId},Web,true,${plain.username.toUpperCase()};${custadmin.id},${app},${domain},${mailgroup},"${system}, ${system}"`,
    `,${organisationId},Empty,,,,,,`,
  ];
  const path = files.write(`teams${run}.csv`, csv.join('\n'));
  const result = await runCli(service.database, ['import-teams', path, '--json']);
  expect(result).toMatchObject({ exitCode: 0, messages: [], report: counts(2, 0, 0) });
  expect(await service.sql`SELECT 1 FROM notifications WHERE organisation_id = ${organisationId}`).toEqual(
    [],
  );
  const content = newPublicKey('jan@laptop');
  await plain.client
    .post(`/organisations/${organisationId}/users/${plain.id}/sshkeys`, { content })
    .expect(201);
  const keys = await custadmin.client.get(`/entities/systems/${system}/authorizedkeys`).expect(200);
  expect(keys.text).toBe(`${content.split(' ').slice(0, 2).join(' ')} user:${plain.id}\n`);
  for (const { url } of [service, other]) {
    const { body } = await new ApiClient(url, custadmin.client.hash)
      .get(`/organisations/${organisationId}/teams/${newId()}`)
      .expect(200);
    expect(body).toMatchObject({
      team: {
        id: newId(),
        name: 'Web',
        autoAddSshkey: true,
        users: [{ id: custadmin.id }, { id: plain.id }],
        teamEntities: {
          apps: [{ id: app, name: `app${app}` }],
          domains: [{ id: domain }],
          mailgroups: [{ id: mailgroup }],
          systems: [{ id: system }],
        },
      },
    });
  }
  expect(await teams()).toEqual([
    { id: newId(), name: 'Web' },
    { id: newId() + 1, name: 'Empty' },
  ]);
  const audited = await auditRows(
    service,
    `table_name IN ('teams', 'team_members') AND organisation_id = $1`,
    [organisationId],
  );
  expect(audited.map(({ request_id }) => request_id)).toEqual(Array(4).fill('import-teams'));
});

it('cli import-teams names every fault of a row, and exits with 3', async () => {
  const stranger = await makeCustomer(service);
  const taken = await makeTeam(service, stranger.organisationId);
  const ofStranger = await makeRecord('app', stranger.organisationId);
  const app = await makeRecord('app');
  const nowhere = 1_999_999_999;
  const row = { organisationId, name: 'Web' };
  const result = await importRows([
    { organisationId: nowhere, name: ' ', members: [true], apps: 'x' },
    { organisationId: nowhere, name: 'Web', members: ['nobody@example.com'] },
    {
      organisationId,
      name: 'Bad',
      id: taken,
      members: ['Nobody@example.com', stranger.plain.id, stranger.plain.username, customer.plain.id],
      apps: [ofStranger, app],
      systems: [app],
    },
    { ...row, members: customer.plain.username },
    { ...row, name: 'WEB' },
    { ...row, name: 'Odd', users: [1] },
  ]);
  expect(result.exitCode).toBe(3);
  expect(result.report).toMatchObject(counts(1, 0, 5));
  const outOfReach = 'This does not exist or is out of reach of the organisation:';
  expect(reasons(result)).toEqual([
    'name: This value should not be blank.; members: This value should be a list of user names and identifiers.; ' +
      'apps: This value should be a list of identifiers.; organisationId: This organisation does not exist.',
    'organisationId: This organisation does not exist.',
    'id: This id belongs to another team.; ' +
      `members: Not a user of this organisation: nobody@example.com, ${stranger.plain.id}, ${stranger.plain.username}.; ` +
      `apps: ${outOfReach} ${ofStranger}.; systems: ${outOfReach} ${app}.`,
    expect.stringMatching(/^name: .*row above, on line 4/),
    expect.stringMatching(/^users: .*not known/),
  ]);
});

it('cli import-teams takes a record of another organisation only with a grant of it', async () => {
  const grantor = await makeCustomer(service);
  const [app, domain] = [
    await makeRecord('app', grantor.organisationId),
    await makeRecord('domain', grantor.organisationId),
  ];
  const row = { organisationId, name: 'Agency', apps: [app], domains: [domain] };
  expect((await importRows([row])).report).toMatchObject(counts(0, 0, 1));
  await makeGrant(service, grantor.organisationId, organisationId);
  expect((await importRows([row])).report).toMatchObject(counts(1, 0, 0));
});

it('cli import-teams counts a user whom a row names twice as one member', async () => {
  const { plain, custadmin } = customer;
  const members = [plain.id, plain.username, plain.username.toUpperCase(), custadmin.id];
  const row = { id: newId(), organisationId, name: 'Web', members };
  expect((await importRows([row])).report).toMatchObject(counts(1, 0, 0));
  expect((await importRows([row])).report).toMatchObject(counts(0, 1, 0));
  expect(
    await service.sql`SELECT user_id FROM team_members WHERE team_id = ${newId()} ORDER BY user_id`,
  ).toEqual([custadmin.id, plain.id].sort((a, b) => a - b).map((id) => ({ user_id: id })));
});

it('cli import-teams --dry-run writes nothing, and a team that is there is kept or named as another', async () => {
  const { plain, custadmin } = customer;
  const app = await makeRecord('app');
  const row = { id: newId(), organisationId, name: 'Web', members: [plain.username], apps: [app] };
  expect((await importRows([row], '--dry-run')).report).toMatchObject({ dryRun: true, ...counts(1, 0, 0) });
  expect(await teams()).toEqual([]);
  expect((await importRows([row])).report).toMatchObject(counts(1, 0, 0));
  expect((await importRows([{ ...row, members: [plain.id] }])).report).toMatchObject(counts(0, 1, 0));
  const admin = await asAdmin(service);
  await admin.put(`/organisations/${organisationId}/teams/${newId()}/users/${custadmin.id}`).expect(204);
  expect(reasons(await importRows([row]))).toEqual(['it is there already, with another members']);
  const changed = { ...row, id: newId() + 1, name: 'WEB', apps: [], members: [plain.id, custadmin.id] };
  expect(reasons(await importRows([changed]))).toEqual(['it is there already, with another id, name, apps']);
  expect(await teams()).toEqual([{ id: newId(), name: 'Web' }]);
});

it('cli import-teams refuses the 201st team of an organisation, with --dry-run too, and loses no other row', async () => {
  const rows = [
    ...Array.from({ length: 202 }, (_, n) => ({ organisationId, name: `Team ${n}` })),
    { organisationId: await makeOrganisation(service), name: 'Last' },
  ];
  for (const flags of [['--dry-run'], []]) {
    const result = await importRows(rows, ...flags);
    expect(result.report).toMatchObject(counts(201, 0, 2));
    expect(reasons(result)).toEqual(Array(2).fill('An organisation has at most 200 teams.'));
  }
  expect(await teams()).toHaveLength(200);
});
