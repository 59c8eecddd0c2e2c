import { VARIANTS } from '../../qa/variants';
import { type MadeUser, makeCustomer } from '../support/factories/factories';
import { makeApiKey } from '../support/factories/key-factories';
import { atOnce } from '../support/service/at-once';
import { auditRows } from '../support/service/audit';
import { ApiClient } from '../support/service/client';
import { describeService, startTestService, useServices } from '../support/service/service';
import { until } from '../support/service/until';
import { NEIGHBOUR } from '../support/service/variants';

const keysOf = (user: MadeUser): string => `/organisations/${user.organisationId}/users/${user.id}/apikeys`;

interface Created {
  id: number;
  name: string;
  whitelist: string[];
  hash: string;
}

async function create(
  user: MadeUser,
  body: object = { name: 'Deployment', whitelist: [] },
): Promise<Created> {
  const response = await user.client.post(keysOf(user), body).expect(200);
  return (response.body as { apiKey: Created }).apiKey;
}

describe('…/apikeys', () => {
  const [service, other] = useServices(['A', NEIGHBOUR]);

  describe('POST …/apikeys', () => {
    it('writes a System notification in the same transaction', async () => {
      const { plain } = await makeCustomer(service);
      const { id } = await create(plain, { name: 'Told of', whitelist: [] });
      await plain.client.post(keysOf(plain), { name: 'Refused', whitelist: ['nowhere'] }).expect(400);
      const written =
        await service.sql`SELECT notification_group, type, entity_class, entity_id, entity_name, user_id
         FROM notifications WHERE organisation_id = ${plain.organisationId}`;
      expect(written).toEqual([
        {
          notification_group: 'System',
          type: 'new',
          entity_class: 'ApiKey',
          entity_id: id,
          entity_name: 'Told of',
          user_id: plain.id,
        },
      ]);
    });

    it('gives sixteen keys to sixteen calls at once', async () => {
      const { plain } = await makeCustomer(service);
      const keys = await atOnce(16, () => create(plain));
      expect(new Set(keys.map(({ hash }) => hash)).size).toBe(16);
      const list = await plain.client.get(`${keysOf(plain)}?limit=0`).expect(200);
      expect(list.body).toMatchObject({ total: 16 });
    });

    it.each([
      ['an address', ['127.0.0.1'], ['127.0.0.1']],
      ['IPv4-mapped IPv6 and its IPv4', ['::ffff:192.0.2.1', '192.0.2.1'], ['192.0.2.1']],
      ['IPv6 in other spellings', ['2001:DB8::0001', '2001:db8:0:0:0:0:0:1'], ['2001:db8::1']],
      ['ranges, one of them a single address', ['10.0.0.0/8', '192.0.2.7/32'], ['10.0.0.0/8', '192.0.2.7']],
      ['a hundred', numbered(100), numbered(100)],
      ['none', [], []],
    ])('takes a whitelist of %s', async (_, whitelist, canonical) => {
      const { plain } = await makeCustomer(service);
      expect(await create(plain, { name: 'n', whitelist })).toMatchObject({ whitelist: canonical });
    });
  });

  describe('PUT and DELETE …/apikeys', () => {
    it('changes name and whitelist and nothing else', async () => {
      const { plain } = await makeCustomer(service);
      const { id, hash } = await create(plain);
      const [before] = await service.sql`SELECT digest, expires_at FROM api_keys WHERE id = ${id}`;
      const response = await plain.client
        .put(`${keysOf(plain)}/${id}`, {
          name: 'Renamed',
          whitelist: ['127.0.0.0/8', '::ffff:127.0.0.0/104'],
        })
        .expect(204);
      expect(response.text).toBe('');
      const list = await plain.client.get(keysOf(plain));
      expect(list.body).toMatchObject({ apiKeys: [{ id, name: 'Renamed', whitelist: ['127.0.0.0/8'] }] });
      const [after] = await service.sql`SELECT digest, expires_at FROM api_keys WHERE id = ${id}`;
      expect(after).toEqual(before);
      await new ApiClient(service.url, hash).get('/whoami').expect(200);
    });

    it('ends the key with the next request, in a process of the other variant too', async () => {
      const { plain } = await makeCustomer(service);
      const { id, hash } = await create(plain);
      const callers = [service, other].map(({ url }) => new ApiClient(url, hash));
      for (const caller of callers) await caller.get('/whoami').expect(200);
      const statuses = await atOnce(
        16,
        async () => (await plain.client.delete(`${keysOf(plain)}/${id}`)).status,
      );
      expect(statuses.sort()).toEqual([204, ...Array<number>(15).fill(404)]);
      for (const caller of callers) await caller.get('/whoami').expect(401);
    });
  });

  describe('an API key as a credential', () => {
    it('acts with the rights that its user has now', async () => {
      const { organisationId, plain } = await makeCustomer(service);
      const { client } = await makeApiKey(service, plain.id);
      const invitations = `/organisations/${organisationId}/organisations`;
      await client.get(invitations).expect(500);
      await service.sql`UPDATE users SET roles = '{ROLE_CUSTADMIN}' WHERE id = ${plain.id}`;
      await client.get(invitations).expect(200);
      await service.sql`UPDATE users SET enabled = false WHERE id = ${plain.id}`;
      await client.get(invitations).expect(401);
      await service.sql`UPDATE users SET enabled = true WHERE id = ${plain.id}`;
      await client.get(invitations).expect(200);
      await service.sql`UPDATE users SET deleted_at = now() WHERE id = ${plain.id}`;
      await client.get(invitations).expect(401);
    });

    it('expires when API_KEY_TTL says', async () => {
      await using brief = await startTestService('A', {
        database: service.database,
        settings: { apiKeyTtl: 3600 },
      });
      const { plain } = await makeCustomer(brief);
      const { id } = await create(plain);
      const [row] = await service.sql<{ left: number }>(
        `SELECT extract(epoch FROM expires_at - created_at)::integer AS left FROM api_keys WHERE id = $1`,
        [id],
      );
      expect(row).toEqual({ left: 3600 });
    });

    it('believes X-Forwarded-For from trusted proxies only', async () => {
      const { plain } = await makeCustomer(service);
      const { client } = await makeApiKey(service, plain.id, { whitelist: ['203.0.113.7'] });
      await using behindProxy = await startTestService('A', {
        database: service.database,
        settings: { trustedProxies: ['127.0.0.1', '198.51.100.0/24'] },
      });
      const status = async (url: string, forwarded?: string): Promise<number> => {
        const test = new ApiClient(url, client.hash).get('/whoami');
        return (await (forwarded === undefined ? test : test.set('X-Forwarded-For', forwarded))).status;
      };
      expect(await status(service.url, '203.0.113.7')).toBe(403);
      expect(await status(behindProxy.url, '203.0.113.7')).toBe(200);
      expect(await status(behindProxy.url, '::ffff:203.0.113.7')).toBe(200);
      expect(await status(behindProxy.url, '203.0.113.7, 198.51.100.9')).toBe(200);
      expect(await status(behindProxy.url, '203.0.113.7, 192.0.2.66')).toBe(403);
      expect(await status(behindProxy.url, 'nonsense')).toBe(403);
      expect(await status(behindProxy.url)).toBe(403);
    });

    it.each([
      ['203.0.113.7:41234', '203.0.113.8:41234', '203.0.113.7', '203.0.113.8'],
      ['"203.0.113.7:41234"', '"203.0.113.8"', '203.0.113.7', '203.0.113.8'],
      ['[2001:db8::7]:443', '[2001:db8::8]:443', '2001:db8::7', '2001:db8::8'],
      ['"[2001:DB8::7]:443"', '"[2001:db8::8]"', '2001:db8::7', '2001:db8::8'],
    ])(
      'takes %s of a trusted proxy for the address: whitelist, audit and log',
      async (allowed, refused, address, other) => {
        const { plain, organisationId } = await makeCustomer(service);
        await using behindProxy = await startTestService('A', {
          database: service.database,
          settings: { trustedProxies: ['127.0.0.1'] },
        });
        const { client } = await makeApiKey(service, plain.id, { whitelist: [address] });
        const behind = new ApiClient(behindProxy.url, client.hash);
        const path = `/organisations/${organisationId}/users/${plain.id}/contacts`;
        const sent = { type: 'email', name: 'gateway@example.com' };
        const made = await behind.post(path, sent).set('X-Forwarded-For', allowed).expect(201);
        const [row] = await auditRows(service, 'request_id = $1 AND table_name = $2', [
          made.headers['x-request-id'],
          'contacts',
        ]);
        expect(row?.address).toBe(address);
        const denied = await behind.get('/whoami').set('X-Forwarded-For', refused).expect(403);
        expect(denied.body).toMatchObject({ reason: 'ADDRESS_REFUSED' });
        const id = denied.headers['x-request-id'] as string;
        await until(() => behindProxy.logLines.some((line) => line.includes(id)));
        const line = behindProxy.logLines.find((written) => written.includes(id)) ?? '{}';
        expect(JSON.parse(line)).toMatchObject({ status: 403, address: other });
      },
    );
  });

  it('GET …/apikeys: keys that are over stay listed until they are deleted, and are filtered by name alone', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    const { id } = await makeApiKey(service, plain.id, {
      name: 'old robot',
      whitelist: ['192.0.2.7'],
      expiresIn: '-1 day',
    });
    const path = `/organisations/${organisationId}/users/${plain.id}/apikeys`;
    const idsBy = async (filter: string): Promise<number[]> => {
      const { body } = await plain.client.get(`${path}?filter=${filter}`).expect(200);
      return (body.apiKeys as { id: number }[]).map((key) => key.id);
    };
    expect(await idsBy('robot')).toEqual([id]);
    expect(await idsBy('192.0.2.7')).toEqual([]);
    await plain.client.delete(`${path}/${id}`).expect(204);
    expect(await idsBy('robot')).toEqual([]);
  });
});

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `10.0.0.${index}`);
}

describeService(VARIANTS, 'an API key as a credential in Variant %s', (service) => {
  it('PATCH …/users and POST …/invitations: gives no role that manages others, nor another user name', async () => {
    const { custadmin, plain, organisationId } = await makeCustomer(service);
    const { client: key } = await makeApiKey(service, custadmin.id);
    const invite = (autoRoles: string) =>
      key.post(`/organisations/${organisationId}/invitations`, {
        email: `k${Date.now()}${autoRoles}@example.nl`,
        firstName: 'K',
        lastName: 'K',
        autoRoles,
      });
    await invite('ROLE_CUSTADMIN').expect(403);
    await invite('ROLE_FINANCE').expect(201);
    const patch = (change: object) =>
      key.patch(`/organisations/${organisationId}/users/${plain.id}`, {
        username: plain.username,
        firstName: 'Jan',
        lastName: 'de Vries',
        ...change,
      });
    await patch({ defaultRoles: 'ROLE_CUSTADMIN' }).expect(403);
    await patch({ username: `renamed-${plain.username}` }).expect(403);
    await patch({ firstName: 'Piet' }).expect(204);
  });
});
