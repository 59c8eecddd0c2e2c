import { type Operation, PRIVILEGES } from '@app/security/access/privileges';
import {
  clientOf,
  type MadeUser,
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
  nextNumber,
} from '../support/factories/factories';
import { makeApiKey, makeServiceKey } from '../support/factories/key-factories';
import { linkedClient, makeLinkKey } from '../support/factories/login-links-factories';
import { passSecondFactor, storePasskey } from '../support/factories/passkey-factories';
import { makeTeam, register } from '../support/factories/records';
import { makeSupportLogin } from '../support/factories/support-factories';
import { suspend } from '../support/factories/suspensions-factories';
import { pathOfCell } from '../support/generators/access-cells';
import { COVERED } from '../support/generators/access-table';
import { furnish, NO_RELATION, type Place } from '../support/generators/access-world';
import { type DescribedRoute, Interface, nameOfRoute } from '../support/generators/interface';
import { IS_FULL, SHARED_VARIANTS } from '../support/generators/sampled';
import { verdictOn } from '../support/service/access-verdicts';
import { type ApiClient, asAdmin } from '../support/service/client';
import { type TestService, useService } from '../support/service/service';
import { letExpire } from '../support/service/time';
import {
  answerTo,
  type GrantorName,
  GRANTORS,
  isAnswer,
  PEOPLE,
  type PersonName,
  standingOf,
} from './grants-table';

type Route = DescribedRoute & { readonly operation: Operation };

interface World {
  readonly grantors: ReadonlyMap<GrantorName, Place>;
  readonly people: Readonly<Record<PersonName, ApiClient>>;
}

const ALL_OPERATIONS = [
  ...new Set(Object.keys(PRIVILEGES).map((operation) => `${operation.split('.')[0]}.*`)),
];

async function makePeople(
  service: TestService,
  organisationId: number,
  above: MadeUser,
): Promise<{ readonly people: World['people']; readonly teamId: number }> {
  const user = (...roles: string[]) => makeUser(service, { organisationId, roles });
  const plain = await user();
  const member = await user();
  const other = await user();
  const teamId = await makeTeam(service, organisationId, { userIds: [member.id] });
  await makeTeam(service, organisationId, { userIds: [other.id] });
  const custadmin = await user('ROLE_CUSTADMIN');
  const byCode = await user('ROLE_CUSTADMIN');
  await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${byCode.id}`;
  const byPasskey = await user('ROLE_CUSTADMIN');
  await storePasskey(service, byPasskey.id);
  await passSecondFactor(service, byPasskey.id);
  const keyOf = async ({ id }: MadeUser) => (await makeApiKey(service, id)).client;
  const serviceKey = await makeServiceKey(service, organisationId, {
    operations: ALL_OPERATIONS,
    beneath: true,
  });
  await service.sql`INSERT INTO support_access (organisation_id, access) VALUES (${organisationId}, 'write')`;
  const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
  const linkKey = await makeLinkKey(service);
  return {
    teamId,
    people: {
      'a user': plain.client,
      'a member of the team': member.client,
      'a member of another team': other.client,
      'a CUSTADMIN': custadmin.client,
      'a CUSTADMIN by a code': byCode.client,
      'a CUSTADMIN by a passkey': byPasskey.client,
      'a CUSTADMIN with a passkey, by the password': await clientOf(service, byPasskey.id),
      'API key of a user': await keyOf(plain),
      'API key of a member of the team': await keyOf(member),
      'API key of a CUSTADMIN': await keyOf(custadmin),
      'API key of a CUSTADMIN with an authenticator': await keyOf(byCode),
      'service key': serviceKey.client,
      'support login of a CUSTADMIN, which writes': await makeSupportLogin(service, custadmin.id, staff.id, {
        write: true,
      }),
      'login of a CUSTADMIN by a link': await linkedClient(service, linkKey.client, custadmin),
      'a CUSTADMIN above the grantee': above.client,
      'a stranger': (await makeCustomer(service)).custadmin.client,
    },
  };
}

/** Suspends the grantor itself, or the organisation above it with everything beneath. */
async function suspendGrantor(
  service: TestService,
  admin: ApiClient,
  organisationId: number,
  name: GrantorName,
): Promise<void> {
  if (!name.includes('from above')) {
    await suspend(admin, organisationId);
    return;
  }
  const above = await makeOrganisation(service);
  await service.sql`UPDATE organisations SET reseller_id = ${above} WHERE id = ${organisationId}`;
  await suspend(admin, above, { withSubOrganisations: true });
}

async function makeWorld(service: TestService): Promise<World> {
  const admin = await asAdmin(service);
  const above = await makeCustomer(service);
  const granteeId = await makeOrganisation(service, { parentId: above.organisationId });
  const { people, teamId } = await makePeople(service, granteeId, above.custadmin);
  const grantors = new Map<GrantorName, Place>();
  for (const name of GRANTORS) {
    const { organisationId, custadmin, plain } = await makeCustomer(service);
    grantors.set(
      name,
      await furnish(service, { name, organisationId, relation: NO_RELATION }, [
        plain,
        { ...custadmin, isCustadmin: true },
      ]),
    );
    if (name === 'gives nothing') continue;
    const access = name.includes('manage') ? 'manage' : 'read';
    const id = await makeGrant(service, organisationId, granteeId, { access });
    if (name.includes('a team'))
      await service.sql`INSERT INTO acl_teams (acl_id, team_id) VALUES (${id}, ${teamId})`;
    if (name.includes('expired')) await letExpire(service, 'acls', { id });
    if (name.includes('suspended')) await suspendGrantor(service, admin, organisationId, name);
    if (name.includes('second factor'))
      await service.sql`UPDATE organisations SET required_2fa = true WHERE id = ${organisationId}`;
  }
  return { grantors, people };
}

describe.each(SHARED_VARIANTS)('grants to read and to manage in Variant %s', (variant) => {
  const service = useService(variant);
  let world: World;
  let routes: readonly Route[];
  beforeAll(async () => {
    world = await makeWorld(service);
    const every = (await Interface.of(service)).routes.flatMap((route) =>
      route.operation === undefined || !route.path.includes(':organisationId')
        ? []
        : [{ ...route, operation: route.operation }],
    );
    routes = IS_FULL ? every : [...new Map(every.map((route) => [route.operation, route])).values()];
  });

  const pathsAt = (place: Place): { readonly route: Route; readonly path: string }[] =>
    routes.flatMap((route) => {
      const users = route.path.includes(':userId') ? place.users : [undefined];
      return users.map((user) => ({ route, path: pathOfCell({ route, place, user }) }));
    });

  it.each(Object.keys(PEOPLE) as PersonName[])(
    'the access check of every operation lets %s do what grants-table.ts says',
    async (person) => {
      const mismatches: string[] = [];
      for (const [grantor, place] of world.grantors) {
        const standing = standingOf(person, grantor);
        for (const { route, path } of pathsAt(place)) {
          const verdict = await verdictOn(service, world.people[person], route.method, path);
          if (!isAnswer(verdict, standing, route.operation))
            mismatches.push(`${grantor}: ${nameOfRoute(route)} of one that ${standing} was ${verdict}`);
        }
      }
      expect(mismatches).toEqual([]);
    },
  );

  it('every operation that a grant covers has a route here', () => {
    const served = new Set<string>(routes.map(({ operation }) => operation));
    expect(Object.keys(COVERED).filter((operation) => !served.has(operation))).toEqual([]);
    expect(served.size).toBeGreaterThan(80);
  });

  describe('by HTTP', () => {
    const at = (grantor: GrantorName) => world.grantors.get(grantor) as Place;
    const member = () => world.people['a member of the team'];
    const sent = (path: string) => path.replace('/v1', '');

    it('every route that a grant to manage covers is 200, 201 or 204', async () => {
      const place = at('lets a team manage');
      const entityId = 900_000 + nextNumber();
      const { organisationId } = place;
      await register(service, { kind: 'system', id: entityId, name: 'web1', organisationId });
      const BODIES: Readonly<Partial<Record<Operation, object>>> = {
        'organisations.update': { name: 'Named by the agency', taxNumber: 'NL001' },
        'teams.updateEntities': { objectId: entityId },
      };
      const answers: Record<string, number> = {};
      for (const { route, path } of pathsAt(place)) {
        if (COVERED[route.operation] === undefined) continue;
        const url = sent(
          route.operation === 'teams.updateEntities'
            ? path.replace(/teams\/(\d+)\/.*/, 'teams/$1/systems')
            : path,
        );
        const verb = route.operation === 'teams.updateEntities' ? 'post' : route.verb;
        const { status } = await member().call(verb, url).send(BODIES[route.operation]);
        answers[route.operation] = Math.max(answers[route.operation] ?? 0, status);
      }
      expect(answers).toEqual({
        ...Object.fromEntries(Object.keys(COVERED).map((operation) => [operation, 200])),
        'organisations.update': 204,
        'teams.updateEntities': 201,
      });
      const [team] = await service.sql<{
        id: number;
      }>`SELECT id FROM teams WHERE organisation_id = ${organisationId}`;
      const systems = `/organisations/${organisationId}/teams/${team?.id}/systems`;
      await member().delete(`${systems}/${entityId}`).expect(204);
    });

    it.each(['lets a team read', 'lets a team manage'] as const)(
      'one route of each controller that is not covered is 403 GRANT_DOES_NOT_COVER where one %s',
      async (grantor) => {
        const refused = new Map<string, { readonly route: Route; readonly path: string }>();
        for (const asked of pathsAt(at(grantor)))
          if (
            answerTo(standingOf('a member of the team', grantor), asked.route.operation) !== 'allowed' &&
            asked.route.operation !== 'loginlinks.create'
          )
            refused.set(asked.route.controller.name, asked);
        for (const [controller, { route, path }] of refused) {
          const { status, body } = await member().call(route.verb, sent(path)).send({});
          const { reason } = body as { reason?: string };
          expect([controller, status, reason]).toEqual([controller, 403, 'GRANT_DOES_NOT_COVER']);
        }
        expect(refused.size).toBeGreaterThan(15);
      },
    );

    it('GET /organisations/{organisationId} and …/teams are 403 SECOND_FACTOR_REQUIRED where the grantor has required2fa', async () => {
      const { organisationId } = at('lets a team manage, and demands a second factor');
      for (const path of [`/organisations/${organisationId}`, `/organisations/${organisationId}/teams`]) {
        const { body } = await member().get(path).expect(403);
        expect(body).toMatchObject({ reason: 'SECOND_FACTOR_REQUIRED' });
        await world.people['a CUSTADMIN by a passkey'].get(path).expect(200);
      }
    });
  });

  describe('GET /organisations lists, and /access/forward lets in,', () => {
    it.each(Object.keys(PEOPLE) as PersonName[])('where grants-table.ts says so: %s', async (person) => {
      const client = world.people[person];
      const { body } = await client.get('/organisations?limit=0').expect(200);
      const listed = (body as { organisations: { id: number }[] }).organisations.map(({ id }) => id);
      const found: Record<string, object> = {};
      const expected: Record<string, object> = {};
      for (const [grantor, { organisationId }] of world.grantors) {
        const standing = standingOf(person, grantor);
        const isLetIn = standing === 'reads' || standing === 'manages';
        expected[grantor] = {
          listed: isLetIn,
          forwarded: isLetIn ? 204 : 403,
          readOnly: isLetIn ? String(standing === 'reads') : undefined,
        };
        const answer = await client.get(`/access/forward?organisation=${organisationId}`);
        found[grantor] = {
          listed: listed.includes(organisationId),
          forwarded: answer.status,
          readOnly: (answer.headers as Record<string, string>)['x-account-read-only'],
        };
      }
      expect(found).toEqual(expected);
    });
  });
});
