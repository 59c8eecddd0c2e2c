import { Takeovers } from '@app/lifecycle/takeovers';
import { PersonExport } from '@app/records/privacy/person-export';
import { RequestContext } from '@app/security/context/request-context';
import { VARIANTS } from '../../../qa/variants';
import {
  type MadeUser,
  makeCustomer,
  makeGrant,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../../support/factories/factories';
import {
  type MadeInvitation,
  makeInvitation,
  registrationOf,
} from '../../support/factories/invitations-factories';
import { makeServiceKey } from '../../support/factories/key-factories';
import { makeContact } from '../../support/factories/records';
import { pathOf } from '../../support/factories/users-factories';
import { makeWebhook } from '../../support/factories/webhooks-factories';
import { transactionBeside } from '../../support/faults/locks';
import { type ReceivedMail, useMailServer } from '../../support/faults/smtp';
import { anonymous, ApiClient, asAdmin, loggedIn } from '../../support/service/client';
import { runJobs } from '../../support/service/jobs';
import { useService } from '../../support/service/service';

const RESET = /https:\/\/panel\.example\/reset\?token=([0-9a-f]{64})/;
const INVITED = /https:\/\/panel\.example\/invited\?token=([0-9a-f]{64})/;
const OWNERS_PASSWORD = 'Terug-Van-Weg-1';
const NAMES = { firstName: 'Jan', lastName: 'de Vries' } as const;

const mailServer = useMailServer();

interface Stolen {
  readonly user: MadeUser;
  /** The token of the link that gives the name back. */
  readonly token: string;
}

/**
 * rule recovery 30: a restored name ends what its user made for its organisation since the
 * change. The thief has a login of the user, renames it and stays inside by what it makes; the
 * owner follows the link of the mail.
 */
describe.each(VARIANTS)('a name that is restored in Variant %s', (variant) => {
  const service = useService(variant, () => ({
    settings: {
      smtpUrl: mailServer.url,
      resetUrlTemplate: 'https://panel.example/reset?token={token}',
      invitationUrlTemplate: 'https://panel.example/invited?token={token}&id={invitationId}',
    },
  }));
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let organisationId: number;
  let custadmin: MadeUser;
  let colleague: MadeUser;
  let plain: MadeUser;
  let path: string;

  beforeEach(async () => {
    ({ organisationId, custadmin, plain } = await makeCustomer(service));
    colleague = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
    path = `/organisations/${organisationId}`;
  });

  const freshName = (): string => `name${nextNumber()}.${variant.toLowerCase()}@example.com`;

  async function linkTo(address: string, link = RESET): Promise<string> {
    await runJobs(service);
    const found = mailServer
      .mailsTo(address)
      .map(({ text }) => link.exec(text)?.[1])
      .findLast((token) => token !== undefined);
    if (found === undefined) throw new Error(`No link was mailed to ${address}`);
    return found;
  }

  const rename = (by: ApiClient, user: Pick<MadeUser, 'id' | 'organisationId'>, username: string) =>
    by.patch(pathOf(user), { username, ...NAMES });

  async function stolen(user: MadeUser = custadmin): Promise<Stolen> {
    await rename(user.client, user, freshName()).expect(204);
    return { user, token: await linkTo(user.username) };
  }

  const restore = ({ token }: Stolen) =>
    anonymous(service).post(`/resetting/${token}`, { password: OWNERS_PASSWORD });

  /** Restores the name, and gives the mails to its owner since. */
  async function restored(theft: Stolen): Promise<ReceivedMail[]> {
    await runJobs(service);
    const seen = mailServer.mailsTo(theft.user.username).length;
    await restore(theft).expect(200);
    await runJobs(service);
    return mailServer.mailsTo(theft.user.username).slice(seen);
  }

  /** The text of the mail that names what has ended. */
  const reportIn = (mails: readonly ReceivedMail[]): string =>
    mails.find(({ headers }) => headers.get('subject')?.startsWith('Gebruikersnaam hersteld') === true)
      ?.text ?? '';

  const bodyOf = async <Body>(call: PromiseLike<{ body: unknown; status: number }>): Promise<Body> => {
    const { body, status } = await call;
    expect([200, 201]).toContain(status);
    return body as Body;
  };

  async function invite(by: ApiClient, at = path, roles = ''): Promise<MadeInvitation> {
    const email = freshName();
    const { invitation } = await bodyOf<{ invitation: { id: number } }>(
      by.post(`${at}/invitations`, { email, ...NAMES, autoRoles: roles }),
    );
    const token = await linkTo(email, INVITED);
    return { id: invitation.id, organisationId: Number(at.split('/')[2]), email, token };
  }
  const register = (invitation: MadeInvitation) =>
    anonymous(service).post(`/registerInvitation/${invitation.token}`, registrationOf(invitation, PASSWORD));

  async function registered(invitation: MadeInvitation): Promise<MadeUser> {
    const { user } = await bodyOf<{ user: { id: number } }>(register(invitation));
    const client = await loggedIn(service, invitation.email, PASSWORD);
    return { id: user.id, organisationId: invitation.organisationId, username: invitation.email, client };
  }

  async function serviceKeyOf(by: ApiClient, operations: readonly string[], at = path) {
    const name = `Key ${nextNumber()}`;
    const { serviceKey } = await bodyOf<{ serviceKey: { id: number; hash: string } }>(
      by.post(`${at}/servicekeys`, { name, operations }),
    );
    return { id: serviceKey.id, name, client: new ApiClient(service.url, serviceKey.hash) };
  }
  const webhookOf = async (by: ApiClient, host = `hook${nextNumber()}.example`, at = path) => {
    const { webhook } = await bodyOf<{ webhook: { id: number } }>(
      by.post(`${at}/webhooks`, { url: `https://${host}/in`, events: ['*'] }),
    );
    return { id: webhook.id, host };
  };
  const grantOf = async (by: ApiClient, access: 'read' | 'manage') => {
    const { organisationId: granteeId, custadmin: grantee } = await makeCustomer(service);
    const { grant } = await bodyOf<{ grant: { id: number } }>(
      by.post(`${path}/grants`, { organisation: granteeId, access }),
    );
    return { id: grant.id, granteeId, grantee };
  };
  const contactOf = async (by: ApiClient, at = path) => {
    const name = `contact${nextNumber()}@evil.example`;
    const { contact } = await bodyOf<{ contact: { id: number } }>(
      by.post(`${at}/contacts`, { type: 'email', name, preferences: 'System,Finance' }),
    );
    return { id: contact.id, name };
  };

  const rowOf = async (table: string, id: number) =>
    (await service.sql<Record<string, unknown>>(`SELECT * FROM ${table} WHERE id = $1`, [id]))[0];

  it('ends what its user made since, for everybody, and the mail names each', async () => {
    const theft = await stolen();
    const thief = custadmin.client;
    const open = await invite(thief, path, 'ROLE_CUSTADMIN');
    const accomplice = await registered(await invite(thief, path, 'ROLE_CUSTADMIN'));
    const key = await serviceKeyOf(thief, ['users.list']);
    const webhook = await webhookOf(thief);
    const managing = await grantOf(thief, 'manage');
    const reading = await grantOf(thief, 'read');
    const contact = await contactOf(thief);
    await key.client.get(`${path}/users`).expect(200);
    await accomplice.client.get(`${path}/users`).expect(200);
    await managing.grantee.client.get(path).expect(200);

    const report = reportIn(await restored(theft));

    await key.client.get(`${path}/users`).expect(401);
    await accomplice.client.get(`${path}/users`).expect(401);
    await anonymous(service)
      .post('/login', { username: accomplice.username, password: PASSWORD })
      .expect(401);
    await register(open).expect(404);
    await managing.grantee.client.get(path).expect(403);
    await reading.grantee.client.get(path).expect(403);
    const owner = await loggedIn(service, custadmin.username, OWNERS_PASSWORD);
    for (const gone of [
      `invitations/${open.id}`,
      `servicekeys/${key.id}`,
      `webhooks/${webhook.id}`,
      `grants/${managing.id}`,
      `grants/${reading.id}`,
      `contacts/${contact.id}`,
    ])
      await owner.get(`${path}/${gone}`).expect(404);
    expect(await rowOf('users', accomplice.id)).toMatchObject({ enabled: false, deleted_at: null });

    const named = [open.email, accomplice.username, key.name, webhook.host, contact.name];
    for (const name of named) expect(report).toContain(`“${name}”`);
    expect(report).toMatch(
      new RegExp(
        `Organisaties waarvan de toegang is beëindigd: ${managing.granteeId}, ${reading.granteeId}\n`,
      ),
    );
  });

  it('leaves what was there before, and what others made', async () => {
    const before = {
      invitation: await invite(custadmin.client),
      key: await serviceKeyOf(custadmin.client, ['users.list']),
      webhook: await webhookOf(custadmin.client),
      grant: await grantOf(custadmin.client, 'manage'),
      contact: await contactOf(custadmin.client),
    };
    const theft = await stolen();
    const since = {
      invitation: await invite(colleague.client, path, 'ROLE_CUSTADMIN'),
      key: await serviceKeyOf(colleague.client, ['users.list']),
      webhook: await webhookOf(colleague.client),
      grant: await grantOf(colleague.client, 'manage'),
      contact: await contactOf(colleague.client),
    };
    const mails = await restored(theft);
    for (const { invitation, key, webhook, grant, contact } of [before, since]) {
      await key.client.get(`${path}/users`).expect(200);
      await register(invitation).expect(201);
      await grant.grantee.client.get(path).expect(200);
      expect(await rowOf('webhooks', webhook.id)).toMatchObject({ enabled: true });
      expect(await rowOf('contacts', contact.id)).toMatchObject({ groups: ['System', 'Finance'] });
    }
    // Nothing has ended, so nothing is told of it.
    expect(reportIn(mails)).toBe('');
  });

  it('switches off what its user widened or pointed elsewhere, and takes back what it raised', async () => {
    const widened = await makeServiceKey(service, organisationId, { operations: ['users.list'] });
    const narrowed = await makeServiceKey(service, organisationId, {
      operations: ['users.list', 'users.read'],
    });
    const mended = await makeServiceKey(service, organisationId, { operations: ['users.list'] });
    const pointed = await makeWebhook(service, organisationId);
    await service.sql`UPDATE webhooks SET enabled = true WHERE id = ${pointed.webhookId}`;
    const told = await webhookOf(colleague.client, 'stays.example');
    const { organisationId: granteeId, custadmin: grantee } = await makeCustomer(service);
    const raised = await makeGrant(service, organisationId, granteeId);

    const theft = await stolen();
    const thief = custadmin.client;
    const put = (at: string, body: object, by = thief) => by.put(`${path}/${at}`, body).expect(204);
    await put(`servicekeys/${widened.id}`, { name: widened.name, operations: ['users.list', 'users.read'] });
    await put(`servicekeys/${narrowed.id}`, { name: narrowed.name, operations: ['users.list'] });
    await put(`servicekeys/${mended.id}`, { name: mended.name, operations: ['users.list', 'users.read'] });
    await put(
      `servicekeys/${mended.id}`,
      { name: mended.name, operations: ['users.list'] },
      colleague.client,
    );
    await put(`webhooks/${pointed.webhookId}`, { url: 'https://thief.example/', events: ['*'] });
    await put(`webhooks/${told.id}`, { url: 'https://stays.example/in', events: ['users.*'] });
    await put(`grants/${raised}`, { access: 'manage' });
    await rename(grantee.client, grantee, grantee.username).expect(204);

    const report = reportIn(await restored(theft));

    await widened.client.get(`${path}/users`).expect(401);
    await narrowed.client.get(`${path}/users`).expect(200);
    await mended.client.get(`${path}/users`).expect(200);
    expect(await rowOf('webhooks', pointed.webhookId)).toMatchObject({ enabled: false });
    expect(await rowOf('webhooks', told.id)).toMatchObject({ enabled: true });
    expect(await rowOf('acls', raised)).toMatchObject({ access: 'read' });
    const owner = await loggedIn(service, custadmin.username, OWNERS_PASSWORD);
    // It is there to be looked at, and stays off.
    const { serviceKey } = await bodyOf<{ serviceKey: object }>(
      owner.get(`${path}/servicekeys/${widened.id}`),
    );
    expect(serviceKey).toMatchObject({ name: widened.name });
    expect(report).toContain(`Uitgeschakelde servicesleutels: “${widened.name}”\n`);
    expect(report).toContain('Uitgeschakelde webhooks: “thief.example”\n');
    expect(report).toContain(`Organisaties die weer alleen mogen lezen: ${granteeId}\n`);
    for (const name of [narrowed.name, mended.name, 'stays.example']) expect(report).not.toContain(name);
  });

  it('ends a service key that its user rotated: only that user saw the value', async () => {
    const old = await makeServiceKey(service, organisationId, { operations: ['users.list'] });
    const theft = await stolen();
    const { serviceKey } = await bodyOf<{ serviceKey: { id: number; hash: string } }>(
      custadmin.client.post(`${path}/servicekeys/${old.id}/rotate`, {}),
    );
    await restored(theft);
    await new ApiClient(service.url, serviceKey.hash).get(`${path}/users`).expect(401);
    expect(await rowOf('service_keys', serviceKey.id)).toBeUndefined();
  });

  it('gives contacts System again, and their address, and names those that are gone', async () => {
    const groups = ['System', 'Finance'];
    const silenced = await makeContact(service, { organisationId, name: 'silenced@of.example', groups });
    const ofColleague = await makeContact(service, {
      organisationId,
      userId: colleague.id,
      name: 'colleague@of.example',
      groups,
    });
    const own = await makeContact(service, {
      organisationId,
      userId: custadmin.id,
      name: 'own@of.example',
      groups,
    });
    const moved = await makeContact(service, { organisationId, name: 'moved@of.example', groups });
    const gone = await makeContact(service, { organisationId, name: 'gone@of.example', groups });
    const decided = await makeContact(service, { organisationId, name: 'decided@of.example', groups });

    const theft = await stolen();
    const change = (at: string, name: string, preferences: string, by = custadmin.client) =>
      by.put(`${path}/${at}`, { type: 'email', name, preferences }).expect(204);
    await change(`contacts/${silenced}`, 'silenced@of.example', 'Crm');
    await change(`users/${colleague.id}/contacts/${ofColleague}`, 'colleague@of.example', '');
    await change(`users/${custadmin.id}/contacts/${own}`, 'own@of.example', 'Finance');
    await change(`contacts/${moved}`, 'moved@evil.example', 'System');
    await custadmin.client.delete(`${path}/contacts/${gone}`).expect(204);
    // A colleague has decided since what it gets.
    await change(`contacts/${decided}`, 'decided@of.example', 'Crm');
    await change(`contacts/${decided}`, 'decided@of.example', 'Finance', colleague.client);

    const report = reportIn(await restored(theft));

    expect(await rowOf('contacts', silenced)).toMatchObject({ groups: ['System', 'Crm'] });
    expect(await rowOf('contacts', ofColleague)).toMatchObject({ groups: ['System'] });
    expect(await rowOf('contacts', own)).toMatchObject({ groups: ['System', 'Finance'] });
    expect(await rowOf('contacts', moved)).toMatchObject({ name: 'moved@of.example', groups: ['System'] });
    expect(await rowOf('contacts', decided)).toMatchObject({ groups: ['Finance'] });
    expect(report).toMatch(/weer beveiligingsberichten ontvangen: .*“silenced@of\.example”/);
    expect(report).toMatch(/weer hun vorige adres hebben: “moved@of\.example”\n/);
    expect(report).toMatch(/niet teruggezet.*: “gone@of\.example”\n/);
    expect(report).not.toContain('decided@of.example');
    // They hear of it themselves.
    expect(mailServer.mailsTo('silenced@of.example').at(-1)?.text).toContain('“silenced@of.example”');
  });

  it('gives an address that two contacts had one after the other to the older one', async () => {
    const moved = await makeContact(service, {
      organisationId,
      name: 'alarm@of.example',
      groups: ['System'],
    });
    const theft = await stolen();
    const move = (id: number, name: string) =>
      custadmin.client
        .put(`${path}/contacts/${id}`, { type: 'email', name, preferences: 'System' })
        .expect(204);
    await move(moved, 'first@evil.example');
    const { contact: again } = await bodyOf<{ contact: { id: number } }>(
      colleague.client.post(`${path}/contacts`, {
        type: 'email',
        name: 'Alarm@of.example',
        preferences: 'System',
      }),
    );
    await move(again.id, 'second@evil.example');
    const report = reportIn(await restored(theft));
    expect(await rowOf('contacts', moved)).toMatchObject({ name: 'alarm@of.example', groups: ['System'] });
    expect(await rowOf('contacts', again.id)).toBeUndefined();
    expect(report).toMatch(/weer hun vorige adres hebben: “alarm@of\.example”\n/);
    expect(report).toContain('“second@evil.example”');
  });

  it('leaves what another manager has taken over since', async () => {
    const theft = await stolen();
    const thief = custadmin.client;
    const contact = await contactOf(thief);
    const grant = await grantOf(thief, 'read');
    const invitation = await invite(thief);
    const { client } = colleague;
    await client
      .put(`${path}/contacts/${contact.id}`, { type: 'email', name: 'ours@of.example' })
      .expect(204);
    await client.put(`${path}/grants/${grant.id}`, { access: 'manage' }).expect(204);
    const { id } = invitation;
    await client.put(`${path}/invitations/${id}`, { email: invitation.email, ...NAMES }).expect(204);
    await restored(theft);
    expect(await rowOf('contacts', contact.id)).toMatchObject({ name: 'ours@of.example' });
    expect(await rowOf('acls', grant.id)).toMatchObject({ access: 'manage' });
    await register(invitation).expect(201);
  });

  it('ends what its accomplices and its keys made, however far they go', async () => {
    const theft = await stolen();
    const thief = custadmin.client;
    const accomplice = await registered(await invite(thief, path, 'ROLE_CUSTADMIN'));
    const second = await registered(await invite(accomplice.client, path, 'ROLE_CUSTADMIN'));
    const key = await serviceKeyOf(second.client, ['contacts.*', 'organisationContacts.*', 'invitations.*']);
    const contact = await contactOf(key.client);
    const third = await invite(key.client);

    const report = reportIn(await restored(theft));

    for (const { id } of [accomplice, second])
      expect(await rowOf('users', id)).toMatchObject({ enabled: false });
    expect(await rowOf('service_keys', key.id)).toBeUndefined();
    expect(await rowOf('contacts', contact.id)).toBeUndefined();
    await register(third).expect(404);
    for (const name of [accomplice.username, second.username, key.name, contact.name, third.email])
      expect(report).toContain(`“${name}”`);
  });

  it('leaves invitations of its key that a key of the organisation has sent again, with their users', async () => {
    const ours = await makeServiceKey(service, organisationId, { operations: ['invitations.*'] });
    const theft = await stolen();
    const key = await serviceKeyOf(custadmin.client, ['invitations.*']);
    const sentAgain = async (): Promise<MadeInvitation> => {
      const invitation = await invite(key.client);
      await ours.client.post(`${path}/invitations/${invitation.id}/resend`).expect(200);
      return { ...invitation, token: await linkTo(invitation.email, INVITED) };
    };
    const [open, accepted] = [await sentAgain(), await sentAgain()];
    const friend = await registered(accepted);
    const evil = await invite(key.client);
    const accomplice = await registered(await invite(key.client));
    await restored(theft);
    expect(await rowOf('users', friend.id)).toMatchObject({ enabled: true });
    await register(open).expect(201);
    expect(await rowOf('users', accomplice.id)).toMatchObject({ enabled: false });
    await register(evil).expect(404);
  });

  it('leaves a user who registered by an invitation of before', async () => {
    const invitation = await makeInvitation(service, { organisationId, inviterId: custadmin.id });
    const theft = await stolen();
    const friend = await registered(invitation);
    await restored(theft);
    expect(await rowOf('users', friend.id)).toMatchObject({ enabled: true });
    await friend.client.get('/whoami').expect(200);
  });

  describe('gives other users their names back:', () => {
    it('an unproved one, where the former one is free', async () => {
      const theft = await stolen();
      await rename(custadmin.client, colleague, freshName()).expect(204);
      const report = reportIn(await restored(theft));
      expect(await rowOf('users', colleague.id)).toMatchObject({
        username: colleague.username,
        told_name: null,
        name_given_by: null,
      });
      expect(report).toContain(`“${colleague.username}”`);
      await loggedIn(service, colleague.username, PASSWORD);
    });

    it('not one that its mailbox has proved since, which is named and stops nothing', async () => {
      const theft = await stolen();
      const name = freshName();
      await rename(custadmin.client, colleague, name).expect(204);
      await anonymous(service).post('/resetting/send_email', { username: name }).expect(204);
      const proof = await linkTo(name);
      await anonymous(service).post(`/resetting/${proof}`, { password: 'Gestolen-Goed-1' }).expect(200);
      const key = await serviceKeyOf(custadmin.client, ['users.list']);
      const report = reportIn(await restored(theft));
      expect(await rowOf('users', colleague.id)).toMatchObject({ username: name });
      expect(report).toMatch(new RegExp(`de vorige naam niet kon worden hersteld: “${name}”`));
      expect(await rowOf('service_keys', key.id)).toBeUndefined();
    });

    it('not one whose former one has been proved by another since', async () => {
      const theft = await stolen();
      const name = freshName();
      await rename(custadmin.client, plain, name).expect(204);
      const { custadmin: elsewhere, organisationId: other } = await makeCustomer(service);
      const invitation = await makeInvitation(service, {
        organisationId: other,
        inviterId: elsewhere.id,
        email: plain.username,
      });
      await registered(invitation);
      const report = reportIn(await restored(theft));
      expect(await rowOf('users', plain.id)).toMatchObject({ username: name });
      expect(report).toMatch(new RegExp(`de vorige naam niet kon worden hersteld: “${name}”`));
    });

    it('one that was never proved, which another holds unproved by now', async () => {
      const former = freshName();
      await service.sql`UPDATE users SET username = ${former}, told_name = '', name_given_by = 'other',
        renamed_at = now() WHERE id = ${plain.id}`;
      const theft = await stolen();
      await rename(custadmin.client, plain, freshName()).expect(204);
      await rename(colleague.client, colleague, former).expect(204);
      await restored(theft);
      expect(await rowOf('users', plain.id)).toMatchObject({ username: former, told_name: '' });
      expect(await rowOf('users', colleague.id)).toMatchObject({
        username: colleague.username,
        told_name: null,
      });
    });

    it('not one that somebody else has given since', async () => {
      const theft = await stolen();
      await rename(custadmin.client, plain, freshName()).expect(204);
      const name = freshName();
      await rename(colleague.client, plain, name).expect(204);
      const report = reportIn(await restored(theft));
      expect(await rowOf('users', plain.id)).toMatchObject({ username: name });
      expect(report).toBe('');
    });
  });

  it('disables nobody where no admin would remain, and says so', async () => {
    const boss = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    const theft = await stolen(boss);
    const accomplice = await registered(await invite(boss.client, '/organisations/1', 'ROLE_ADMIN'));
    const demoted = await service.sql<{ id: number }>`UPDATE users SET roles = '{}'
      WHERE id <> ${accomplice.id} AND 'ROLE_ADMIN' = ANY (roles) RETURNING id`;
    try {
      const report = reportIn(await restored(theft));
      expect(await rowOf('users', accomplice.id)).toMatchObject({ enabled: true });
      expect(report).toMatch(new RegExp(`niet geblokkeerd.*: “${accomplice.username}”`));
    } finally {
      await service.sql`UPDATE users SET roles = '{ROLE_ADMIN}' WHERE id = ANY (${demoted.map(({ id }) => id)})`;
    }
  });

  it('ends it in the organisations beneath too, which are told without a name from above', async () => {
    const beneath = await makeCustomer(service, { resellerId: organisationId });
    const at = `/organisations/${beneath.organisationId}`;
    await makeContact(service, {
      organisationId: beneath.organisationId,
      name: 'beneath@of.example',
      groups: ['System'],
    });
    const theft = await stolen();
    const key = await serviceKeyOf(custadmin.client, ['users.list'], at);
    const report = reportIn(await restored(theft));
    await key.client.get(`${at}/users`).expect(401);
    expect(report).toContain(`“${key.name} (organisatie ${beneath.organisationId})”`);
    const told = mailServer.mailsTo('beneath@of.example').at(-1)?.text ?? '';
    expect(told).toContain(`“${key.name}”`);
    expect(told).not.toContain('de Vries');
    expect(told).not.toContain(custadmin.username);
  });

  it('ends it where the user has lost its role since, and counts from the name that is restored', async () => {
    const first = await stolen();
    const early = await serviceKeyOf(custadmin.client, ['users.list']);
    // Only a proved name can be restored in its turn.
    await service.sql`UPDATE users SET told_name = NULL, name_given_by = NULL, renamed_at = NULL
      WHERE id = ${custadmin.id}`;
    const [{ username: middle } = { username: '' }] = await service.sql<{ username: string }>`
      SELECT username FROM users WHERE id = ${custadmin.id}`;
    await rename(custadmin.client, custadmin, freshName()).expect(204);
    const second: Stolen = { user: { ...custadmin, username: middle }, token: await linkTo(middle) };
    const late = await serviceKeyOf(custadmin.client, ['users.list']);
    await service.sql`UPDATE users SET roles = '{}' WHERE id = ${custadmin.id}`;
    await restored(second);
    await early.client.get(`${path}/users`).expect(200);
    await late.client.get(`${path}/users`).expect(401);
    await restored(first);
    await early.client.get(`${path}/users`).expect(401);
  });

  it('is in the audit log, one row for each end, by the link', async () => {
    const theft = await stolen();
    const key = await serviceKeyOf(custadmin.client, ['users.list']);
    const contact = await contactOf(custadmin.client);
    await restored(theft);
    const rows = await service.sql`SELECT table_name, record_id, actor_user_id FROM audit_log
      WHERE actor_credential_kind = 'name_restoration' AND action = 'delete' AND organisation_id = ${organisationId}
        AND table_name IN ('service_keys', 'contacts') ORDER BY table_name DESC`;
    expect(rows).toEqual([
      { table_name: 'service_keys', record_id: key.id, actor_user_id: custadmin.id },
      { table_name: 'contacts', record_id: contact.id, actor_user_id: custadmin.id },
    ]);
    const { events } = await bodyOf<{ events: { type: string }[] }>(admin.get(`${path}/events?limit=0`));
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['servicekeys.deleted', 'contacts.deleted']),
    );
  });

  it('names people until they are deleted, and nobody in the export of its user', async () => {
    const theft = await stolen();
    const accomplice = await registered(await invite(custadmin.client));
    await rename(custadmin.client, plain, freshName()).expect(204);
    await restored(theft);
    const params = async () =>
      (
        await service.sql`SELECT params FROM notifications WHERE organisation_id = ${organisationId}
          AND type = 'takeover_ended'`
      )[0];
    expect(await params()).toEqual({
      params: { restoredNames: [plain.username], disabledUsers: [accomplice.username] },
    });
    const parts = service.app
      .get(PersonExport)
      .parts(RequestContext.forCommand('person', 'test'), custadmin.id);
    for await (const { name, records } of parts) {
      if (name !== 'notifications') continue;
      const exported = [];
      for await (const record of records) exported.push(record);
      const text = JSON.stringify(exported);
      expect(text).toContain('takeover_ended');
      for (const { username } of [accomplice, plain]) expect(text).not.toContain(username);
    }
    const owner = await loggedIn(service, custadmin.username, OWNERS_PASSWORD);
    await owner.delete(pathOf(accomplice)).expect(204);
    expect(await params()).toEqual({ params: { restoredNames: [plain.username], disabledUsers: [] } });
  });

  it('ends by jobs what one transaction has no time for, and nothing that its owner makes after it', async () => {
    const theft = await stolen();
    const invited: string[] = [];
    await using thief = await transactionBeside(service);
    await thief.query(`SELECT set_config('audit.actor', $1, true)`, [
      JSON.stringify({ userId: custadmin.id, kind: 'login', credentialId: 1 }),
    ]);
    for (let made = 0; made < 120; made++) {
      const name = freshName();
      invited.push(name);
      await thief.query(
        `WITH invitation AS (
           INSERT INTO invitations (organisation_id, inviter_id, email, first_name, last_name, token_digest,
             expires_at, accepted_at)
           VALUES ($1, $2, $3::varchar, 'Jan', 'de Vries', sha256($3::text::bytea), now() + interval '1 day', now())
           RETURNING id)
         INSERT INTO users (organisation_id, username, first_name, last_name, password_hash, invitation_id)
         SELECT $1, $3::varchar, 'Jan', 'de Vries', '', id FROM invitation`,
        [organisationId, custadmin.id, name],
      );
    }
    await thief.query('COMMIT');
    await runJobs(service);
    const seen = mailServer.mailsTo(custadmin.username).length;
    const takeovers = service.app.get(Takeovers);
    const { longest } = takeovers;
    takeovers.longest = 0;
    await restore(theft).expect(200);
    const owner = await loggedIn(service, custadmin.username, OWNERS_PASSWORD);
    const key = await serviceKeyOf(owner, ['users.list']);
    await runJobs(service);
    takeovers.longest = longest;
    const [left] = await service.sql`SELECT count(*)::integer AS enabled FROM users
      WHERE organisation_id = ${organisationId} AND enabled AND username = ANY (${invited})`;
    expect(left).toEqual({ enabled: 0 });
    await key.client.get(`${path}/users`).expect(200);
    const texts = mailServer
      .mailsTo(custadmin.username)
      .slice(seen)
      .map(({ text }) => text)
      .join('');
    for (const name of invited) expect(texts).toContain(`“${name}”`);
  });

  it('is told where the hour of its address is full', async () => {
    const theft = await stolen();
    const key = await serviceKeyOf(custadmin.client, ['users.list']);
    await service.sql`INSERT INTO address_news (organisation_id, address_digest, pot, hour, mails, account_mails)
      SELECT ${organisationId}, address_digest(${custadmin.username}), pot, date_trunc('hour', now(), 'UTC'), 20, 10
      FROM unnest(ARRAY['', 'own of ' || ${custadmin.id}, 'own of ' || ${custadmin.id} || ' account',
        'own of ' || ${custadmin.id} || ' other']) AS pot
      ON CONFLICT (organisation_id, address_digest, pot) DO UPDATE SET hour = EXCLUDED.hour, mails = 20, account_mails = 10`;
    expect(reportIn(await restored(theft))).toContain(`“${key.name}”`);
  });
});
