import { Files, runCli, type CliResult } from '../support/service/cli';
import { asAdmin } from '../support/service/client';
import { makeOrganisation, nextNumber } from '../support/factories/factories';
import { useService, useMade } from '../support/service/service';

const service = useService('B');
let organisationId: number;
const files = new Files();

const admin = useMade(() => asAdmin(service));
afterAll(() => files.remove());
beforeEach(async () => {
  organisationId = await makeOrganisation(service, { name: 'Bakery' });
});

const newId = (): number => 5000 + nextNumber();
const importText = (name: string, content: string, ...flags: string[]): Promise<CliResult> =>
  runCli(service.database, ['import-entities', files.write(name, content), '--json', ...flags]);
const mailDomain = (id: number) => ({
  id,
  name: 'bakery',
  mailPrimary: true,
  domaintype: { id: 1, name: 'Netherlands', extension: 'nl' },
});
const overview = async () =>
  (await admin.get(`/organisations/${organisationId}/entities`).expect(200)).body as object;

it('imports entities that the overview then shows', async () => {
  const [app, domain, group, system] = [newId(), newId(), newId(), newId()] as const;
  const rows = [
    { kind: 'app', id: app, name: 'shop', organisationId },
    { kind: 'domain', id: domain, name: 'bakery.nl', organisationId },
    { kind: 'mailgroup', id: group, name: 'post', organisationId, domains: [mailDomain(7)] },
    { kind: 'system', id: system, name: 'web1', organisationId },
  ];
  const result = await importText('entities.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
  expect(result.report).toMatchObject({ stored: 4, refused: 0 });
  const owner = { organisationId, organisationName: 'Bakery' };
  expect(await overview()).toEqual({
    total: { apps: 1, domains: 1, mailgroups: 1, systems: 1 },
    apps: [{ id: app, name: 'shop', ...owner }],
    domains: [{ id: domain, fullname: 'bakery.nl', ...owner }],
    mailgroups: [{ id: group, name: 'post', ...owner, domains: [mailDomain(7)] }],
    systems: [{ id: system, name: 'web1', ...owner }],
  });
});
