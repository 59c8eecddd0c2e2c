import {
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
  PASSWORD,
} from '../support/factories/factories';
import { makeInvitation, registrationOf } from '../support/factories/invitations-factories';
import { freshName, NAME_LINK, PANEL_LINKS, renamesOf } from '../support/factories/renames-factories';
import { pathOf } from '../support/factories/users-factories';
import { type ReceivedMail, useMailServer } from '../support/faults/smtp';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { atOnce } from '../support/service/at-once';
import { anonymous, type ApiClient, asAdmin } from '../support/service/client';
import { useService } from '../support/service/service';
import { useOneHour } from '../support/service/time';

useOneHour();

const mailServer = useMailServer();

const CHOSEN = { firstName: 'Urgent', lastName: 'pay at evil.example' } as const;
const AT_ONCE = 16;

/** rule recovery 29, rule recovery 30: the link that verifies a user name. */
describe.each(SHARED_VARIANTS)('POST /usernames/{token} and its mail in Variant %s', (variant) => {
  const service = useService(variant, () => ({
    settings: {
      smtpUrl: mailServer.url,
      ...PANEL_LINKS,
      trustedProxies: ['127.0.0.1'],
      allowTokenlessRegistration: true,
    },
  }));
  const { rename, mails } = renamesOf(service, mailServer, CHOSEN);
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let organisationId: number;
  let custadmin: MadeUser;
  let plain: MadeUser;

  beforeEach(async () => {
    ({ organisationId, custadmin, plain } = await makeCustomer(service));
    await mails();
  });

  const verify = (token: string | undefined, password: unknown = PASSWORD, from = '203.0.113.7') =>
    anonymous(service)
      .post(`/usernames/${token ?? 'none'}`, { password })
      .set('X-Forwarded-For', from);

  const tokenIn = (
    received: readonly ReceivedMail[],
    address: string,
    link = NAME_LINK,
  ): string | undefined =>
    received
      .filter(({ to }) => to.some((one) => one.toLowerCase() === address.toLowerCase()))
      .map(({ text }) => link.exec(text)?.[1])
      .find((token) => token !== undefined);
  const mailedToken = async (address: string): Promise<string | undefined> => tokenIn(await mails(), address);

  async function state({ id }: MadeUser): Promise<unknown> {
    const [row] = await service.sql(
      'SELECT username, username_verified AS verified FROM users WHERE id = $1',
      [id],
    );
    return row;
  }
  const anotherDay = () => service.sql`UPDATE attempts SET resets_at = now() WHERE resets_at > now()`;
  const verified = (username: string) => ({ username, verified: true });

  it('goes to the new address alone, without a chosen text, and works once, with the password', async () => {
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    const received = await mails();
    const toNew = received.filter(({ to }) => to.includes(name));
    expect(toNew).toHaveLength(1);
    expect(toNew[0]?.raw).not.toMatch(/Urgent|evil/);
    expect(received.filter(({ to }) => to.includes(plain.username))).toHaveLength(1);
    const token = tokenIn(received, name);

    await verify(token, null).expect(400);
    await verify(token, 'Wrong-Passw0rd').expect(401);
    expect(await state(plain)).toEqual({ username: name, verified: false });
    await verify(token).expect(204);
    expect(await state(plain)).toEqual(verified(name));
    const again = await verify(token).expect(400);
    expect(again.body).toMatchObject({ reason: 'NAME_LINK_ENDED' });
    await verify('0'.repeat(64)).expect(404);
    // No login: what is there stays, nothing is added.
    await plain.client.get('/whoami').expect(200);
    expect(await service.sql`SELECT FROM logins WHERE user_id = ${plain.id}`).toHaveLength(1);
    // It is the act of whoever had the mail and the password.
    expect(
      await service.sql(
        `SELECT actor_credential_kind AS kind FROM audit_log
         WHERE table_name = 'users' AND record_id = $1 AND after ? 'username_verified' ORDER BY id DESC LIMIT 1`,
        [plain.id],
      ),
    ).toEqual([{ kind: 'username_link' }]);
  });

  it('counts wrong passwords as the login does', async () => {
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    const token = await mailedToken(name);
    for (let guess = 0; guess < 10; guess++)
      await verify(token, `Wrong-${guess}`, '198.51.100.99').expect(401);
    await verify(token, PASSWORD, '198.51.100.99').expect(429);
    await anonymous(service)
      .post('/login', { username: name, password: PASSWORD })
      .set('X-Forwarded-For', '198.51.100.99')
      .expect(429);
    await verify(token).expect(204);
  });

  it('works once of 16 at once', async () => {
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    const token = await mailedToken(name);
    const answers = await atOnce(AT_ONCE, () => verify(token));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(await state(plain)).toEqual(verified(name));
  });

  it('ends with the next rename', async () => {
    const typo = freshName();
    await rename(plain.client, plain, typo).expect(204);
    const received = await mails();
    await rename(plain.client, plain, freshName()).expect(204);
    await verify(tokenIn(received, typo)).expect(400);
    await rename(plain.client, plain, typo).expect(204);
    await verify(tokenIn(received, typo)).expect(400);
  });

  it('ends when the mailbox registers by the name, and with the user', async () => {
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    const token = await mailedToken(name);
    const other = await makeCustomer(service);
    const invitation = await makeInvitation(service, {
      organisationId: other.organisationId,
      inviterId: other.custadmin.id,
      email: name,
    });
    await anonymous(service)
      .post(`/registerInvitation/${invitation.token}`, registrationOf(invitation, PASSWORD))
      .expect(201);
    await verify(token).expect(400);

    const user = await makeUser(service, { organisationId });
    const second = freshName();
    await rename(user.client, user, second).expect(204);
    const secondToken = await mailedToken(second);
    await admin.delete(pathOf(user)).expect(204);
    await verify(secondToken).expect(400);
    expect(await service.sql`SELECT FROM recovery_requests WHERE username = ${second}`).toEqual([]);
  });

  it('is mailed for a name that a manager gave, and for a registration without the token', async () => {
    const name = freshName();
    await rename(custadmin.client, plain, name).expect(204);
    const received = await mails();
    expect(received.filter(({ to }) => to.includes(plain.username))).toHaveLength(1);
    await verify(tokenIn(received, name)).expect(204);
    expect(await state(plain)).toEqual(verified(name));

    const invitation = await makeInvitation(service, {
      organisationId,
      inviterId: custadmin.id,
      email: freshName(),
    });
    await anonymous(service).post('/registerInvitation', registrationOf(invitation, PASSWORD)).expect(201);
    await verify(await mailedToken(invitation.email)).expect(204);
  });

  it('is mailed again, once a day, where the unverified name is sent again: a newer one ends the older', async () => {
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    const first = await mailedToken(name);
    // A panel sends the name with every change.
    await rename(plain.client, plain, name).expect(204);
    expect(await mails()).toEqual([]);
    await anotherDay();
    await rename(plain.client, plain, name.toUpperCase()).expect(204);
    const second = await mailedToken(name);
    await verify(first).expect(400);
    await verify(second).expect(204);
    expect(await state(plain)).toEqual(verified(name.toUpperCase()));
    await anotherDay();
    await rename(plain.client, plain, name.toUpperCase()).expect(204);
    expect(await mails()).toEqual([]);
  });

  it('is mailed once a day of one customer to one address, whoever is renamed and deleted, wherever', async () => {
    const stranger = freshName();
    const links = async (of = organisationId): Promise<number> => {
      const user = await makeUser(service, { organisationId: of });
      await rename(custadmin.client, user, stranger).expect(204);
      const received = (await mails()).filter(({ to }) => to.includes(stranger));
      await custadmin.client.delete(pathOf(user)).expect(204);
      return received.length;
    };
    const beneath = await makeOrganisation(service, { parentId: organisationId });
    expect([await links(), await links(), await links(beneath)]).toEqual([1, 0, 0]);
    await anotherDay();
    expect(await links()).toBe(1);
  });

  it('is mailed five times a day for one user: beyond that the name changes and no mail leaves', async () => {
    for (let one = 0; one < 5; one++) {
      const next = freshName();
      await rename(plain.client, plain, next).expect(204);
      expect(await mailedToken(next)).toBeDefined();
    }
    const sixth = freshName();
    await rename(plain.client, plain, sixth).expect(204);
    expect((await mails()).filter(({ to }) => to.includes(sixth))).toEqual([]);
    expect(await state(plain)).toMatchObject({ username: sixth, verified: false });
  });

  it('has a page that asks for the password', async () => {
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    const page = `/account/username/${(await mailedToken(name)) ?? ''}`;
    const send = (form: Record<string, string>) =>
      fetch(`${service.url}${page}`, { method: 'POST', body: new URLSearchParams(form) });
    const shown = await fetch(`${service.url}${page}`);
    expect(shown.status).toBe(200);
    const text = await shown.text();
    expect(text).toContain(name);
    // It offers nothing else, and has neither the former name nor a text that the user chose.
    expect(text.match(/<form/g)).toHaveLength(1);
    expect(text).not.toMatch(/Urgent|evil/);
    expect(text).not.toContain(plain.username);
    expect((await send({})).status).toBe(400);
    const wrong = await send({ password: 'Wrong-Passw0rd' });
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('aria-invalid="true"')]);
    expect((await send({ password: PASSWORD })).status).toBe(200);
    expect(await state(plain)).toEqual(verified(name));
    expect((await fetch(`${service.url}${page}`)).status).toBe(400);
  });
});
