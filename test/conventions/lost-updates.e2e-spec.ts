import { VARIANTS } from '../../qa/variants';
import {
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { makeInvitation } from '../support/factories/invitations-factories';
import { makeApiKey, makeServiceKey, newPublicKey } from '../support/factories/key-factories';
import { makeContact, makeTeam } from '../support/factories/records';
import { type DescribedRoute, Interface, Scene } from '../support/generators/interface';
import { triedRoutes } from '../support/generators/own-routes';
import { CHANGED_ALONE, changeOf, taggedPaths } from '../support/generators/tagged-paths';
import { audited } from '../support/service/audit';
import { anonymous, ApiClient, asAdmin } from '../support/service/client';
import { type TestService, useServices } from '../support/service/service';
import { letExpireIn } from '../support/service/time';
import { until } from '../support/service/until';
import { NEIGHBOUR } from '../support/service/variants';

const tagOf = async (client: ApiClient, path: string): Promise<string> => {
  const { headers } = await client.get(path).expect(200);
  expect(headers['etag']).toMatch(/^"[\w-]+"$/);
  return headers['etag'] as string;
};

/** Records that nobody deletes. */
const STAYS = /(billing|preferences)$/;

const services = useServices(['A', NEIGHBOUR], { settings: { trustedProxies: ['127.0.0.1'] } });
const CASES = VARIANTS.map((variant, index) => ({ variant, service: services[index] as TestService }));

describe.each(CASES)('the entity tags of Variant $variant', ({ variant, service }) => {
  let description: Interface;
  beforeAll(async () => {
    description = await Interface.of(service);
  });

  const tagged = (): DescribedRoute[] =>
    description.routes.filter(({ guarded }) => guarded?.address.version !== undefined);

  it('are those of the records that rule idempotency 17 names, and every PUT, PATCH and DELETE of them takes If-Match', () => {
    const of = (method: string) =>
      tagged()
        .filter((route) => route.method === method)
        .map(({ path }) => path)
        .sort();
    expect(of('GET')).toEqual([...taggedPaths(variant)].sort());
    const changed = [...taggedPaths(variant), ...CHANGED_ALONE[variant]];
    expect([...new Set([...of('PUT'), ...of('PATCH')])].sort()).toEqual(changed.sort());
    expect(of('DELETE')).toEqual(
      taggedPaths(variant)
        .filter((path) => !STAYS.test(path))
        .sort(),
    );
    expect(of('POST')).toEqual([]);
  });

  const tried = [...triedRoutes(variant)];
  const triedPaths = taggedPaths(variant).filter((path) => tried.some((route) => route.endsWith(` ${path}`)));

  describe.each([...triedPaths])('of %s', (path) => {
    let scene: Scene;
    let client: ApiClient;
    /** The ways to change it, with a body that changes nothing but what is given. */
    let ways: { method: 'put' | 'patch'; body: object }[];
    const routeOf = (method: string): DescribedRoute | undefined =>
      tagged().find((route) => route.path === path && route.method === method);
    const change = () => changeOf(path)?.(nextNumber()) as object;
    beforeAll(async () => {
      scene = await Scene.of(description, routeOf('GET') as DescribedRoute);
      expect(scene.isComplete).toBe(true);
      client = scene.caller;
      ways = (['put', 'patch'] as const).flatMap((method) => {
        const route = routeOf(method.toUpperCase());
        return route === undefined ? [] : [{ method, body: description.smallestBody(route) }];
      });
      expect(ways).not.toEqual([]);
      // Its first change makes it.
      if ((await client.get(scene.path)).status === 404) await client.put(scene.path, change()).expect(204);
    });

    it('GET and HEAD: If-None-Match with the tag is 304, with another 200', async () => {
      const tag = await tagOf(client, scene.path);
      expect(await tagOf(client, scene.path)).toBe(tag);
      expect((await client.call('head', scene.path).expect(200)).headers['etag']).toBe(tag);
      for (const named of [tag, `W/${tag}`, `"x", ${tag}`, tag.replace(/"$/, '-gzip"'), '*']) {
        const spared = await client.get(scene.path).set('If-None-Match', named).expect(304);
        expect(spared.text).toBe('');
        expect(spared.headers['content-type']).toBeUndefined();
        expect(spared.headers['etag']).toBe(tag);
      }
      // As fetch of browsers and of Node sends it.
      const fetched = await fetch(`${service.url}/v1${scene.path}`, {
        headers: { Authorization: client.hash as string, 'If-None-Match': tag },
      });
      expect(fetched.status).toBe(304);
      await client.call('head', scene.path).set('If-None-Match', tag).expect(304);
      await client.get(scene.path).set('If-None-Match', '"x"').expect(200);
      const csv = await client.get(`${scene.path}?format=csv`).expect(200);
      expect(csv.headers['etag']).toBe(tag);
      await client.get(`${scene.path}?format=csv`).set('If-None-Match', tag).expect(304);
    });

    it('PUT and PATCH: If-Match with the present tag is done, with another 412 CHANGED_MEANWHILE, malformed 400', async () => {
      for (const { method, body } of ways) {
        const send = (changed: object, tag?: string) => {
          const test = client.call(method, scene.path, { ...body, ...changed });
          return tag === undefined ? test : test.set('If-Match', tag);
        };
        const first = await tagOf(client, scene.path);
        const first$ = change();
        const { headers } = await send(first$, first);
        const second = headers['etag'] as string;
        expect([method, second]).toEqual([method, expect.stringMatching(/^"[\w-]+"$/)]);
        expect(second).not.toBe(first);
        expect(await tagOf(client, scene.path)).toBe(second);

        const { body: before } = await client.get(scene.path);
        const late = await send(change(), first).expect(412);
        expect(late.body).toMatchObject({ code: 412, reason: 'CHANGED_MEANWHILE' });
        expect(late.headers['etag']).toBeUndefined();
        const compressed = first.replace(/"$/, '-gzip"');
        const weak = `W/${first}`;
        for (const stale of [weak, compressed, `W/${compressed}`, `"x"`, `"x", ${weak}`])
          await send(change(), stale).expect(412);
        expect((await client.get(scene.path)).body).toEqual(before);
        for (const malformed of ['3', '"3', `*, ${second}`]) await send(change(), malformed).expect(400);
        expect(await tagOf(client, scene.path)).toBe(second);

        // As proxies that compress hand the tag over (rule idempotency 31).
        for (const suffix of ['', '-gzip', '-br', ';gzip']) {
          const handedOver = second.replace(/"$/, `${suffix}"`);
          for (const tag of [handedOver, `W/${handedOver}`, `"x", W/${handedOver}`]) {
            const unchanged = await send(first$, tag);
            expect([tag, unchanged.status < 300, unchanged.headers['etag']]).toEqual([tag, true, second]);
          }
        }
        // The same again changes nothing.
        const same = await send(first$, `"x", ${second}`);
        expect([same.status < 300, same.headers['etag']]).toEqual([true, second]);
        const any = await send(change(), '*');
        expect([any.status < 300, any.headers['etag'] !== second]).toEqual([true, true]);
        const without = await send(change());
        expect(without.status).toBeLessThan(300);
        expect(without.headers['etag']).toBe(await tagOf(client, scene.path));
      }
    });

    it('PUT and PATCH: 401, 403, 404 and 400 come before the 412 of If-Match', async () => {
      const { custadmin } = await makeCustomer(service);
      for (const { method, body } of ways) {
        const as = (other: ApiClient) => other.call(method, scene.path, body);
        await as(anonymous(service)).set('If-Match', '"x"').expect(401);
        expect([403, 404]).toContain((await as(custadmin.client).set('If-Match', '"x"')).status);
        const gone = scene.path.replace(/\d+/, '2147483647');
        await client.call(method, gone, body).set('If-Match', '"x"').expect(404);
        const wrong = Object.fromEntries(Object.keys(change()).map((name) => [name, { not: 'a value' }]));
        await client.call(method, scene.path, wrong).set('If-Match', '"x"').expect(400);
      }
      await anonymous(service).get(scene.path).set('If-None-Match', '*').expect(401);
      expect([403, 404]).toContain((await custadmin.client.get(scene.path).set('If-None-Match', '*')).status);
    });

    if (STAYS.test(path)) return;

    it('DELETE: If-Match with an older tag is 412 CHANGED_MEANWHILE', async () => {
      const stale = await tagOf(client, scene.path);
      const [{ method, body }] = ways as [{ method: 'put' | 'patch'; body: object }];
      expect((await client.call(method, scene.path, { ...body, ...change() })).status).toBeLessThan(300);
      const refused = await client.delete(scene.path).set('If-Match', stale).expect(412);
      expect(refused.body).toMatchObject({ reason: 'CHANGED_MEANWHILE' });
      // An organisation with enabled users stays.
      const [, of] = /organisations\/(\d+)$/.exec(scene.path) ?? [];
      await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${of}`;
      const tag = await tagOf(client, scene.path);
      const deleted = await client.delete(scene.path).set('If-Match', tag);
      expect(deleted.status).toBeLessThan(300);
      expect(deleted.headers['etag']).toBeUndefined();
      await client.get(scene.path).expect(404);
      await client.delete(scene.path).set('If-Match', tag).expect(404);
    });
  });
});

describe('an entity tag', () => {
  const [service, other] = services;
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  const customer = async () => {
    const made = await makeCustomer(service);
    const path = `/organisations/${made.organisationId}`;
    const whole = (fields: object) => ({ name: 'A customer', taxNumber: 'NL1', ...fields });
    await admin.patch(path, whole({})).expect(204);
    return { ...made, path, user: `${path}/users/${made.plain.id}`, whole };
  };
  const beside = ({ hash }: ApiClient): ApiClient => new ApiClient(other.url, hash);

  it('GET /organisations/{organisationId} and …/users/{userId} show the same in both variants and to every reader', async () => {
    const { path, user, custadmin, plain, whole } = await customer();
    for (const one of [path, user]) {
      const tag = await tagOf(admin, one);
      expect(await tagOf(custadmin.client, one)).toBe(tag);
      expect(await tagOf(beside(admin), one)).toBe(tag);
    }
    expect(await tagOf(plain.client, user)).toBe(await tagOf(admin, user));
    const stale = await tagOf(admin, path);
    const { headers } = await beside(custadmin.client)
      .put(path, whole({ city: 'Gent' }))
      .expect(204);
    await admin
      .patch(path, whole({ city: 'Breda' }))
      .set('If-Match', stale)
      .expect(412);
    await admin
      .patch(path, whole({ city: 'Breda' }))
      .set('If-Match', headers['etag'] as string)
      .expect(204);
  });

  it('PUT …/teams/{teamId}: one from before a change in SQL is 412', async () => {
    const { organisationId, path } = await customer();
    const team = `${path}/teams/${await makeTeam(service, organisationId)}`;
    const tag = await tagOf(admin, team);
    await service.sql`UPDATE teams SET name = 'By hand' WHERE organisation_id = ${organisationId}`;
    await admin.put(team, { name: 'Mine' }).set('If-Match', tag).expect(412);
  });

  it('of /organisations/{organisationId} stays when a user, a sub-organisation or billing alone changes', async () => {
    const { organisationId, path, user, plain } = await customer();
    const records = [path, user, `${path}/billing`];
    const before: string[] = [];
    for (const record of records) before.push(await tagOf(admin, record));
    await makeUser(service, { organisationId });
    await makeOrganisation(service, { parentId: organisationId });
    const names = { username: plain.username, firstName: 'Anna', lastName: 'Jansen' };
    await admin.patch(user, names).expect(204);
    await admin.patch(`${path}/billing`, { discount: '10%', beforeFirstOrder: 'a call' }).expect(204);
    const after: string[] = [];
    for (const record of records) after.push(await tagOf(admin, record));
    expect(after.map((tag, index) => tag === before[index])).toEqual([true, false, false]);
  });

  it('of …/billing changes with PATCH …/billing, and with PATCH of the organisation where that sets the same field', async () => {
    const { path, whole } = await customer();
    const billing = `${path}/billing`;
    const before = await tagOf(admin, billing);
    await admin.patch(path, whole({ city: 'Gent' })).expect(204);
    expect(await tagOf(admin, billing)).toBe(before);
    const ofOrganisation = await tagOf(admin, path);
    await admin.patch(path, whole({ documentInterval: '3' })).expect(204);
    const after = await tagOf(admin, billing);
    expect(after).not.toBe(before);
    expect(await tagOf(admin, path)).not.toBe(ofOrganisation);
    await admin.patch(billing, {}).set('If-Match', before).expect(412);
    const { headers } = await admin.patch(billing, {}).set('If-Match', after).expect(204);
    expect(headers['etag']).toBe(after);
  });

  it('of …/teams/{teamId} and of the user stay when PUT …/teams/{teamId}/users/{userId} adds a member', async () => {
    const { organisationId, path, plain, user } = await customer();
    const team = `${path}/teams/${await makeTeam(service, organisationId)}`;
    const tags = [await tagOf(admin, team), await tagOf(admin, user)];
    const { headers } = await admin.put(`${team}/users/${plain.id}`).set('If-Match', '"x"').expect(204);
    expect(headers['etag']).toBeUndefined();
    expect([await tagOf(admin, team), await tagOf(admin, user)]).toEqual(tags);
  });

  it('of …/users/{userId} changes with what GET shows, and not with logins and passwords', async () => {
    const { user, plain } = await customer();
    const tag = await tagOf(admin, user);
    const { username } = plain;
    await anonymous(service).post('/login', { username, password: PASSWORD }).expect(200);
    await plain.client
      .post(`${user}/changepassword`, { oldPassword: PASSWORD, password: `${PASSWORD}2` })
      .expect(200);
    expect(await tagOf(admin, user)).toBe(tag);
    await admin.post(`${user}/actions`, { type: 'disable' }).expect(200);
    const disabled = await tagOf(admin, user);
    expect(disabled).not.toBe(tag);
    await service.sql`UPDATE users SET second_factor = 'requested' WHERE id = ${plain.id}`;
    expect(await tagOf(admin, user)).not.toBe(disabled);
  });

  it('of …/users/{userId} counts for PATCH …/cp3/users/{userId} too', async () => {
    const { path, user, plain } = await customer();
    const names = { username: plain.username, firstName: 'Anna', lastName: 'Jansen' };
    const change = { ...names, cp3Password: '$1$Zp3kWq81$tVo2jkEj/paZhLGHi4q4q.' };
    const migrated = `${path}/cp3/users/${plain.id}`;
    const stale = await tagOf(admin, user);
    await admin.patch(user, names).expect(204);
    const refused = await beside(admin).patch(migrated, change).set('If-Match', stale).expect(412);
    expect(refused.body).toMatchObject({ reason: 'CHANGED_MEANWHILE' });
    expect((await admin.get(user)).body).toMatchObject({ user: { firstName: 'Anna' } });
    const tag = await tagOf(admin, user);
    const { headers } = await beside(admin)
      .patch(migrated, { ...change, firstName: 'Els' })
      .set('If-Match', tag)
      .expect(200);
    expect(headers['etag']).not.toBe(tag);
    expect(await tagOf(admin, user)).toBe(headers['etag']);
  });

  it('of …/apikeys/{apiKeyId} and …/servicekeys/{serviceKeyId} stays when the key is used', async () => {
    const { organisationId, path, user, plain } = await customer();
    const apiKey = await makeApiKey(service, plain.id);
    const serviceKey = await makeServiceKey(service, organisationId);
    const keys = [`${user}/apikeys/${apiKey.id}`, `${path}/servicekeys/${serviceKey.id}`];
    const tags = await Promise.all(keys.map((key) => tagOf(admin, key)));
    await apiKey.client.get('/whoami').expect(200);
    await serviceKey.client.get('/whoami').expect(200);
    const used = async () =>
      service.sql`SELECT FROM api_keys a, service_keys s WHERE a.id = ${apiKey.id} AND s.id = ${serviceKey.id}
        AND a.last_used_at IS NOT NULL AND s.last_used_at IS NOT NULL`;
    await until(async () => (await used()).length === 1);
    await service.sql`UPDATE api_keys SET notified_days_left = 7 WHERE id = ${apiKey.id}`;
    expect(await Promise.all(keys.map((key) => tagOf(admin, key)))).toEqual(tags);
    await service.sql`UPDATE api_keys SET whitelist = '{192.0.2.1}' WHERE id = ${apiKey.id}`;
    expect(await tagOf(admin, keys[0] as string)).not.toBe(tags[0]);
  });

  it('of …/invitations/{invitationId} changes when the invitation expires', async () => {
    const { organisationId, path } = await customer();
    const { id } = await makeInvitation(service, { organisationId, inviterId: 1 });
    await letExpireIn(service, 'invitations', { id }, '1 second');
    const invitation = `${path}/invitations/${id}`;
    const tag = await tagOf(admin, invitation);
    await until(async () => (await tagOf(admin, invitation)) !== tag);
    await admin.delete(invitation).set('If-Match', tag).expect(412);
  });

  it('of a contact changes with this contact, and not with another', async () => {
    const { organisationId, path, user, plain } = await customer();
    const contacts = [
      await makeContact(service, { organisationId, userId: plain.id }),
      await makeContact(service, { organisationId, userId: plain.id }),
    ].map((id) => `${user}/contacts/${id}`);
    const tags = await Promise.all([...contacts, user, path].map((one) => tagOf(admin, one)));
    const body = { type: 'email', name: `another${nextNumber()}@example.com` };
    await admin.put(contacts[0] as string, body).expect(204);
    const after = await Promise.all([...contacts, user, path].map((one) => tagOf(admin, one)));
    expect(after.map((tag, index) => tag === tags[index])).toEqual([false, true, true, true]);
  });

  it('stands in no row of the audit log', async () => {
    const { path, whole } = await customer();
    const { rows } = await audited(service, admin.patch(path, whole({ city: 'Gent' })), 204);
    expect(rows.map(({ before, after }) => ({ before, after }))).toEqual([
      { before: { city: '' }, after: { city: 'Gent' } },
    ]);
  });

  it('of …/sshkeys/{sshkeyId}: PUT of the same content and description keeps it', async () => {
    const { user, plain } = await customer();
    const { body } = await plain.client.post(`${user}/sshkeys`, { content: newPublicKey() }).expect(201);
    const made = Object.values(
      body as Record<string, { id: number; content: string; description: string }>,
    )[0];
    const path = `${user}/sshkeys/${made?.id}`;
    const tag = await tagOf(admin, path);
    const same = { content: made?.content, description: made?.description };
    expect((await admin.put(path, same).expect(204)).headers['etag']).toBe(tag);
  });
});
