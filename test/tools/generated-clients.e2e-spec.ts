import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { VARIANTS } from '../../qa/variants';
import { makeCustomer, makeOrganisation } from '../support/factories/factories';
import { makeInvitation } from '../support/factories/invitations-factories';
import { makeTeam } from '../support/factories/records';
import { commandsOf } from '../support/generators/samples';
import { asAdmin } from '../support/service/client';
import { describeService } from '../support/service/service';

const run = promisify(execFile);
const root = join(__dirname, '../..');
const inModules = (path: string): string => join(root, 'node_modules', path);

/** The first admin of the operator organisation. */
const ADMIN_ID = 1;

/** The kinds of client that are generated from a description, by what their generators make of it. */
const KINDS = ['types', 'sdk', 'zod'] as const;

/** What all programs share: the records, and what each is told to change. */
const PREAMBLE = `
const { url, hash, organisation, user, invitation, team } = JSON.parse(process.argv[2] ?? '{}');
const inOrganisation = { organisationId: Number(organisation.id) };
const renamed = (kind: string) => ({
  put: { name: organisation.name, taxNumber: organisation.taxNumber, city: 'City by ' + kind },
  patch: { name: organisation.name, taxNumber: organisation.taxNumber, street: 'Street by ' + kind },
  user: { username: user.username, firstName: 'First by ' + kind, lastName: user.lastName },
  invitation: { email: invitation.email, firstName: 'First by ' + kind, lastName: invitation.lastName },
  team: { name: 'Team by ' + kind },
});
async function send(method: string, path: string, body: object): Promise<void> {
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: hash, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 204) throw new Error(method + ' ' + path + ': ' + (await response.text()));
}
`;

const PATHS = `
const organisationPath = '/v1/organisations/' + organisation.id;
const userPath = organisationPath + '/users/' + user.id;
const invitationPath = organisationPath + '/invitations/' + invitation.id;
const teamPath = organisationPath + '/teams/' + team.id;
`;

/** A program of each kind, which changes one field of each record and leaves the rest to its generator. */
const PROGRAMS: Readonly<Record<(typeof KINDS)[number], string>> = {
  types: `
import type { paths } from './interface.js';
${PREAMBLE}${PATHS}
type Organisation = paths['/v1/organisations/{organisationId}'];
type User = paths['/v1/organisations/{organisationId}/users/{userId}'];
type Invitation = paths['/v1/organisations/{organisationId}/invitations/{invitationId}'];
type Team = paths['/v1/organisations/{organisationId}/teams/{teamId}'];
type Body<Operation extends { requestBody?: object }> = NonNullable<Operation['requestBody']> extends {
  content: { 'application/json': infer Content };
} ? Content : never;
// An id of a response is the id of a path, and a list is what it holds: neither text nor csv.
type List = paths['/v1/organisations']['get']['responses'][200]['content'];
export const next = (list: List[keyof List]): Organisation['get']['parameters']['path'] => ({
  organisationId: list.organisations[0]?.id ?? 1,
});
// @ts-expect-error: a tax number is required
export const incomplete: Body<paths['/v1/organisations']['post']> = { name: 'Bakkerij' };
// @ts-expect-error: names are text
export const wrong: Body<Organisation['put']> = { name: ['Bakkerij'], taxNumber: 'NL-1' };
// @ts-expect-error: a country is an object or null
export const countryOf = (list: List[keyof List]): string | undefined => list.organisations[0]?.country.name;
// What has a default may be left out.
export const login: Body<paths['/v1/login']['post']> = { username: 'jan@example.nl', password: 'Welkom-123' };
const changes = renamed('types');
const put: Body<Organisation['put']> = changes.put;
const patch: Body<Organisation['patch']> = changes.patch;
const userBody: Body<User['patch']> = changes.user;
const invitationBody: Body<Invitation['put']> = changes.invitation;
const teamBody: Body<Team['put']> = changes.team;
await send('PUT', organisationPath, put);
await send('PATCH', organisationPath, patch);
await send('PATCH', userPath, userBody);
await send('PUT', invitationPath, invitationBody);
await send('PUT', teamPath, teamBody);
`,
  sdk: `
import { client } from './client-ts/client.gen.js';
import { invitationsUpdate, organisationsReplace, organisationsUpdate, teamsUpdate, usersUpdate } from './client-ts/sdk.gen.js';
${PREAMBLE}
client.setConfig({ baseUrl: url, auth: hash, throwOnError: true });
const changes = renamed('sdk');
await organisationsReplace({ path: inOrganisation, body: changes.put });
await organisationsUpdate({ path: inOrganisation, body: changes.patch });
await usersUpdate({ path: { ...inOrganisation, userId: user.id }, body: changes.user });
await invitationsUpdate({ path: { ...inOrganisation, invitationId: invitation.id }, body: changes.invitation });
await teamsUpdate({ path: { ...inOrganisation, teamId: team.id }, body: changes.team });
`,
  // What a parser fills in is sent as if it had been asked for.
  zod: `
import {
  zInvitationsUpdateBody, zOrganisationsReplaceBody, zOrganisationsUpdateBody, zTeamsUpdateBody, zUsersUpdateBody,
} from './parsers/zod.gen.js';
${PREAMBLE}${PATHS}
const changes = renamed('zod');
await send('PUT', organisationPath, zOrganisationsReplaceBody.parse(changes.put));
await send('PATCH', organisationPath, zOrganisationsUpdateBody.parse(changes.patch));
await send('PATCH', userPath, zUsersUpdateBody.parse(changes.user));
await send('PUT', invitationPath, zInvitationsUpdateBody.parse(changes.invitation));
await send('PUT', teamPath, zTeamsUpdateBody.parse(changes.team));
`,
};

const CONFIGURATION = {
  compilerOptions: {
    strict: true,
    module: 'nodenext',
    moduleResolution: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    skipLibCheck: true,
  },
};

/** As a project sets it up whose bundler finds the modules. */
const ALONE = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  },
};

/** Every column that requests set, away from what it is at creation; those that no response shows too. */
const SETTINGS = `UPDATE organisations SET street = 'Dorpsstraat', house_number = '12a', zip = '1234 AB', country_code = 'BE',
  organisation_type = 2, external_id = 'CRM-1', external_info_required = 2, must_pay_tax = false, update_entities_only = true,
  remarks_to_print_invoice = 'Remarks', prevent_deactivation = false, next_invoice_run = to_timestamp(1767225600),
  required_2fa = true, agency_mode = 1, bundle_pro_rata = true, test_account = true, payment_period = 60,
  document_interval = '3', commission_factor = 4, source1 = 'One', source2 = 'Two', reseller_kickback = 5,
  default_reseller_kickback = 6, pdf_invoice = true, default_agreements = '{"App": 7}', information = 'Information',
  invoice_day_min = 8, invoice_day_max = 9, reseller_id = $2 WHERE id = $1`;

type Row = Readonly<Record<string, unknown>>;

const PAGE = 'docs/generated-clients.md';
const INSTALLATION = 600_000;

/** The lines that the page prints for TypeScript. */
const LINES = commandsOf(PAGE, 'client-ts').trim().split('\n');

/** Name and version of each package that the lines name. */
const PACKAGES = [...LINES.join(' ').matchAll(/ -p (\S+)@(\S+)/g)].map(([, name = '', version = '']) => ({
  name,
  version,
}));

/** Runs the printed lines as a reader does, for the description of a running service. */
async function runLines(url: string, folder: string, settings: NodeJS.ProcessEnv = {}): Promise<void> {
  for (const line of LINES) {
    const command = line.replace('http://localhost:3000', url);
    await run('sh', ['-ec', command], { cwd: folder, env: { ...process.env, ...settings } });
  }
}

/** Beneath this tree npx takes the installed packages, as a project that has the same ones does. */
const INSTALLED = { npm_config_offline: 'true' };

const compile = (folder: string): Promise<unknown> =>
  run(process.execPath, [inModules('typescript/bin/tsc'), '--project', folder]).catch(
    ({ stdout }: { stdout: string }) => {
      throw new Error(stdout);
    },
  );

/** Types, SDK and parsers from the description alone, and the programs that use them, compiled. */
async function generateClients(folder: string, url: string): Promise<void> {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONFIGURATION));
  await runLines(url, folder, INSTALLED);
  writeFileSync(
    join(folder, 'config.mjs'),
    `export default ${JSON.stringify({
      input: `${url}/docs/openapi.json`,
      output: { path: join(folder, 'parsers'), module: { extension: '.js' } },
      plugins: ['@hey-api/typescript', 'zod'],
    })}`,
  );
  const generator = inModules('@hey-api/openapi-ts/bin/run.js');
  await run(process.execPath, [generator, '--file', 'config.mjs'], { cwd: folder });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const kind of KINDS) writeFileSync(join(folder, `${kind}.ts`), PROGRAMS[kind]);
  await compile(folder);
}

/** Whether the registry can be reached: the packages of each line, without its program. */
const canFetch = LINES.every((line) => {
  const packages = /^npx --yes(?: -p \S+)+/.exec(line)?.[0];
  return (
    spawnSync('sh', ['-ec', `${packages} -- true`], { cwd: tmpdir(), timeout: INSTALLATION }).status === 0
  );
});

interface Manifest {
  readonly version: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(inModules(`${name}/package.json`), 'utf8')) as Manifest;

describe('the lines of docs/generated-clients.md', () => {
  it('name the installed version of each package', () => {
    expect(PACKAGES.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['@hey-api/openapi-ts', 'openapi-typescript']),
    );
    expect(PACKAGES).toEqual(PACKAGES.map(({ name }) => ({ name, version: manifestOf(name).version })));
  });

  it('leave no package to npx whose range has no upper end', () => {
    const named = PACKAGES.map(({ name }) => name);
    const open = named.flatMap((name) =>
      Object.entries(manifestOf(name).peerDependencies ?? {}).filter(([, range]) => /^>=|\*/.test(range)),
    );
    expect(open).toEqual([['typescript', expect.any(String)]]);
    expect(named).toEqual(expect.arrayContaining(open.map(([name]) => name)));
  });
});

describeService(VARIANTS, 'clients generated from the description of Variant %s', (service) => {
  let folder: string;
  let hash: string;
  let ids: Readonly<Record<'organisations' | 'users' | 'invitations' | 'teams', number>>;

  beforeAll(async () => {
    // Beside the tests, so that packages are found as a client of ours would find its own.
    mkdirSync(join(root, '.data'), { recursive: true });
    folder = mkdtempSync(join(root, '.data/clients-'));
    await generateClients(folder, service.url);
    hash = (await asAdmin(service)).hash ?? '';
    const { organisationId, custadmin } = await makeCustomer(service);
    await service.sql(SETTINGS, [organisationId, await makeOrganisation(service)]);
    await service.sql`UPDATE users
       SET language = 'fr', roles = '{ROLE_FINANCE}', website_order_information = 'Order'
       WHERE id = ${custadmin.id}`;
    const teamId = await makeTeam(service, organisationId);
    await service.sql`UPDATE teams SET auto_add_sshkey = true, admin_only = true WHERE id = ${teamId}`;
    const invitation = await makeInvitation(service, {
      organisationId,
      inviterId: ADMIN_ID,
      language: 'fr',
      autoRoles: ['ROLE_MAIL'],
      autoTeams: [teamId],
    });
    ids = { organisations: organisationId, users: custadmin.id, invitations: invitation.id, teams: teamId };
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const rowOf = async (table: keyof typeof ids): Promise<Row> => {
    const [row] = await service.sql<Row>(
      `SELECT (jsonb_populate_record(t, '{"version": 0}')).* FROM ${table} t WHERE id = $1`,
      [ids[table]],
    );
    return row as Row;
  };
  const rows = async () => ({
    organisation: await rowOf('organisations'),
    user: await rowOf('users'),
    invitation: await rowOf('invitations'),
    team: await rowOf('teams'),
  });

  (canFetch ? it : it.skip)(
    'compile where nothing but the packages of docs/generated-clients.md is installed',
    async () => {
      const elsewhere = mkdtempSync(join(tmpdir(), 'account-api-clients-'));
      try {
        await runLines(service.url, elsewhere);
        expect(readdirSync(elsewhere)).toEqual(['client-ts', 'interface.ts']);
        writeFileSync(join(elsewhere, 'tsconfig.json'), JSON.stringify(ALONE));
        await compile(elsewhere);
      } finally {
        rmSync(elsewhere, { recursive: true });
      }
    },
    INSTALLATION,
  );

  it.each(KINDS)(
    'PUT and PATCH of organisations, users, invitations and teams by %s change one field and no other',
    async (kind) => {
      const before = await rows();
      const { organisation, user, invitation, team } = before;
      const told = {
        url: service.url,
        hash,
        organisation: {
          id: organisation['id'],
          name: organisation['name'],
          taxNumber: organisation['tax_number'],
        },
        user: { id: user['id'], username: user['username'], lastName: user['last_name'] },
        invitation: { id: invitation['id'], email: invitation['email'], lastName: invitation['last_name'] },
        team: { id: team['id'] },
      };
      await run(process.execPath, [join(folder, `${kind}.js`), JSON.stringify(told)]);
      expect(await rows()).toEqual({
        organisation: { ...organisation, city: `City by ${kind}`, street: `Street by ${kind}` },
        user: { ...user, first_name: `First by ${kind}` },
        invitation: { ...invitation, first_name: `First by ${kind}` },
        team: { ...team, name: `Team by ${kind}` },
      });
    },
  );
});
