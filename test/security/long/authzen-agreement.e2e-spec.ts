import type { Role } from '@app/security/access/roles';
import { RouteTable } from '@app/security/access/route-table';
import { makeBrand } from '../../support/factories/brands-factories';
import { type MadeUser, makeGrant, makeOrganisation, makeUser } from '../../support/factories/factories';
import { varyGrants } from '../../support/factories/grants-factories';
import { makeServiceKey, type ServiceKeyOptions } from '../../support/factories/key-factories';
import { makeTeam, register } from '../../support/factories/records';
import { suspend } from '../../support/factories/suspensions-factories';
import { pickOf, randomNumbers } from '../../support/generators/random';
import { sampled, SHARED_VARIANTS } from '../../support/generators/sampled';
import { AuthzenClient, type Decided, type Named, named, question } from '../../support/service/authzen';
import { type ApiClient, asAdmin } from '../../support/service/client';
import { type TestService, useService } from '../../support/service/service';

const ROLES: readonly Role[] = [
  'ROLE_CUSTADMIN',
  'ROLE_FINANCE',
  'ROLE_APP',
  'ROLE_SYSTEM',
  'ROLE_DOMAIN',
  'ROLE_MAIL',
];
const KINDS = ['app', 'domain', 'mailgroup', 'system'] as const;
const RECORD_ACTIONS = ['read', 'manage'];

interface RandomWorld {
  readonly service: TestService;
  readonly admin: ApiClient;
  readonly authzen: AuthzenClient;
  readonly users: readonly MadeUser[];
  readonly keys: readonly {
    readonly id: number;
    readonly organisationId: number;
    readonly client: ApiClient;
  }[];
  readonly organisations: readonly number[];
  readonly teams: readonly { readonly id: number; readonly organisationId: number }[];
}

async function randomWorld(service: TestService, seed: number): Promise<RandomWorld> {
  const random = randomNumbers(seed);
  const admin = await asAdmin(service);
  const organisations = [1];
  for (let made = 0; made < 9; made++) {
    const parentId = pickOf(random, organisations);
    const resellerId = random(3) === 0 ? pickOf(random, organisations) : null;
    organisations.push(await makeOrganisation(service, { parentId, resellerId }));
  }
  const customers = organisations.slice(1);
  for (let made = 0; made < 7; made++) {
    const giver = pickOf(random, customers);
    const grantee = pickOf(random, organisations);
    if (giver !== grantee) await makeGrant(service, giver, grantee).catch(() => undefined);
  }
  const users = [await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN', 'ROLE_APP'] })];
  for (const organisationId of organisations) {
    for (let made = 0; made < 2; made++) {
      const first = random(3) === 0 ? ROLES[0] : pickOf(random, ROLES);
      const second = pickOf(random, ROLES);
      const roles = [...new Set([first as Role, second])].slice(0, random(3));
      users.push(await makeUser(service, { organisationId, roles, enabled: random(8) > 0 }));
    }
  }
  const keys = [];
  for (const organisationId of [1, 1, ...customers.slice(0, 4)]) {
    const operations = pickOf(random, [
      ['contacts.*', 'organisations.read'],
      ['invitations.create'],
      ['teams.update'],
    ]);
    const isFirst: boolean = organisationId === 1 && keys.length === 0;
    const expiresIn = random(6) === 0 ? '-1 day' : '1 day';
    const options: ServiceKeyOptions = { operations, asAdmin: isFirst, beneath: random(2) === 0, expiresIn };
    keys.push({ ...(await makeServiceKey(service, organisationId, options)), organisationId });
  }
  const teams = [];
  const records = KINDS.flatMap((kind) =>
    [1, 2, 3].map((id) => ({ kind, id, name: kind, organisationId: pickOf(random, customers) })),
  );
  await register(service, ...records);
  for (let made = 0; made < 6; made++) {
    const organisationId = pickOf(random, customers);
    const userIds = users.filter((user) => user.organisationId === organisationId).map(({ id }) => id);
    const id = await makeTeam(service, organisationId, { userIds: userIds.slice(0, 1 + random(2)) });
    teams.push({ id, organisationId });
    // Written straight to the database: some records are out of the team's reach, as
    // after the end of a grant.
    for (const { kind, id: objectId } of records.filter(() => random(3) === 0)) {
      await service.sql`INSERT INTO team_entities (team_id, kind, object_id) VALUES (${id}, ${`${kind}s`}, ${objectId})`;
    }
  }
  teams.push(...(await varyGrants(service)));
  await suspend(admin, pickOf(random, customers));
  await suspend(admin, pickOf(random, customers.slice(4)), { withSubOrganisations: true });
  return { service, admin, authzen: new AuthzenClient(service, admin), users, keys, organisations, teams };
}

/** The routes that end at a resource of each type, or at a list of it, by their operations. */
function routesOf({
  service,
}: RandomWorld): Record<string, { operation: string; method: string; path: string }[]> {
  const ends = { organisation: ':organisationId', user: ':userId', team: ':teamId' };
  return Object.fromEntries(
    Object.entries(ends).map(([type, end]) => [
      type,
      service.app.get(RouteTable).routes.flatMap(({ operation, method, path }) => {
        const rest = path.split(`/${end}`)[1];
        // A team of a grant is one of two records.
        const isSimple = !path.includes(':grantId') && (type !== 'user' || !path.includes(':teamId'));
        return operation !== undefined && isSimple && rest?.includes(':') === false
          ? [{ operation, method, path }]
          : [];
      }),
    ]),
  );
}

/** Bodies that every route of a change refuses, so that nothing changes. */
const NO_BODY = ['never an object'];

/** Routes that take no body, or may. */
const CHANGING = /2fa|recoveryCodes|delete|deleteOthers/;

describe.each(SHARED_VARIANTS)('AuthZEN over random trees in Variant %s', (variant) => {
  const service = useService(variant, { settings: { databasePool: 4 } });
  let world: RandomWorld;
  beforeAll(async () => {
    world = await randomWorld(service, variant === 'A' ? 20261123 : 4711);
    for (const id of world.organisations) await makeBrand(service, id);
  });

  const subjects = (): Named[] => [
    ...world.users.map(({ id }) => named('user', id)),
    ...world.keys.map(({ id }) => named('service_key', id)),
    named('user', 999_999),
  ];
  const resources = (): Named[] => [
    ...world.organisations.map((id) => named('organisation', id)),
    ...world.users.map(({ id }) => named('user', id)),
    ...world.teams.map(({ id }) => named('team', id)),
    ...KINDS.flatMap((kind) => [1, 2, 3, 4].map((id) => named(kind, id))),
  ];
  const actionsOn = ({ type }: Named): string[] => {
    const routes = routesOf(world)[type];
    return routes === undefined ? RECORD_ACTIONS : [...new Set(routes.map(({ operation }) => operation))];
  };

  it('evaluates as `explain` and as the real answer', async () => {
    const random = randomNumbers(7);
    const routes = routesOf(world);
    const organisationOf = (resource: Named): number => {
      if (resource.type === 'organisation') return Number(resource.id);
      const holders = resource.type === 'user' ? world.users : world.teams;
      return holders.find(({ id }) => String(id) === resource.id)?.organisationId ?? 0;
    };
    const wrong: unknown[] = [];
    let allowed = 0;
    for (let turn = 0; turn < sampled(250); turn++) {
      const type = pickOf(random, ['organisation', 'user', 'team']);
      const route = pickOf(random, routes[type] ?? []);
      const isUser = random(4) > 0;
      const asker = isUser ? pickOf(random, world.users) : pickOf(random, world.keys);
      const ofType = resources().filter((one) => one.type === type);
      const near = ofType.filter((one) => organisationOf(one) === asker.organisationId);
      const resource = pickOf(random, near.length > 0 && random(2) === 0 ? near : ofType);
      const path = route.path
        .replace(':organisationId', String(organisationOf(resource)))
        .replace(/:(userId|teamId)/, resource.id);
      const asked = question(named(isUser ? 'user' : 'service_key', asker.id), route.operation, resource);
      const { decision, context } = await world.authzen.evaluate(asked);
      const whose = isUser ? { userId: asker.id } : { hash: asker.client.hash };
      const explained = await world.admin
        .post('/access/explain', { method: route.method, path, ...whose })
        .expect(200);
      const { verdict, reason, because } = (
        explained.body as { explanation: Record<'verdict' | 'reason' | 'because', string> }
      ).explanation;
      const expected = verdict === 'allow' ? 'ALLOWED' : reason;
      if (decision !== (verdict === 'allow') || context.reason !== expected || context.because !== because) {
        wrong.push({ asked, decision, context, verdict, reason, because });
      }
      allowed += decision ? 1 : 0;
      if (CHANGING.test(route.operation)) continue;
      const method = route.method.toLowerCase() as 'get';
      const answer = await asker.client.call(method, path.slice(3), method === 'get' ? undefined : NO_BODY);
      // What the guard lets through is refused for its body, with 400, or is a read.
      const isThrough = answer.status === 200 || answer.status === 400;
      if (decision !== isThrough)
        wrong.push({ asked, decision, status: answer.status, body: answer.body as object });
    }
    expect(wrong).toEqual([]);
    expect(allowed).toBeGreaterThan(sampled(30));
  });

  it('says of each question of a batch what it says of the question alone', async () => {
    const random = randomNumbers(8);
    const askers = subjects();
    const asked = resources();
    let allowed = 0;
    for (let turn = 0; turn < sampled(6); turn++) {
      const batch = Array.from({ length: 20 }, () => {
        const resource = pickOf(random, asked);
        return question(pickOf(random, askers), pickOf(random, actionsOn(resource)), resource);
      });
      // Some stand in it twice.
      batch.push(...batch.slice(0, 5));
      const alone: Decided[] = [];
      for (const one of batch) alone.push(await world.authzen.evaluate(one));
      expect(await world.authzen.evaluateAll(batch)).toEqual(alone);
      allowed += alone.filter(({ decision }) => decision).length;
    }
    expect(allowed).toBeGreaterThan(0);
  });
});
