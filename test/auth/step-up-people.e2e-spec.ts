import type { Test } from 'supertest';
import { type Variant, VARIANTS } from '../../qa/variants';
import {
  clientOf,
  type MadeUser,
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { type InvitationOptions, makeInvitation } from '../support/factories/invitations-factories';
import { makeApiKey, makeServiceKey } from '../support/factories/key-factories';
import { passkeysOf, passSecondFactor, storePasskey } from '../support/factories/passkey-factories';
import { giveSecondFactor, MovableClock } from '../support/factories/two-factor-factories';
import { apiKeyClientOf, makeAdmin, pathOf } from '../support/factories/users-factories';
import { makeWebhook } from '../support/factories/webhooks-factories';
import { type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { PASSKEYS, type TestService, useService } from '../support/service/service';

const NAMES = { firstName: 'Jan', lastName: 'de Vries' } as const;
const MD5_HASH = '$1$Zp3kWq81$tVo2jkEj/paZhLGHi4q4q.';
const SOONER = 4_000_000_000;
const LATER = 4_100_000_000;

const email = (): string => `given${nextNumber()}@example.com`;

/** A manager with an authenticator, whose login a thief has, and what it acts on. */
interface World {
  readonly service: TestService;
  readonly organisationId: number;
  readonly manager: MadeUser;
  readonly colleague: MadeUser;
  readonly admin: MadeUser;
  readonly granteeId: number;
}

type Send = (client: ApiClient, fields: object) => Test;

interface Step {
  readonly by?: 'admin';
  readonly only?: Variant;
  /** Makes what the request acts on, and gives the request. */
  readonly prepare: (world: World) => Promise<Send> | Send;
}

const invitation = (world: World, fields: Partial<InvitationOptions> = {}) =>
  makeInvitation(world.service, {
    organisationId: world.organisationId,
    inviterId: world.manager.id,
    autoRoles: ['ROLE_CUSTADMIN'],
    ...fields,
  });
const invitationsOf = ({ organisationId }: World): string => `/organisations/${organisationId}/invitations`;
const serviceKeysOf = ({ organisationId }: World): string => `/organisations/${organisationId}/servicekeys`;
const webhooksOf = ({ organisationId }: World): string => `/organisations/${organisationId}/webhooks`;
const WEBHOOK = { url: 'https://receiver.invalid/', events: ['users.*'] } as const;
const grantsOf = ({ organisationId }: World): string => `/organisations/${organisationId}/grants`;

async function grantOf(world: World, access: 'read' | 'manage', expires?: number): Promise<string> {
  const id = await makeGrant(world.service, world.organisationId, world.granteeId, { access });
  if (expires !== undefined)
    await world.service.sql`UPDATE acls SET expires_at = to_timestamp(${expires}) WHERE id = ${id}`;
  return `${grantsOf(world)}/${id}`;
}

const update =
  (user: MadeUser, change: object): Send =>
  (client, fields) =>
    client.patch(pathOf(user), { username: user.username, ...NAMES, ...change, ...fields });

const cp3 =
  (user: MadeUser, change: object): Send =>
  (client, fields) =>
    client.patch(`/organisations/${user.organisationId}/cp3/users/${user.id}`, {
      username: user.username,
      ...NAMES,
      cp3Password: MD5_HASH,
      ...change,
      ...fields,
    });

/** Before which the acting person proves itself (rule login 86 to rule login 90). */
const ASKED: Readonly<Record<string, Step>> = {
  'a role that manages, given to a user': {
    prepare: ({ colleague }) => update(colleague, { defaultRoles: 'ROLE_FINANCE,ROLE_CUSTADMIN' }),
  },
  'ROLE_ADMIN, given to a user': {
    by: 'admin',
    prepare: async ({ service }) =>
      update(await makeUser(service, { organisationId: 1 }), { defaultRoles: 'ROLE_ADMIN' }),
  },
  "another user's name": { prepare: ({ colleague }) => update(colleague, { username: email() }) },
  'an invitation with a role that manages': {
    prepare: (world) => (client, fields) =>
      client.post(invitationsOf(world), {
        ...NAMES,
        email: email(),
        autoRoles: 'ROLE_CUSTADMIN',
        ...fields,
      }),
  },
  'a role that manages, added to an invitation': {
    prepare: async (world) => {
      const { id, email: address } = await invitation(world, { autoRoles: [] });
      return (client, fields) =>
        client.put(`${invitationsOf(world)}/${id}`, {
          ...NAMES,
          email: address,
          autoRoles: 'ROLE_CUSTADMIN',
          ...fields,
        });
    },
  },
  'another address of an invitation with a role that manages': {
    prepare: async (world) => {
      const { id } = await invitation(world);
      return (client, fields) =>
        client.put(`${invitationsOf(world)}/${id}`, { ...NAMES, email: email(), ...fields });
    },
  },
  'sending an invitation with a role that manages again': {
    prepare: async (world) => {
      const { id } = await invitation(world);
      return (client, fields) => client.post(`${invitationsOf(world)}/${id}/resend`, fields);
    },
  },
  'a grant that manages': {
    prepare: (world) => (client, fields) =>
      client.post(grantsOf(world), { organisation: world.granteeId, access: 'manage', ...fields }),
  },
  'a grant that begins to manage': {
    prepare: async (world) => {
      const path = await grantOf(world, 'read');
      return (client, fields) => client.put(path, { access: 'manage', ...fields });
    },
  },
  'a grant that manages for longer': {
    prepare: async (world) => {
      const path = await grantOf(world, 'manage', SOONER);
      return (client, fields) => client.put(path, { expires: LATER, ...fields });
    },
  },
  'a grant that manages without an end': {
    prepare: async (world) => {
      const path = await grantOf(world, 'manage', SOONER);
      return (client, fields) => client.put(path, { expires: null, ...fields });
    },
  },
  "another user's second factor": {
    only: 'A',
    prepare: async ({ service, colleague }) => {
      await giveSecondFactor(service, colleague.id);
      return (client, fields) => client.patch(`${pathOf(colleague)}/disable2fa`, fields);
    },
  },
  'an own passkey': {
    only: 'A',
    prepare: async ({ service, manager }) => {
      const id = await storePasskey(service, manager.id);
      await passSecondFactor(service, manager.id);
      return (client, fields) => client.delete(`${passkeysOf(manager)}/${id}`).send(fields);
    },
  },
  "another user's passkey": {
    only: 'A',
    prepare: async ({ service, colleague }) => {
      const id = await storePasskey(service, colleague.id);
      return (client, fields) => client.delete(`${passkeysOf(colleague)}/${id}`).send(fields);
    },
  },
  'making an API key': {
    only: 'A',
    prepare:
      ({ manager }) =>
      (client, fields) =>
        client.post(`${pathOf(manager)}/apikeys`, { name: 'Deployment', whitelist: [], ...fields }),
  },
  'rotating an API key': {
    only: 'A',
    prepare: async ({ service, manager }) => {
      const { id } = await makeApiKey(service, manager.id);
      return (client, fields) => client.post(`${pathOf(manager)}/apikeys/${id}/rotate`, fields);
    },
  },
  'making a service key': {
    prepare: (world) => (client, fields) =>
      client.post(serviceKeysOf(world), { name: 'Deployment', operations: ['contacts.list'], ...fields }),
  },
  'rotating a service key': {
    prepare: async (world) => {
      const { id } = await makeServiceKey(world.service, world.organisationId);
      return (client, fields) => client.post(`${serviceKeysOf(world)}/${id}/rotate`, fields);
    },
  },
  'making a webhook': {
    prepare: (world) => (client, fields) => client.post(webhooksOf(world), { ...WEBHOOK, ...fields }),
  },
  'rotating the secret of a webhook': {
    prepare: async (world) => {
      const { webhookId } = await makeWebhook(world.service, world.organisationId);
      return (client, fields) => client.post(`${webhooksOf(world)}/${webhookId}/rotate`, fields);
    },
  },
  'another receiver of a webhook': {
    prepare: async (world) => {
      const { webhookId } = await makeWebhook(world.service, world.organisationId);
      return (client, fields) => client.put(`${webhooksOf(world)}/${webhookId}`, { ...WEBHOOK, ...fields });
    },
  },
  'another hash by cp3': { by: 'admin', only: 'B', prepare: ({ colleague }) => cp3(colleague, {}) },
  'another name by cp3': {
    by: 'admin',
    only: 'B',
    prepare: async ({ service, colleague }) => {
      await service.sql`UPDATE users SET password_hash = ${MD5_HASH} WHERE id = ${colleague.id}`;
      return cp3(colleague, { username: email() });
    },
  },
};

/** What gives nothing, or less than before. */
const UNASKED: Readonly<Record<string, Step>> = {
  'other roles': { prepare: ({ colleague }) => update(colleague, { defaultRoles: 'ROLE_FINANCE' }) },
  'a role that was held before': {
    prepare: async ({ service, organisationId }) => {
      const user = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
      return update(user, { defaultRoles: 'ROLE_CUSTADMIN,ROLE_FINANCE' });
    },
  },
  'a role that is taken': {
    prepare: async ({ service, organisationId }) =>
      update(await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] }), { defaultRoles: '' }),
  },
  'another spelling of a name': {
    prepare: ({ colleague }) => update(colleague, { username: colleague.username.toUpperCase() }),
  },
  'an invitation without such a role': {
    prepare: (world) => (client, fields) =>
      client.post(invitationsOf(world), {
        ...NAMES,
        email: email(),
        autoRoles: 'ROLE_FINANCE',
        ...fields,
      }),
  },
  'sending an invitation without such a role again': {
    prepare: async (world) => {
      const { id } = await invitation(world, { autoRoles: ['ROLE_FINANCE'] });
      return (client, fields) => client.post(`${invitationsOf(world)}/${id}/resend`, fields);
    },
  },
  'an invitation that loses such a role': {
    prepare: async (world) => {
      const { id, email: address } = await invitation(world);
      return (client, fields) =>
        client.put(`${invitationsOf(world)}/${id}`, { ...NAMES, email: address, autoRoles: '', ...fields });
    },
  },
  'a grant that reads': {
    prepare: (world) => (client, fields) =>
      client.post(grantsOf(world), { organisation: world.granteeId, access: 'read', ...fields }),
  },
  'a grant that reads for longer': {
    prepare: async (world) => {
      const path = await grantOf(world, 'read', SOONER);
      return (client, fields) => client.put(path, { expires: LATER, ...fields });
    },
  },
  'a grant that manages as long as before': {
    prepare: async (world) => {
      const path = await grantOf(world, 'manage', SOONER);
      return (client, fields) => client.put(path, { access: 'manage', expires: SOONER, ...fields });
    },
  },
  'a grant that manages for a shorter time, or reads from now on': {
    prepare: async (world) => {
      const path = await grantOf(world, 'manage', LATER);
      return (client, fields) => client.put(path, { access: 'read', expires: LATER + 1, ...fields });
    },
  },
  'the same hash by cp3': {
    by: 'admin',
    only: 'B',
    prepare: async ({ service, colleague }) => {
      await service.sql`UPDATE users SET password_hash = ${MD5_HASH} WHERE id = ${colleague.id}`;
      return cp3(colleague, { firstName: 'Piet' });
    },
  },
};

async function makeWorld(service: TestService): Promise<World> {
  const { organisationId, custadmin, plain } = await makeCustomer(service);
  return {
    service,
    organisationId,
    manager: custadmin,
    colleague: plain,
    admin: await makeAdmin(service),
    granteeId: await makeOrganisation(service),
  };
}

const actorOf = ({ by }: Step, { manager, admin }: World): MadeUser => (by === 'admin' ? admin : manager);

/** What the requests of the table change. */
const changedBy = (service: TestService) => service.sql`
  SELECT to_jsonb(u) - 'totp_last_step' FROM users u
  UNION ALL SELECT to_jsonb(i) FROM invitations i UNION ALL SELECT to_jsonb(a) FROM acls a
  UNION ALL SELECT to_jsonb(p) FROM passkeys p UNION ALL SELECT to_jsonb(k) FROM api_keys k
  UNION ALL SELECT to_jsonb(s) FROM service_keys s UNION ALL SELECT to_jsonb(w) FROM webhooks w
  UNION ALL SELECT jsonb_build_object('news', n.id) FROM notifications n
  ORDER BY 1`;

describe.each(VARIANTS)('what STEP_UP asks the acting person for in Variant %s', (variant) => {
  const settings = { stepUp: true, passkeys: PASSKEYS };
  const service = useService(variant, { settings });
  let clock: MovableClock;
  let world: World;
  beforeAll(() => {
    clock = new MovableClock(service);
  });
  beforeEach(async () => {
    world = await makeWorld(service);
  });

  const rowsOf = (table: Readonly<Record<string, Step>>) =>
    Object.entries(table).filter(([, { only }]) => only === undefined || only === variant);

  it.each(rowsOf(ASKED))('%s takes the password and the code', async (_, step) => {
    const actor = actorOf(step, world);
    const secret = await giveSecondFactor(service, actor.id);
    const send = await step.prepare(world);
    const before = await changedBy(service);
    const proof = { password: PASSWORD, '6digitCode': clock.code(secret) };
    for (const fields of [{}, { password: null, '6digitCode': '' }])
      expect(failingFields(await send(actor.client, fields).expect(400))).toEqual(['6digitCode', 'password']);
    expect(failingFields(await send(actor.client, { password: PASSWORD }).expect(400))).toEqual([
      '6digitCode',
    ]);
    await send(actor.client, { ...proof, password: 'wrong' }).expect(401, /BAD_CREDENTIALS/);
    await send(actor.client, { ...proof, '6digitCode': clock.wrongCode(secret) }).expect(401, /CODE_INVALID/);
    expect(await changedBy(service)).toEqual(before);
    expect((await send(actor.client, proof)).status).toBeLessThan(300);
    expect(await changedBy(service)).not.toEqual(before);
  });

  it.each(rowsOf(UNASKED))('%s takes nothing', async (_, step) => {
    const send = await step.prepare(world);
    expect((await send(actorOf(step, world).client, {})).status).toBeLessThan(300);
  });

  it.each(rowsOf(ASKED))('%s counts wrong passwords for the login', async (_, step) => {
    const actor = actorOf(step, world);
    const send = await step.prepare(world);
    for (let guess = 0; guess < 10; guess++)
      await send(actor.client, { password: `wrong-${guess}` }).expect(401);
    await send(actor.client, { password: PASSWORD }).expect(429);
    const fresh = await clientOf(service, actor.id);
    await passSecondFactor(service, actor.id);
    expect((await send(fresh, { password: PASSWORD })).status).toBeLessThan(300);
  });

  it('a key is refused as before, and asked for nothing', async () => {
    const { organisationId, manager, colleague } = world;
    const { client: serviceKey } = await makeServiceKey(service, organisationId, {
      operations: ['users.update', 'invitations.create'],
    });
    for (const client of [await apiKeyClientOf(service, manager.id), serviceKey]) {
      await update(colleague, { defaultRoles: 'ROLE_CUSTADMIN' })(client, {}).expect(403);
      await update(colleague, { username: email() })(client, {}).expect(403);
      const invited = { ...NAMES, email: email() };
      await client
        .post(invitationsOf(world), { ...invited, autoRoles: 'ROLE_CUSTADMIN' })
        .expect(403, /API_KEY_REFUSED/);
      await client.post(invitationsOf(world), invited).expect(201);
    }
  });

  it('what the body and the stored record show to be refused asks for nothing', async () => {
    const { manager, colleague } = world;
    await update(colleague, { defaultRoles: 'ROLE_ADMIN' })(manager.client, {}).expect(400, /ADMIN_ONLY/);
    await update(colleague, { username: 'manager' })(manager.client, {}).expect(
      400,
      /RESERVED_USERNAME|INVALID_EMAIL/,
    );
    await update(manager, { defaultRoles: 'ROLE_CUSTADMIN' })(manager.client, {}).expect(500);
    await manager.client
      .post(invitationsOf(world), { ...NAMES, email: email(), autoRoles: 'ROLE_CUSTADMIN,ROLE_ADMIN' })
      .expect(400, /ADMIN_ONLY/);
    await manager.client
      .post(webhooksOf(world), { ...WEBHOOK, url: 'ftp://thief.invalid/' })
      .expect(400, /INVALID_URL/);
  });

  it('what other records refuse is refused after the proof', async () => {
    const { manager, colleague } = world;
    const taken = update(colleague, { username: manager.username });
    expect(failingFields(await taken(manager.client, {}).expect(400))).toEqual(['password']);
    expect(failingFields(await taken(manager.client, { password: PASSWORD }).expect(400))).toEqual([
      'username',
    ]);
    const invited = { ...NAMES, email: colleague.username, autoRoles: 'ROLE_CUSTADMIN' };
    const invite = (fields: object) => manager.client.post(invitationsOf(world), { ...invited, ...fields });
    expect(failingFields(await invite({}).expect(400))).toEqual(['password']);
    await invite({ password: PASSWORD }).expect(400, /ALREADY_A_USER/);
  });
});

describe.each(VARIANTS)('without STEP_UP, Variant %s', (variant) => {
  const service = useService(variant, { settings: { stepUp: false, passkeys: PASSKEYS, strictBody: true } });

  it('nobody is asked, and no proof is looked at', async () => {
    const world = await makeWorld(service);
    for (const step of Object.values({ ...ASKED, ...UNASKED })) {
      if (step.only !== undefined && step.only !== variant) continue;
      const fresh = await makeWorld(service);
      const send = await step.prepare(fresh);
      expect((await send(actorOf(step, fresh).client, {})).status).toBeLessThan(300);
    }
    const invited = { ...NAMES, email: email(), autoRoles: 'ROLE_CUSTADMIN' };
    await world.manager.client
      .post(invitationsOf(world), { ...invited, password: ['wrong'], '6digitCode': 7 })
      .expect(201);
    const { id } = await invitation(world);
    await world.manager.client
      .post(`${invitationsOf(world)}/${id}/resend`)
      .type('json')
      .send('{"half')
      .expect(200);
  });
});

/** rule variant-b 12: the login of an admin sets no password of an admin. */
describe.each([true, false])('cp3Password of admins in Variant B, STEP_UP %s', (stepUp) => {
  const service = useService('B', { settings: { stepUp } });
  const proof = { password: PASSWORD };

  it.each([
    ['$1$', MD5_HASH],
    ['$2y$', '$2y$04$abcdefghijklmnopqrstuu9GJiPsYrQdlHs8N4ultK1m2w1lisxxi'],
    ['$2a$', '$2a$05$abcdefghijklmnopqrstuugxq2/dhQ27gPbHsVCYkgR9ReI9JNlNm'],
  ])('replaces a stored %s', async (_, storedHash) => {
    const actor = await makeAdmin(service);
    const admin = await makeAdmin(service);
    await service.sql`UPDATE users SET password_hash = ${storedHash} WHERE id = ${admin.id}`;
    const other = { cp3Password: '$1$Zp3kWq81$Yc8g0w0V5FZ0W4bXwJq7y/' };
    await cp3(admin, other)(actor.client, proof).expect(200);
  });

  it('never replaces one of this service: the own neither, nor that of a cost before', async () => {
    const actor = await makeAdmin(service);
    const other = await makeAdmin(service);
    const lower = await makeAdmin(service);
    const cheap = '$2b$04$abcdefghijklmnopqrstuutfgOYMmcuC8GMMvs7hBh4dxNeJ2Uoga';
    await service.sql`UPDATE users SET password_hash = ${cheap} WHERE id = ${lower.id}`;
    for (const admin of [actor, other, lower]) {
      for (const fields of [{}, proof])
        await cp3(admin, {})(actor.client, fields).expect(403, /ADMIN_PASSWORD_KEPT/);
    }
    // A login of before is valid still: nothing was changed.
    await other.client.get('/whoami').expect(200);
    await (await asAdmin(service)).get('/whoami').expect(200);
    const [{ password_hash: own } = { password_hash: '' }] = await service.sql<{ password_hash: string }>`
      SELECT password_hash FROM users WHERE id = ${actor.id}`;
    await cp3(actor, { cp3Password: own, firstName: 'Piet' })(actor.client, {}).expect(200);
  });
});
