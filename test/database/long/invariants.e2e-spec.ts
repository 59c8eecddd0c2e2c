import { VARIANTS } from '../../../qa/variants';
import { Wire } from '../../support/generators/access-calls';
import { pathOfCell, relationOf } from '../../support/generators/access-cells';
import { storedState } from '../../support/generators/access-state';
import {
  type AccessWorld,
  type Actor,
  makeAccessWorld,
  MISSING,
  type Place,
} from '../../support/generators/access-world';
import { type DescribedRoute, Interface, nameOfRoute } from '../../support/generators/interface';
import { useService } from '../../support/service/service';

describe.each(VARIANTS)('invariants of access, Variant %s', (variant) => {
  afterAll(() => wire.close());
  const service = useService(variant);
  let wire: Wire;
  beforeAll(() => {
    wire = new Wire(service.url);
  });
  const usable = (): Actor[] => world.actors.filter(({ credential }) => credential === 'usable');
  const placeNamed = (name: string): Place => {
    const place = world.places.find((known) => known.name === name);
    if (place === undefined) throw new Error(`The world has no ${name}`);
    return place;
  };
  const actorNamed = (name: string): Actor => {
    const actor = world.actors.find((known) => known.name === name);
    if (actor === undefined) throw new Error(`The world has no ${name}`);
    return actor;
  };
  let description: Interface;
  let world: AccessWorld;
  beforeAll(async () => {
    description = await Interface.of(service);
    world = await makeAccessWorld(service);
  });

  const get = async (actor: Actor, path: string) => {
    const { status, text } = await wire.send({ method: 'GET', path: `/v1${path}`, hash: actor.hash });
    return { status, body: JSON.parse(text) as Record<string, unknown> };
  };
  const idsIn = (rows: unknown): number[] => (rows as { id: number }[]).map(({ id }) => id);
  /** Every page of three, put together. */
  async function pages(actor: Actor, path: string, key: string): Promise<number[]> {
    const ids: number[] = [];
    for (let offset = 0; ; offset += 3) {
      const { body } = await get(actor, `${path}?limit=3&offset=${offset}`);
      const page = idsIn(body[key]);
      ids.push(...page);
      if (page.length < 3) return ids;
    }
  }
  /** The ids of the csv form. */
  async function csvIds(actor: Actor, path: string): Promise<number[]> {
    const { text } = await wire.send({
      method: 'GET',
      path: `/v1${path}?limit=0&format=csv`,
      hash: actor.hash,
    });
    const [header = '', ...lines] = text.split('\r\n').filter((line) => line !== '');
    expect(header.split(',')[0]).toBe('id');
    return lines.map((line) => Number(line.split(',')[0]));
  }
  /** Those of the ids that can be read one by one. */
  async function readable(actor: Actor, ids: readonly number[], path: (id: number) => string) {
    const responses = await wire.sendAll(
      ids.map((id) => ({ method: 'GET', path: `/v1${path(id)}`, hash: actor.hash })),
    );
    return ids.filter((_, index) => responses[index]?.status === 200);
  }
  const allIds = async (table: 'organisations' | 'users'): Promise<number[]> =>
    (await service.sql<{ id: number }>(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => id);

  it('GET /organisations holds what one may read one by one: pages, csv, filter and total', async () => {
    const all = await allIds('organisations');
    await service.sql(`UPDATE organisations SET city = 'Leeuwarden' WHERE id % 2 = 0`);
    for (const actor of usable().filter(({ serviceKey }) => serviceKey?.operations !== 'none')) {
      const mine = await readable(actor, all, (id) => `/organisations/${id}`);
      const whole = await get(actor, '/organisations?limit=0');
      const even = mine.filter((id) => id % 2 === 0);
      const filtered = await get(actor, '/organisations?limit=0&filter=leeuwarden');
      expect({
        actor: actor.name,
        whole: idsIn(whole.body['organisations']),
        total: whole.body['total'],
        pages: await pages(actor, '/organisations', 'organisations'),
        csv: await csvIds(actor, '/organisations'),
        filtered: idsIn(filtered.body['organisations']),
        filteredTotal: filtered.body['total'],
      }).toEqual({
        actor: actor.name,
        whole: mine,
        total: mine.length,
        pages: mine,
        csv: mine,
        filtered: even,
        filteredTotal: even.length,
      });
    }
  });

  it('GET …/users and …/organisations hold what one may read one by one', async () => {
    const allUsers = await allIds('users');
    const all = await allIds('organisations');
    for (const actor of usable()) {
      for (const { organisationId } of world.places.filter(({ exists }) => exists)) {
        const base = `/organisations/${organisationId}`;
        const list = await get(actor, `${base}/users?limit=0`);
        if (list.status !== 200) {
          expect(await readable(actor, allUsers, (id) => `${base}/users/${id}`)).toEqual([]);
          continue;
        }
        const users = await readable(actor, allUsers, (id) => `${base}/users/${id}`);
        expect(idsIn(list.body['users'])).toEqual(users);
        expect(await pages(actor, `${base}/users`, 'users')).toEqual(users);
        expect(await csvIds(actor, `${base}/users`)).toEqual(users);
        const beneath = await get(actor, `${base}/organisations?limit=0`);
        if (beneath.status === 200) {
          const ids = idsIn(beneath.body['subOrganisations']);
          expect(await readable(actor, all, (id) => `/organisations/${id}`)).toEqual(
            expect.arrayContaining(ids),
          );
          expect(await csvIds(actor, `${base}/organisations`)).toEqual(ids);
        }
      }
    }
  });

  it('GET of every list of an organisation or user holds what one may read one by one', async () => {
    const lists = description.routes.filter(
      ({ method, path }) =>
        method === 'GET' &&
        description.routes.some((single) => single.method === 'GET' && single.path.startsWith(`${path}/:`)) &&
        path.includes(':organisationId/'),
    );
    expect(lists.length).toBeGreaterThan(5);
    const admin = actorNamed('admin');
    for (const route of lists) {
      for (const place of world.places.filter(({ exists }) => exists)) {
        const [user] = place.users;
        const path = pathOfCell({ route, place, user }).replace(/^\/v1/, '');
        const { body } = await get(admin, `${path}?limit=0`);
        const rows = Object.entries(body).find(([name]) => name !== 'total')?.[1];
        const ids = idsIn(rows);
        expect(ids.length).toBeGreaterThan(0);
        expect(await readable(admin, ids, (id) => `${path}/${id}`)).toEqual(ids);
        expect(await pages(admin, path, Object.keys(body).find((name) => name !== 'total') ?? '')).toEqual(
          ids,
        );
      }
    }
  });

  /** Every way to make the path of a route lead from one owner to what is another's. */
  function mismatches(route: DescribedRoute): string[] {
    const own = placeNamed('own');
    const beneath = placeNamed('beneath by parent');
    const [user, colleague] = own.users;
    const other = beneath.users[0];
    const right = pathOfCell({ route, place: own, user });
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const ofUser = /users\/:userId\/./.test(route.path);
    const recordsOf = (place: Place, owner: typeof user) => ({
      ...place.records,
      ...(ofUser && owner?.records),
    });
    const values = { ...recordsOf(own, user), organisationId: own.organisationId, userId: user?.id };
    const wrong: Record<string, number | undefined>[] = names.flatMap((name) => [
      { ...values, [name]: MISSING },
      ...(name === 'organisationId' && names.length > 1
        ? [{ ...values, [name]: beneath.organisationId }]
        : []),
      ...(name === 'userId' ? [{ ...values, [name]: other?.id }] : []),
      ...(name === 'userId' && ofUser && names.length > 2 ? [{ ...values, [name]: colleague?.id }] : []),
      ...(['organisationId', 'userId', 'objectId'].includes(name)
        ? []
        : [
            { ...values, [name]: recordsOf(beneath, other)[name] },
            // The same kind of record of a user, addressed as one of the organisation.
            ...(user?.records[name] === undefined || ofUser
              ? []
              : [{ ...values, [name]: user.records[name] }]),
            // And of the organisation, addressed as one of the user.
            ...(ofUser && own.records[name] !== undefined ? [{ ...values, [name]: own.records[name] }] : []),
          ]),
    ]);
    const fill = (chosen: Record<string, number | undefined>): string =>
      route.path.replaceAll(/:(\w+)/g, (_, name: string) => String(chosen[name]));
    return [...new Set(wrong.map(fill))].filter((path) => path !== right);
  }

  it('every mismatched combination of identifiers in a path is 404, for whoever asks, and writes nothing', async () => {
    const before = await storedState(service);
    const found: string[] = [];
    let asked = 0;
    // What these name need not be there: they make it.
    const making: readonly (string | undefined)[] = [undefined, 'entities.register', 'documents.put'];
    const looking = description.routes.filter(({ operation }) => !making.includes(operation));
    for (const route of looking) {
      const body = Object.keys(route.fields).length === 0 ? undefined : description.exampleBody(route);
      const paths = mismatches(route);
      // Ties of teams to entities are no records of their own: only whoever may change them is
      // told that one is missing.
      const names = route.path.includes(':objectId')
        ? ['admin', 'CUSTADMIN']
        : ['admin', 'CUSTADMIN', 'plain user', 'operator CUSTADMIN'];
      for (const name of names) {
        const { hash } = actorNamed(name);
        const responses = await wire.sendAll(
          paths.map((path) => ({ method: route.method, path, hash, body })),
        );
        asked += paths.length;
        found.push(
          ...paths
            .map((path, index) => `${name}: ${nameOfRoute(route)} ${path} ${responses[index]?.status}`)
            .filter((_, index) => responses[index]?.status !== 404),
        );
      }
    }
    expect(found).toEqual([]);
    expect(asked).toBeGreaterThan(400);
    expect(await storedState(service)).toEqual(before);
  });

  it('PATCH /organisations/{organisationId} changes it for whoever may, and for nobody else', async () => {
    for (const place of world.places.filter(({ exists }) => exists)) {
      for (const actor of usable()) {
        const name = `Named by ${actor.name} in ${place.name}`;
        const { own, beneath, grant } = relationOf(actor, place);
        const may =
          actor.isReadOnly !== true &&
          actor.serviceKey?.operations !== 'none' &&
          (actor.roles.includes('ROLE_ADMIN') ||
            (actor.roles.includes('ROLE_CUSTADMIN') && (own || beneath)) ||
            grant === 'manage');
        const path = `/v1/organisations/${place.organisationId}`;
        await wire.send({ method: 'PATCH', path, hash: actor.hash, body: { name, taxNumber: 'T' } });
        const [row] = await service.sql<{ name: string }>(`SELECT name FROM organisations WHERE id = $1`, [
          place.organisationId,
        ]);
        expect({ actor: actor.name, place: place.name, changed: row?.name === name }).toEqual({
          actor: actor.name,
          place: place.name,
          changed: may,
        });
      }
    }
  });

  // Last: it takes away what the world stands on.
  it('losing a role, a grant or a link ends what it allowed, with the next request', async () => {
    const custadmin = actorNamed('CUSTADMIN');
    const status = async (place: Place, path = '') =>
      (await get(custadmin, `/organisations/${place.organisationId}${path}`)).status;
    const parent = placeNamed('beneath by parent');
    const reseller = placeNamed('beneath by reseller');
    const deep = placeNamed('two levels beneath, mixed');
    const granted = placeNamed('granted');
    const seen = async () => [
      await status(parent),
      await status(reseller),
      await status(deep),
      await status(granted),
    ];
    expect(await seen()).toEqual([200, 200, 200, 200]);
    await service.sql`DELETE FROM acls WHERE organisation_id = ${granted.organisationId}
       AND grantee_id = ${placeNamed('own').organisationId}`;
    expect(await seen()).toEqual([200, 200, 200, 403]);
    await service.sql`UPDATE organisations SET reseller_id = NULL WHERE id = ${reseller.organisationId}`;
    expect(await seen()).toEqual([200, 403, 200, 403]);
    await service.sql`UPDATE organisations SET parent_id = 1 WHERE id = ${parent.organisationId}`;
    expect(await seen()).toEqual([403, 403, 403, 403]);
    expect(await status(placeNamed('own'), '/invitations')).toBe(200);
    await service.sql`UPDATE users SET roles = '{}' WHERE id = ${custadmin.userId}`;
    expect(await status(placeNamed('own'), '/invitations')).toBe(500);
    expect(await status(placeNamed('own'))).toBe(200);
  });
});
