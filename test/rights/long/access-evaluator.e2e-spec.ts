import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { type AccessRow, accessStatement } from '@app/security/access/access.queries';
import {
  type AddressedUser,
  decide,
  type OrganisationRelation,
  relationOf,
} from '@app/security/access/access-evaluation';
import { type Operation, type Privilege, PRIVILEGES, type Verdict } from '@app/security/access/privileges';
import type { Role } from '@app/security/access/roles';
import { digestOf } from '@app/security/secrets/digest';
import { type PerVariant, type Variant, VARIANTS } from '../../../qa/variants';
import { type MadeUser, makeGrant, makeOrganisation, makeUser } from '../../support/factories/factories';
import { makeTeam } from '../../support/factories/records';
import { Wire } from '../../support/generators/access-calls';
import { wordsOf } from '../../support/generators/access-cells';
import { lowerWriteBarrier, raiseWriteBarrier } from '../../support/generators/access-state';
import { cellOf, type RowName, RULES } from '../../support/generators/access-table';
import { type DescribedRoute, Interface, nameOfRoute } from '../../support/generators/interface';
import { pickOf, randomNumbers } from '../../support/generators/random';
import { sampled } from '../../support/generators/sampled';
import { type TestService, useService } from '../../support/service/service';

const CALLER_ROLES: readonly (readonly Role[])[] = [
  [],
  ['ROLE_FINANCE'],
  ['ROLE_CUSTADMIN'],
  ['ROLE_CUSTADMIN', 'ROLE_FINANCE'],
  ['ROLE_ADMIN'],
  ['ROLE_ADMIN', 'ROLE_CUSTADMIN'],
];
const FLAGS = [false, true];

interface Standing {
  readonly roles: readonly Role[];
  readonly relation: OrganisationRelation | undefined;
}

const TO_READ = { id: 1, access: 'read', lacksSecondFactor: false } as const;
const TO_MANAGE = { ...TO_READ, access: 'manage' } as const;
const UNPROVEN = { ...TO_MANAGE, lacksSecondFactor: true };
const GRANTS = [null, TO_READ, UNPROVEN, TO_MANAGE] as const;
/** A grant to manage covers at least what a grant to read does. */
const LESS_THAN = new Map<unknown, readonly (typeof GRANTS)[number][]>([
  [TO_READ, [null]],
  [UNPROVEN, [null]],
  [TO_MANAGE, [null, TO_READ, UNPROVEN]],
]);

/** Everything that could be taken away from a caller, one thing at a time. */
const lessThan = ({ roles, relation }: Standing): Standing[] => [
  ...roles.map((gone) => ({ roles: roles.filter((role) => role !== gone), relation })),
  ...(relation?.beneath ? [{ roles, relation: { ...relation, beneath: false } }] : []),
  ...(relation === undefined
    ? []
    : (LESS_THAN.get(relation.grant) ?? []).map((grant) => ({ roles, relation: { ...relation, grant } }))),
];

describe('the verdict of privileges.ts', () => {
  it('never becomes an allowance by losing a role, a link or a grant', () => {
    const users: (AddressedUser | undefined)[] = [
      undefined,
      { id: 1, roles: [] },
      { id: 2, roles: [] },
      { id: 2, roles: ['ROLE_ADMIN'] },
    ];
    const relations = [
      undefined,
      ...FLAGS.flatMap((own) => FLAGS.flatMap((beneath) => GRANTS.map((grant) => ({ own, beneath, grant })))),
    ];
    const won: string[] = [];
    let compared = 0;
    for (const [operation, privilege] of Object.entries<Privilege>(PRIVILEGES)) {
      for (const user of users) {
        for (const kind of ['login', 'api_key'] as const) {
          const verdict = ({ roles, relation }: Standing): Verdict =>
            decide(privilege, { roles, userId: 1, credential: { kind, id: 1 } }, relation, user).verdict;
          for (const standing of CALLER_ROLES.flatMap((roles) =>
            relations.map((relation) => ({ roles, relation })),
          )) {
            for (const less of lessThan(standing)) {
              compared += 1;
              // rule support 8: what its managers change, admins only read.
              if (operation === 'supportaccess.update' && standing.roles.includes('ROLE_ADMIN')) continue;
              if (verdict(less) === 'allow' && verdict(standing) !== 'allow') {
                won.push(`${operation} ${JSON.stringify({ standing, less, user, kind })}`);
              }
            }
          }
        }
      }
    }
    expect(won).toEqual([]);
    expect(compared).toBeGreaterThan(20_000);
  });
});

interface RandomGrant {
  readonly from: number;
  readonly to: number;
  readonly access: 'read' | 'manage';
  /** Users of its teams; undefined: it has never had one. */
  readonly members: readonly number[] | undefined;
}

/** rule grants 17, rule grants 19, rule grants 23: who of the grantee uses it. */
const isUser = ({ access, members }: RandomGrant, { id, roles }: RandomWorld['users'][number]): boolean =>
  roles.includes('ROLE_CUSTADMIN') || (members?.includes(id) ?? access === 'read');

/** A random world as plain arrays: all that the independent evaluator looks at. */
interface RandomWorld {
  readonly organisations: { id: number; parent: number; reseller: number | null; deleted: boolean }[];
  readonly grants: RandomGrant[];
  readonly users: (MadeUser & { roles: readonly string[] })[];
}

interface Question {
  readonly caller: RandomWorld['users'][number];
  readonly organisationId: number;
  readonly userId: number | undefined;
  readonly route: DescribedRoute;
}

/** Ways up from an organisation, link by link. */
function isBeneath({ organisations }: RandomWorld, below: number, above: number): boolean {
  const found = organisations.find(({ id }) => id === below);
  if (found === undefined) return false;
  return [found.parent, found.reseller].some(
    (link) => link !== null && (link === above || isBeneath({ organisations } as RandomWorld, link, above)),
  );
}

function expectedOf(world: RandomWorld, variant: Variant, question: Question): string {
  const { caller, organisationId, userId, route } = question;
  const organisation = world.organisations.find(({ id }) => id === organisationId);
  const exists = organisationId === 1 || organisation?.deleted === false;
  const user = world.users.find(({ id }) => id === userId);
  if (!exists || (userId !== undefined && user?.organisationId !== organisationId)) return '404 NOT_FOUND';
  const grant = world.grants.find(({ from, to }) => from === organisationId && to === caller.organisationId);
  const isUsed = grant !== undefined && isUser(grant, caller);
  const cell = cellOf({
    rule: RULES[variant][nameOfRoute(route)] as RowName,
    roles: caller.roles,
    withKey: false,
    organisation: {
      own: caller.organisationId === organisationId,
      beneath: isBeneath(world, organisationId, caller.organisationId),
      grant: isUsed ? grant.access : undefined,
    },
    operation: route.operation as Operation,
    user: user && {
      isSelf: user.id === caller.id,
      isAdmin: user.roles.includes('ROLE_ADMIN'),
    },
  });
  return {
    yes: 'allowed',
    no: '403 ACCESS_DENIED',
    role: '500 ROLE_REQUIRED',
    uncovered: '403 GRANT_DOES_NOT_COVER',
    person: '403 API_KEY_REFUSED',
  }[cell];
}

async function makeRandomWorld(
  service: TestService,
  random: (below: number) => number,
): Promise<RandomWorld> {
  const organisations: RandomWorld['organisations'] = [];
  for (let count = 0; count < 40; count++) {
    const parent = random(3) === 0 || count === 0 ? 1 : pickOf(random, organisations).id;
    const reseller = random(2) === 0 || count === 0 ? null : pickOf(random, organisations).id;
    const id = await makeOrganisation(service, { parentId: parent, resellerId: reseller });
    organisations.push({ id, parent, reseller, deleted: false });
  }
  for (let moves = 0; moves < 20; moves++) {
    const moved = pickOf(random, organisations);
    const target = pickOf(random, organisations);
    if (moved.id === target.id || isBeneath({ organisations } as RandomWorld, target.id, moved.id)) continue;
    if (random(2) === 0) moved.parent = target.id;
    else moved.reseller = target.id;
    await service.sql`UPDATE organisations SET parent_id = ${moved.parent}, reseller_id = ${moved.reseller}
       WHERE id = ${moved.id}`;
  }
  const isLeaf = (id: number) =>
    !organisations.some(({ parent, reseller }) => parent === id || reseller === id);
  for (const organisation of organisations.filter(({ id }) => isLeaf(id)).slice(0, 3)) {
    organisation.deleted = true;
    await service.sql`UPDATE organisations SET deleted_at = now() WHERE id = ${organisation.id}`;
  }
  const live = organisations.filter(({ deleted }) => !deleted).map(({ id }) => id);
  const users: RandomWorld['users'] = [];
  for (const organisationId of [1, 1, 1, 1, ...live, ...live]) {
    const roles =
      organisationId === 1 && users.length === 0
        ? ['ROLE_ADMIN']
        : pickOf(random, [[], ['ROLE_CUSTADMIN'], ['ROLE_FINANCE'], ['ROLE_CUSTADMIN', 'ROLE_FINANCE']]);
    users.push({ ...(await makeUser(service, { organisationId, roles })), roles });
  }
  const grants: RandomGrant[] = [];
  for (let count = 0; count < 60; count++) {
    const from = pickOf(random, live);
    const to = pickOf(random, live);
    if (from === to || grants.some((grant) => grant.from === from && grant.to === to)) continue;
    const access = pickOf(random, ['read', 'manage'] as const);
    const members = users
      .filter(({ organisationId }) => organisationId === to && random(2) === 0)
      .map(({ id }) => id);
    const grant = { from, to, access, members: random(2) === 0 ? members : undefined };
    grants.push(grant);
    const grantId = await makeGrant(service, from, to, grant);
    if (grant.members === undefined) continue;
    const teamId = await makeTeam(service, to, { userIds: members });
    await service.sql`INSERT INTO acl_teams (acl_id, team_id) VALUES (${grantId}, ${teamId})`;
  }
  return { organisations, grants, users };
}

/** How often each verdict comes up at least: the questions are drawn from the routes that the variant has. */
const LEAST: PerVariant<number> = { A: 200, B: 300 };

describe.each(VARIANTS)('an independent evaluator of Variant %s', (variant) => {
  afterAll(() => wire.close());
  const service = useService(variant);
  let routes: DescribedRoute[];
  let wire: Wire;
  beforeAll(() => {
    wire = new Wire(service.url);
  });
  beforeAll(async () => {
    // Routes whose path names an organisation and perhaps a user: further records are the matrix's.
    routes = (await Interface.of(service)).routes.filter(
      ({ path }) => /:organisationId/.test(path) && !/:(?!organisationId|userId)\w+/.test(path),
    );
  });

  const ask = (random: (below: number) => number, world: RandomWorld): Question => {
    const route = pickOf(random, routes);
    const caller = pickOf(random, world.users);
    const user = random(3) === 0 ? caller : pickOf(random, world.users);
    const anywhere = pickOf(random, [...world.organisations.map(({ id }) => id), 1]);
    // Mostly a user of the organisation: else nearly all answers were 404.
    const organisationId =
      random(8) === 0 || !route.path.includes(':userId') ? anywhere : user.organisationId;
    return { caller, organisationId, userId: route.path.includes(':userId') ? user.id : undefined, route };
  };

  it('agrees with the access query and the verdict on thousands of questions', async () => {
    const random = randomNumbers(20_261_121);
    const sql = service.app.get(DatabaseReads);
    const disagreements: string[] = [];
    const counts = new Map<string, number>();
    for (let round = 0; round < 5; round++) {
      const world = await makeRandomWorld(service, random);
      const questions = Array.from({ length: sampled(2000) }, () => ask(random, world));
      const askNext = async (): Promise<void> => {
        for (let question = questions.pop(); question !== undefined; question = questions.pop()) {
          const verdict = await verdictOfService(sql, question);
          const expected = expectedOf(world, variant, question);
          counts.set(expected, (counts.get(expected) ?? 0) + 1);
          if (verdict !== expected) {
            const { caller, organisationId, userId, route } = question;
            disagreements.push(
              `${caller.id} (${caller.roles.join()}) ${nameOfRoute(route)} ${organisationId}/${userId}: ${verdict}, not ${expected}`,
            );
          }
        }
      };
      await Promise.all(Array.from({ length: 6 }, askNext));
    }
    expect(disagreements).toEqual([]);
    expect([...counts.keys()].sort()).toEqual([
      '403 ACCESS_DENIED',
      '403 GRANT_DOES_NOT_COVER',
      '404 NOT_FOUND',
      '500 ROLE_REQUIRED',
      'allowed',
    ]);
    const { '403 GRANT_DOES_NOT_COVER': uncovered = 0, ...others } = Object.fromEntries(counts);
    expect(uncovered).toBeGreaterThan(sampled(10));
    expect(Math.min(...Object.values(others))).toBeGreaterThan(sampled(LEAST[variant]));
    expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(5 * sampled(2000));
  });

  it('agrees with the service over HTTP on 200 questions', async () => {
    const random = randomNumbers(42);
    const world = await makeRandomWorld(service, random);
    await raiseWriteBarrier(service);
    try {
      const questions = Array.from({ length: 200 }, () => ask(random, world));
      const responses = await wire.sendAll(
        questions.map(({ caller, organisationId, userId, route }) => ({
          method: route.method,
          path: route.path
            .replace(':organisationId', String(organisationId))
            .replace(':userId', String(userId)),
          hash: caller.client.hash,
          body: Object.keys(route.fields).length === 0 ? undefined : {},
        })),
      );
      const words = responses.map(wordsOf);
      expect(words).toEqual(questions.map((question) => expectedOf(world, variant, question)));
    } finally {
      await lowerWriteBarrier(service);
    }
  });
});

async function verdictOfService(sql: DatabaseReads, question: Question): Promise<string> {
  const { caller, organisationId, userId, route } = question;
  const statement = accessStatement({ organisation: true, user: userId !== undefined, records: [] });
  const row = await sql.row<AccessRow>(statement, [
    digestOf(caller.client.hash as string),
    3600,
    organisationId,
    ...(userId === undefined ? [] : [userId]),
  ]);
  if (row === undefined) return '401';
  if (row.addressed_organisation_id === null) return '404 NOT_FOUND';
  if (userId !== undefined && row.addressed_user_id === null) return '404 NOT_FOUND';
  const { verdict, by } = decide(
    PRIVILEGES[route.operation as Operation],
    { roles: row.roles, userId: row.user_id, credential: { kind: row.kind, id: row.credential_id } },
    relationOf(row),
    typeof row.addressed_user_id !== 'number'
      ? undefined
      : { id: row.addressed_user_id, roles: row.addressed_user_roles ?? [] },
  );
  if (by === 'grantCoverage') return '403 GRANT_DOES_NOT_COVER';
  return { allow: 'allowed', deny: '403 ACCESS_DENIED', role: '500 ROLE_REQUIRED' }[verdict];
}
