import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { PersonErasure } from '@app/records/privacy/person-erasure';
import { RequestContext } from '@app/security/context/request-context';
import {
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { makeServiceKey } from '../support/factories/key-factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { audited } from '../support/service/audit';
import { type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { runJob } from '../support/service/jobs';
import { describeSharedService } from '../support/service/shared-services';
import { makeOlder } from '../support/service/time';

/** Sends a POST with a key, and with its body as it is written here. */
const send = (client: ApiClient, path: string, key: string, body?: object | string) => {
  const call = client.post(path).set('Idempotency-Key', key);
  return body === undefined
    ? call
    : call
        .set('Content-Type', 'application/json')
        .send(typeof body === 'string' ? body : JSON.stringify(body));
};

const newKey = (): string => `key-${nextNumber()}`;

describeSharedService(SHARED_VARIANTS, 'a POST with Idempotency-Key in Variant %s', (service) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let customer: Awaited<ReturnType<typeof makeCustomer>>;
  let client: ApiClient;
  beforeEach(async () => {
    customer = await makeCustomer(service);
    ({ client } = customer.custadmin);
  });

  const teams = (): string => `/organisations/${customer.organisationId}/teams`;
  const team = (name = 'Retried') => ({ name, autoAddSshkey: false });
  const count = async (text: string): Promise<number> =>
    (await service.sql<{ count: number }>(`SELECT count(*)::integer AS count FROM ${text}`))[0]?.count ?? NaN;
  const teamCount = (): Promise<number> => count(`teams WHERE organisation_id = ${customer.organisationId}`);
  const keptCount = (): Promise<number> => count(`stored_responses WHERE user_id = ${customer.custadmin.id}`);

  it('is done once: the same request gets the same response again', async () => {
    const key = newKey();
    const first = await send(client, teams(), key, team()).expect(201);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    const { rows, response } = await audited(service, send(client, teams(), key, team()), 201).then(
      ({ rows: found, body }) => ({ rows: found, response: body }),
    );
    expect(rows).toEqual([]);
    expect(response).toEqual(first.body);
    const third = await send(client, teams(), key, team()).expect(201);
    expect(third.headers['idempotency-replayed']).toBe('true');
    expect(third.text).toBe(first.text);
    expect(await teamCount()).toBe(1);
    expect(await count(`audit_log WHERE table_name = 'stored_responses'`)).toBe(0);
  });

  it('has a key of its own for each path, user and service key', async () => {
    const key = newKey();
    await send(client, teams(), key, team()).expect(201);
    const other = await makeUser(service, {
      organisationId: customer.organisationId,
      roles: ['ROLE_CUSTADMIN'],
    });
    await send(other.client, teams(), key, team('Of another')).expect(201);
    const { client: robot } = await makeServiceKey(service, customer.organisationId, {
      operations: ['teams.create'],
    });
    await send(robot, teams(), key, team('Of a robot')).expect(201);
    const robots = await send(robot, teams(), key, team('Of a robot')).expect(201);
    expect(robots.headers['idempotency-replayed']).toBe('true');
    await send(client, `/organisations/${customer.organisationId}/servicekeys`, key, {
      name: 'Robot',
      operations: ['teams.create'],
    }).expect(201);
    expect(await teamCount()).toBe(3);
  });

  it('knows the path however it is spelt', async () => {
    const key = newKey();
    const first = await send(client, teams(), key, team()).expect(201);
    const { organisationId } = customer;
    for (const path of [
      `/Organisations/${organisationId}/TEAMS`,
      `/organisations/${organisationId}/teams/`,
      `//organisations//${organisationId}/teams`,
      `/organisations/%3${String(organisationId)[0]}${String(organisationId).slice(1)}/teams`,
    ]) {
      const again = await send(client, path, key, team()).expect(201);
      expect([path, again.headers['idempotency-replayed'], again.body]).toEqual([path, 'true', first.body]);
    }
    expect(await teamCount()).toBe(1);
  });

  it('looks past the query string', async () => {
    const key = newKey();
    await send(client, `${teams()}?try=1`, key, team()).expect(201);
    const again = await send(client, `${teams()}?try=2`, key, team()).expect(201);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await teamCount()).toBe(1);
  });

  it('refuses another body, to the byte, and does nothing', async () => {
    const key = newKey();
    await send(client, teams(), key, '{"name":"Retried","autoAddSshkey":false}').expect(201);
    for (const body of [
      '{"name":"Other","autoAddSshkey":false}',
      '{"name":"Retried", "autoAddSshkey":false}',
      '{',
    ]) {
      const refused = await send(client, teams(), key, body).expect(422);
      expect(refused.body).toMatchObject({ code: 422, reason: 'IDEMPOTENCY_KEY_REUSED' });
    }
    await send(client, teams(), key).expect(422);
    expect(await teamCount()).toBe(1);
  });

  it('keeps no refusal', async () => {
    const key = newKey();
    const wrong = await send(client, teams(), key, { name: '' }).expect(400);
    expect(wrong.headers['idempotency-replayed']).toBeUndefined();
    await send(client, teams(), key, team()).expect(201);
    const contacts = `/organisations/${customer.organisationId}/users/${customer.plain.id}/contacts`;
    const contact = { type: 'email', name: `twice${nextNumber()}@example.com`, preferences: 'Finance' };
    await send(client, contacts, newKey(), contact).expect(201);
    const taken = newKey();
    await send(client, contacts, taken, contact).expect(400);
    await service.sql`DELETE FROM contacts WHERE user_id = ${customer.plain.id}`;
    await send(client, contacts, taken, contact).expect(201);
    expect(await keptCount()).toBe(3);
  });

  it('makes no change whose response is not kept', async () => {
    const key = newKey();
    await service.sql(`
      CREATE FUNCTION refuse_to_keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
      CREATE TRIGGER refuse_to_keep BEFORE INSERT ON stored_responses FOR EACH ROW EXECUTE FUNCTION refuse_to_keep();`);
    try {
      await send(client, teams(), key, team()).expect(500);
    } finally {
      await service.sql('DROP FUNCTION refuse_to_keep CASCADE');
    }
    expect(await teamCount()).toBe(0);
    const done = await send(client, teams(), key, team()).expect(201);
    expect(done.headers['idempotency-replayed']).toBeUndefined();
  });

  it('judges the rights anew each time', async () => {
    const key = newKey();
    await send(client, teams(), key, team()).expect(201);
    await service.sql`UPDATE users SET roles = '{}' WHERE id = ${customer.custadmin.id}`;
    await send(client, teams(), key, team()).expect(500, /ROLE_REQUIRED/);
    await service.sql`DELETE FROM logins WHERE user_id = ${customer.custadmin.id}`;
    await send(client, teams(), key, team()).expect(401);
  });

  it.each([
    ['empty', ''],
    ['with a space', 'a b'],
    ['too long', 'a'.repeat(256)],
    ['beyond ASCII', 'clé'],
  ])('refuses a key that is %s', async (_, key) => {
    const refused = await send(client, teams(), key, team()).expect(400);
    expect(failingFields(refused)).toEqual(['Idempotency-Key']);
    expect(await teamCount()).toBe(0);
  });

  it('takes a key of 1 and of 255 characters', async () => {
    await send(client, teams(), '~', team()).expect(201);
    await send(client, teams(), '!'.repeat(255), team('Longer')).expect(201);
    expect(await keptCount()).toBe(2);
  });

  it('stores nothing that can be read', async () => {
    const key = 'readable-key';
    const keys = `/organisations/${customer.organisationId}/servicekeys`;
    const body = { name: 'Secretive', operations: ['teams.create'] };
    const { text } = await send(client, keys, key, body).expect(201);
    const { serviceKey } = JSON.parse(text) as { serviceKey: { hash: string } };
    const [row] = await service.sql<{ row: string }>(
      `SELECT row(k.*)::text || encode(digest, 'escape') AS row FROM stored_responses k WHERE user_id = $1`,
      [customer.custadmin.id],
    );
    for (const word of [serviceKey.hash, 'Secretive', key, 'serviceKey'])
      expect(row?.row).not.toContain(word);
    expect((await send(client, keys, key, body).expect(201)).text).toBe(text);
  });

  it('keeps responses for 24 hours', async () => {
    const key = newKey();
    await send(client, teams(), key, team()).expect(201);
    const age = (hours: number) =>
      makeOlder(service, 'stored_responses', { user_id: customer.custadmin.id }, `${hours} hours`);
    await age(23);
    await runJob(service, CleanUpHandler);
    expect((await send(client, teams(), key, team()).expect(201)).headers['idempotency-replayed']).toBe(
      'true',
    );
    await age(2);
    const later = await send(client, teams(), key, team('Later')).expect(201);
    expect(later.headers['idempotency-replayed']).toBeUndefined();
    expect((await send(client, teams(), key, team('Later'))).headers['idempotency-replayed']).toBe('true');
    await age(25);
    await runJob(service, CleanUpHandler);
    expect(await keptCount()).toBe(0);
  });

  it('keeps 1,000 responses of a caller: the oldest makes room', async () => {
    const oldest = newKey();
    await send(client, teams(), oldest, team()).expect(201);
    await service.sql(
      `INSERT INTO stored_responses (digest, user_id, encrypted, created_at)
       SELECT sha256(('filler ' || $1 || ' ' || n)::bytea), $1::integer, 'v1.00000000.x', now() - interval '1 minute' + n * interval '1 ms'
       FROM generate_series(1, 999) n`,
      [customer.custadmin.id],
    );
    await service.sql(
      `UPDATE stored_responses SET created_at = now() - interval '1 hour' WHERE encrypted NOT LIKE 'v1.00000000.%'`,
    );
    expect(await keptCount()).toBe(1000);
    await send(client, teams(), newKey(), team('New')).expect(201);
    expect(await keptCount()).toBe(1000);
    const again = await send(client, teams(), oldest, team('Again')).expect(201);
    expect(again.headers['idempotency-replayed']).toBeUndefined();
  });

  it('keeps 1,000 responses of a service key too', async () => {
    const { id } = await makeServiceKey(service, customer.organisationId, { operations: ['teams.create'] });
    await service.sql(
      `INSERT INTO stored_responses (digest, service_key_id, encrypted)
       SELECT sha256(('key ' || n)::bytea), $1, n::text FROM generate_series(1, 1003) n`,
      [id],
    );
    expect(
      await service.sql(
        `SELECT count(*)::integer AS count, min(encrypted::integer) AS first FROM stored_responses WHERE service_key_id = $1`,
        [id],
      ),
    ).toEqual([{ count: 1000, first: 4 }]);
  });

  it('does not undo the use of a code or a count by a refusal', async () => {
    // A wrong password counts, whatever key comes with it.
    const path = `/organisations/${customer.organisationId}/users/${customer.plain.id}/changepassword`;
    const wrong = { oldPassword: 'wrong', password: 'Nieuw-Wachtw00rd' };
    for (let guess = 0; guess < 10; guess++) {
      await send(customer.plain.client, path, newKey(), wrong).expect(400);
    }
    await send(customer.plain.client, path, newKey(), { ...wrong, oldPassword: PASSWORD }).expect(429);
  });

  it('changes a password once, though the first password is wrong after that', async () => {
    const path = `/organisations/${customer.organisationId}/users/${customer.plain.id}/changepassword`;
    const change = { oldPassword: PASSWORD, password: 'Nieuw-Wachtw00rd' };
    const key = newKey();
    const first = await send(customer.plain.client, path, key, change).expect(200);
    const again = await send(customer.plain.client, path, key, change).expect(200);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
  });

  it('goes with its user, its service key and the organisation that it is about', async () => {
    const { client: robot, id } = await makeServiceKey(service, customer.organisationId, {
      operations: ['teams.create'],
    });
    await send(robot, teams(), newKey(), team('Of a robot')).expect(201);
    await send(client, teams(), newKey(), team('Of a user')).expect(201);
    await send(admin, teams(), newKey(), team('Of an admin')).expect(201);
    const left = () => count(`stored_responses WHERE organisation_id = ${customer.organisationId}`);
    expect(await left()).toBe(3);
    await admin.delete(`/organisations/${customer.organisationId}/servicekeys/${id}`).expect(204);
    expect(await left()).toBe(2);
    await admin
      .delete(`/organisations/${customer.organisationId}/users/${customer.custadmin.id}`)
      .expect(204);
    expect(await left()).toBe(1);
    await admin.delete(`/organisations/${customer.organisationId}/users/${customer.plain.id}`).expect(204);
    await admin.delete(`/organisations/${customer.organisationId}`).expect(204);
    expect(await left()).toBe(0);
  });

  it('goes with the erasure of anybody in the organisation', async () => {
    await send(admin, teams(), newKey(), team('Of an admin')).expect(201);
    await send(client, teams(), newKey(), team('Of a user')).expect(201);
    const ctx = RequestContext.forCommand('person erase', 'test');
    const erasing = { isTrial: false, onProgress: () => undefined, signal: new AbortController().signal };
    await service.app.get(PersonErasure).erase(ctx, customer.plain.id, erasing);
    expect(await count(`stored_responses WHERE organisation_id = ${customer.organisationId}`)).toBe(0);
  });

  it('takes no notice of it where nothing is made or changed with a credential', async () => {
    const before = await count('stored_responses');
    const key = ' malformed ';
    const user = await makeUser(service, { organisationId: await makeOrganisation(service) });
    const calls: [ApiClient, string, object | undefined, number][] = [
      [user.client, '/login', { username: user.username, password: PASSWORD }, 200],
      [admin, '/access/introspect', { token: user.client.hash }, 200],
      [user.client, '/resetting/send_email', { username: user.username }, 204],
      [user.client, '/logout', undefined, 204],
    ];
    for (const [caller, path, body, status] of calls) {
      const response = await send(caller, path, `${key}x y`, body);
      expect({ path, status: response.status, text: response.text }).toMatchObject({ path, status });
    }
    expect(await count('stored_responses')).toBe(before);
  });
});
