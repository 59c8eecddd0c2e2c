import { VARIANTS } from '../../qa/variants';
import {
  clientOf,
  type MadeUser,
  makeCustomer,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { makeInvitation, registrationOf } from '../support/factories/invitations-factories';
import { makeServiceKey, newPublicKey } from '../support/factories/key-factories';
import { freshName, PANEL_LINKS, renamesOf, RESET_LINK } from '../support/factories/renames-factories';
import { makeAdmin, pathOf } from '../support/factories/users-factories';
import { type ReceivedMail, useMailServer } from '../support/faults/smtp';
import { anonymous, type ApiClient, asAdmin, failingFields, loggedIn } from '../support/service/client';
import { useService } from '../support/service/service';
import { makeOlder } from '../support/service/time';

const mailServer = useMailServer();

/** Texts that users choose: an unproved address gets none of them. */
const CHOSEN = { firstName: 'Urgent', lastName: 'pay at evil.example' } as const;

const linkIn = (mails: readonly ReceivedMail[]): string | undefined =>
  mails.map(({ text }) => RESET_LINK.exec(text)?.[1]).find((token) => token !== undefined);

/**
 * rule recovery 55, rule other-services 2: a user name is proved, and until then others are told the last
 * proved one.
 */
describe.each(VARIANTS)('user names in Variant %s', (variant) => {
  const service = useService(variant, () => ({
    settings: {
      smtpUrl: mailServer.url,
      ...PANEL_LINKS,
      trustedProxies: ['127.0.0.1'],
      allowTokenlessRegistration: true,
    },
  }));
  const { rename, mails, mailsTo } = renamesOf(service, mailServer, CHOSEN);
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let neighbour: ApiClient;
  let organisationId: number;
  let custadmin: MadeUser;
  let plain: MadeUser;

  beforeAll(async () => {
    neighbour = (await makeServiceKey(service, 1, { operations: ['access.introspect'], asAdmin: true }))
      .client;
  });
  beforeEach(async () => {
    ({ organisationId, custadmin, plain } = await makeCustomer(service));
    await mails();
  });

  /** How forward-auth and introspection call the user. */
  async function toldName(user: MadeUser): Promise<string> {
    const secret = await clientOf(service, user.id);
    const { headers } = await secret.get('/access/forward').expect(204);
    expect(headers['x-account-user']).toBe(String(user.id));
    const { body } = await neighbour.post('/access/introspect', { token: secret.hash }).expect(200);
    const { username } = body as { username: string };
    expect(decodeURIComponent(String(headers['x-account-username']))).toBe(username);
    return username;
  }

  const nameOf = async ({ id }: Pick<MadeUser, 'id'>): Promise<unknown> => {
    const [row] = await service.sql<{ username: string }>`SELECT username FROM users WHERE id = ${id}`;
    return row?.username;
  };

  const register = (invitation: Awaited<ReturnType<typeof makeInvitation>>) =>
    anonymous(service).post(`/registerInvitation/${invitation.token}`, registrationOf(invitation, PASSWORD));

  const invite = (email: string, to = { organisationId, custadmin }) =>
    makeInvitation(service, { organisationId: to.organisationId, inviterId: to.custadmin.id, email });

  async function resetToken(asked: string, address: string): Promise<string | undefined> {
    await anonymous(service).post('/resetting/send_email', { username: asked }).expect(204);
    return linkIn(await mailsTo(address));
  }

  it('change at once in this interface, and nowhere else before the mailbox has proved them', async () => {
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    const { body } = await plain.client.get('/whoami').expect(200);
    expect(JSON.stringify(body)).toContain(name);
    await loggedIn(service, name, PASSWORD);
    expect(await toldName(plain)).toBe(plain.username);
    // The name of a stranger, and its correction.
    await rename(plain.client, plain, freshName()).expect(204);
    expect(await toldName(plain)).toBe(plain.username);
    // The last proved name needs no proof.
    await rename(plain.client, plain, plain.username.toUpperCase()).expect(204);
    expect(await toldName(plain)).toBe(plain.username.toUpperCase());
  });

  it('are proved by a reset link to them, and by a restoring link', async () => {
    const name = freshName();
    await rename(custadmin.client, plain, name).expect(204);
    expect(await toldName(plain)).toBe(plain.username);
    const token = await resetToken(name, name);
    await anonymous(service)
      .post(`/resetting/${token ?? ''}`, { password: 'Opnieuw-1234' })
      .expect(200);
    expect(await toldName(plain)).toBe(name);

    await rename(await clientOf(service, plain.id), plain, freshName()).expect(204);
    const restoring = linkIn(await mailsTo(name)) ?? '';
    await anonymous(service).post(`/resetting/${restoring}`, { password: 'Opnieuw-1234' }).expect(200);
    expect(await nameOf(plain)).toBe(name);
    expect(await toldName(plain)).toBe(name);
  });

  it('are proved by the token of an invitation, and not without it', async () => {
    const proved = await invite(freshName());
    const { body } = await register(proved).expect(201);
    expect(await toldName((body as { user: MadeUser }).user)).toBe(proved.email);

    const unproved = await invite(freshName());
    const registered = await anonymous(service)
      .post('/registerInvitation', registrationOf(unproved, PASSWORD))
      .expect(201);
    const { user } = registered.body as { user: MadeUser };
    expect(await toldName(user)).toBe('');
    await loggedIn(service, unproved.email, PASSWORD);
  });

  it('of authorized keys are the proved ones, and the empty name is nobody', async () => {
    const sshd = (await makeServiceKey(service, 1, { operations: ['systems.authorizedKeys'], asAdmin: true }))
      .client;
    const system = nextNumber() + 70_000;
    await service.sql(
      `INSERT INTO entities (kind, object_id, organisation_id, name) VALUES ('system', $1, $2, 's')`,
      [system, organisationId],
    );
    const [team] = await service.sql<{ id: number }>(
      `INSERT INTO teams (organisation_id, name, auto_add_sshkey) VALUES ($1, $2, true) RETURNING id`,
      [organisationId, `team ${system}`],
    );
    await service.sql('INSERT INTO team_members (team_id, user_id) VALUES ($1, $2)', [team?.id, plain.id]);
    await service.sql(`INSERT INTO team_entities (team_id, kind, object_id) VALUES ($1, 'systems', $2)`, [
      team?.id,
      system,
    ]);
    await plain.client
      .post(`${pathOf(plain)}/sshkeys`, { content: newPublicKey(), description: 'key' })
      .expect(201);
    const linesOf = async (name: string) =>
      (
        await sshd
          .get(`/entities/systems/${system}/authorizedkeys?user=${encodeURIComponent(name)}`)
          .expect(200)
      ).text;
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    expect(await linesOf(name)).toBe('');
    expect(await linesOf(plain.username)).toContain(`user:${plain.id}`);
    await service.sql`UPDATE users SET told_name = '' WHERE id = ${plain.id}`;
    expect(await linesOf('')).toBe('');
  });

  it('stay reserved while others are told them, and no unproved one does', async () => {
    const first = freshName();
    const second = freshName();
    await rename(plain.client, plain, first).expect(204);
    await rename(plain.client, plain, second).expect(204);
    await service.sql`UPDATE name_restorations SET ended_at = now() WHERE user_id = ${plain.id}`;
    const refused = await rename(custadmin.client, custadmin, plain.username).expect(400);
    expect(failingFields(refused)).toEqual(['username']);
    await rename(custadmin.client, custadmin, first).expect(204);
    const [{ restorations } = { restorations: -1 }] = await service.sql<{ restorations: number }>(
      'SELECT count(*)::integer AS restorations FROM name_restorations WHERE user_id = $1',
      [plain.id],
    );
    expect(restorations).toBe(1);
  });

  it('that nobody has proved keep no invited person out', async () => {
    const name = freshName();
    const elsewhere = await makeCustomer(service);
    await elsewhere.custadmin.client
      .post(`/organisations/${elsewhere.organisationId}/invitations`, {
        email: name,
        firstName: 'Ina',
        lastName: 'Invited',
      })
      .expect(201);
    await rename(plain.client, plain, name).expect(204);
    await elsewhere.custadmin.client
      .post(`/organisations/${elsewhere.organisationId}/invitations`, {
        email: name.toUpperCase(),
        firstName: 'Ina',
        lastName: 'Invited',
      })
      .expect(400);
    const [open] = await service.sql<{ id: number }>(
      'SELECT id FROM invitations WHERE email = $1 AND accepted_at IS NULL',
      [name],
    );
    await elsewhere.custadmin.client
      .post(`/organisations/${elsewhere.organisationId}/invitations/${open?.id ?? 0}/resend`)
      .expect(200);
    await mails();
    // Without the token nobody proves that it is the mailbox.
    const guessed = await invite(name);
    await anonymous(service).post('/registerInvitation', registrationOf(guessed, PASSWORD)).expect(400);

    const invitation = await invite(name, await makeCustomer(service));
    await register(invitation).expect(201);
    expect(await nameOf(plain)).toBe(plain.username);
    expect(await toldName(plain)).toBe(plain.username);
    await loggedIn(service, plain.username, PASSWORD);
    const told = await mails();
    expect(told.filter(({ to }) => to.includes(plain.username))).toHaveLength(1);
    expect(
      await service.sql(`SELECT type FROM notifications WHERE organisation_id = $1 AND type = 'name_taken'`, [
        organisationId,
      ]),
    ).toHaveLength(1);
  });

  it('of somebody who moves to another organisation go along, whoever is told by them', async () => {
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    const next = await makeCustomer(service);
    const { body } = await register(await invite(plain.username, next)).expect(201);
    expect(await toldName((body as { user: MadeUser }).user)).toBe(plain.username);
    expect(await nameOf(plain)).toBe(name);
    expect(await toldName(plain)).toBe('');
    // Both names are gone: the unproved one goes as well.
    await register(await invite(name, next)).expect(201);
    expect(await nameOf(plain)).toBe(`user-${plain.id}@name.invalid`);
    expect(await toldName(plain)).toBe('');
    const refused = await rename(custadmin.client, custadmin, `user-1@name.invalid`).expect(400);
    expect(failingFields(refused)).toEqual(['username']);
  });

  it('that somebody has proved are still refused to the next', async () => {
    await register(await invite(plain.username)).expect(400);
    expect(await toldName(plain)).toBe(plain.username);
  });

  it('mail news of the account to the last proved address too, and no chosen text to the new one', async () => {
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    await mails();
    await plain.client
      .post(`${pathOf(plain)}/sshkeys`, { content: newPublicKey(), description: 'www.evil.example won' })
      .expect(201);
    const received = await mails();
    const [toNew] = received.filter(({ to }) => to.includes(name));
    expect(received.filter(({ to }) => to.includes(plain.username))).toHaveLength(1);
    expect(toNew?.text).not.toMatch(/evil|Urgent/);
    expect(toNew?.headers.get('subject')).not.toMatch(/evil|Urgent/);
    expect(toNew?.text).toMatch(/SSH/);

    // 72 hours of recovery at the last proved address, then at the new one, which proves it.
    expect(await resetToken(name, name)).toBeUndefined();
    expect(await resetToken(name, plain.username)).toBeDefined();
    await makeOlder(service, 'users', { id: plain.id }, '73 hours', ['renamed_at']);
    const token = await resetToken(name, name);
    await anonymous(service)
      .post(`/resetting/${token ?? ''}`, { password: 'Opnieuw-1234' })
      .expect(200);
    expect(await toldName(plain)).toBe(name);
  });

  it('that a manager gave get news and recovery alone, at once', async () => {
    const name = freshName();
    await rename(custadmin.client, plain, name).expect(204);
    await mails();
    await plain.client
      .post(`${pathOf(plain)}/sshkeys`, { content: newPublicKey(), description: 'evil' })
      .expect(201);
    const received = await mails();
    expect(received.filter(({ to }) => to.includes(plain.username))).toHaveLength(0);
    expect(received.filter(({ to }) => to.includes(name))).toHaveLength(1);
    expect(await resetToken(name, name)).toBeDefined();
    // The new owner of an account corrects the name: its former owner is told nothing, and gets no link.
    const corrected = freshName();
    await rename(plain.client, plain, corrected).expect(204);
    await mails();
    await anonymous(service).post('/resetting/send_email', { username: corrected }).expect(204);
    expect(await mails()).toEqual([]);
    expect(await toldName(plain)).toBe(plain.username);
  });

  it('count as proved if an admin makes the user', async () => {
    if (variant === 'A') return;
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    const { body } = await admin
      .post(`/organisations/${organisationId}/userandcontact`, {
        username: name,
        firstName: 'Ann',
        lastName: 'Other',
        password: PASSWORD,
      })
      .expect(201);
    expect(await toldName((body as { user: MadeUser }).user)).toBe(name);
    expect(await nameOf(plain)).toBe(plain.username);
    // A login name has no mailbox: it is proved if an admin gives it.
    const login = `login${nextNumber()}`;
    await rename(plain.client, plain, login).expect(204);
    expect(await toldName(plain)).toBe(plain.username);
    await rename((await makeAdmin(service)).client, plain, `${login}b`).expect(204);
    expect(await toldName(plain)).toBe(`${login}b`);
  });

  it('are free when their user goes, told ones too', async () => {
    const user = await makeUser(service, { organisationId });
    await rename(user.client, user, freshName()).expect(204);
    await admin.delete(pathOf(user)).expect(204);
    await rename(plain.client, plain, user.username).expect(204);
  });
});
