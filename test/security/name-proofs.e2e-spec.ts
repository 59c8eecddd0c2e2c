import { VARIANTS } from '../../qa/variants';
import { clientOf, type MadeUser, makeCustomer, makeUser, PASSWORD } from '../support/factories/factories';
import { makeInvitation, registrationOf } from '../support/factories/invitations-factories';
import {
  freshName,
  PANEL_LINKS,
  PROOF_LINK,
  renamesOf,
  RESET_LINK,
} from '../support/factories/renames-factories';
import { pathOf } from '../support/factories/users-factories';
import { type ReceivedMail, useMailServer } from '../support/faults/smtp';
import { atOnce } from '../support/service/at-once';
import { anonymous, type ApiClient, asAdmin, loggedIn } from '../support/service/client';
import { useService } from '../support/service/service';
import { makeOlder, useOneHour } from '../support/service/time';

useOneHour();

const mailServer = useMailServer();

const CHOSEN = { firstName: 'Urgent', lastName: 'pay at evil.example' } as const;
const AT_ONCE = 16;

/** rule recovery 76, rule recovery 77: the link that proves a user name. */
describe.each(VARIANTS)('the link that proves a user name in Variant %s', (variant) => {
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

  const prove = (token: string | undefined, password: unknown = PASSWORD, from = '203.0.113.7') =>
    anonymous(service)
      .post(`/usernames/${token ?? 'none'}`, { password })
      .set('X-Forwarded-For', from);

  const tokenIn = (
    received: readonly ReceivedMail[],
    address: string,
    link = PROOF_LINK,
  ): string | undefined =>
    received
      .filter(({ to }) => to.some((one) => one.toLowerCase() === address.toLowerCase()))
      .map(({ text }) => link.exec(text)?.[1])
      .find((token) => token !== undefined);
  const mailedToken = async (address: string): Promise<string | undefined> => tokenIn(await mails(), address);

  async function state({ id }: MadeUser): Promise<unknown> {
    const [row] = await service.sql(
      'SELECT username, told_name AS told, name_given_by AS by FROM users WHERE id = $1',
      [id],
    );
    return row;
  }
  const proved = (username: string) => ({ username, told: null, by: null });

  it('goes to the new address alone, without a chosen text, and works once, with the password', async () => {
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    const received = await mails();
    const toNew = received.filter(({ to }) => to.includes(name));
    expect(toNew).toHaveLength(1);
    expect(toNew[0]?.raw).not.toMatch(/Urgent|evil/);
    expect(received.filter(({ to }) => to.includes(plain.username))).toHaveLength(1);
    const token = tokenIn(received, name);

    await prove(token, null).expect(400);
    await prove(token, 'Wrong-Passw0rd').expect(401);
    expect(await state(plain)).toEqual({ username: name, told: plain.username, by: 'self' });
    await prove(token).expect(204);
    expect(await state(plain)).toEqual(proved(name));
    const again = await prove(token).expect(400);
    expect(again.body).toMatchObject({ reason: 'NAME_LINK_ENDED' });
    await prove('0'.repeat(64)).expect(404);
    // No login: what is there stays, nothing is added.
    await plain.client.get('/whoami').expect(200);
    expect(await service.sql`SELECT FROM logins WHERE user_id = ${plain.id}`).toHaveLength(1);
    // The proof is the act of whoever had the mail and the password.
    expect(
      await service.sql(
        `SELECT actor_credential_kind AS kind FROM audit_log
         WHERE table_name = 'users' AND record_id = $1 AND after ? 'told_name' ORDER BY id DESC LIMIT 1`,
        [plain.id],
      ),
    ).toEqual([{ kind: 'name_proof' }]);
  });

  it('counts wrong passwords as the login does', async () => {
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    const token = await mailedToken(name);
    for (let guess = 0; guess < 10; guess++)
      await prove(token, `Wrong-${guess}`, '198.51.100.99').expect(401);
    await prove(token, PASSWORD, '198.51.100.99').expect(429);
    await anonymous(service)
      .post('/login', { username: name, password: PASSWORD })
      .set('X-Forwarded-For', '198.51.100.99')
      .expect(429);
    await prove(token).expect(204);
  });

  it('works once of 16 at once', async () => {
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    const token = await mailedToken(name);
    const answers = await atOnce(AT_ONCE, () => prove(token));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(await state(plain)).toEqual(proved(name));
  });

  it('ends with another rename and with a restoration', async () => {
    const typo = freshName();
    const right = freshName();
    await rename(plain.client, plain, typo).expect(204);
    const received = await mails();
    await rename(plain.client, plain, right).expect(204);
    await prove(tokenIn(received, typo)).expect(400);
    const token = await mailedToken(right);
    await anonymous(service)
      .post(`/resetting/${tokenIn(received, plain.username, RESET_LINK) ?? ''}`, { password: 'Opnieuw-1234' })
      .expect(200);
    await prove(token, 'Opnieuw-1234').expect(400);
    expect(await state(plain)).toEqual(proved(plain.username));
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
    await prove(token).expect(400);

    const user = await makeUser(service, { organisationId });
    const second = freshName();
    await rename(user.client, user, second).expect(204);
    const secondToken = await mailedToken(second);
    await admin.delete(pathOf(user)).expect(204);
    await prove(secondToken).expect(400);
    expect(await service.sql`SELECT FROM name_proofs WHERE name = ${second}`).toEqual([]);
  });

  it('is mailed for a name that a manager gave, and for a registration without the token', async () => {
    const name = freshName();
    await rename(custadmin.client, plain, name).expect(204);
    const received = await mails();
    expect(received.filter(({ to }) => to.includes(plain.username))).toHaveLength(1);
    await prove(tokenIn(received, name)).expect(204);
    expect(await state(plain)).toEqual(proved(name));

    const invitation = await makeInvitation(service, {
      organisationId,
      inviterId: custadmin.id,
      email: freshName(),
    });
    await anonymous(service).post('/registerInvitation', registrationOf(invitation, PASSWORD)).expect(201);
    await prove(await mailedToken(invitation.email)).expect(204);
  });

  it('is not mailed again while it is open, and again later if the name is sent again', async () => {
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    expect(await mailedToken(name)).toBeDefined();
    // A panel sends the name with every change.
    await rename(plain.client, plain, name).expect(204);
    expect(await mails()).toEqual([]);
    const age = (hours: number) => makeOlder(service, 'name_proofs', { user_id: plain.id }, `${hours} hours`);
    await age(71);
    await rename(plain.client, plain, name).expect(204);
    expect(await mails()).toEqual([]);
    await age(2);
    await rename(plain.client, plain, name.toUpperCase()).expect(204);
    await prove(await mailedToken(name.toUpperCase())).expect(204);
    expect(await state(plain)).toEqual(proved(name.toUpperCase()));
    await rename(plain.client, plain, name.toUpperCase()).expect(204);
    expect(await mails()).toEqual([]);
  });

  it('is one an address and organisation in 24 hours, and five a user a day', async () => {
    const name = freshName();
    const colleague = await makeUser(service, { organisationId });
    await rename(plain.client, plain, name).expect(204);
    await rename(plain.client, plain, freshName()).expect(204);
    await mails();
    await rename(colleague.client, colleague, name).expect(204);
    expect((await mails()).filter(({ to }) => to.includes(name))).toEqual([]);
    for (let further = 2; further < 5; further++) {
      const next = freshName();
      await rename(plain.client, plain, next).expect(204);
      expect(await mailedToken(next)).toBeDefined();
    }
    const sixth = freshName();
    await rename(plain.client, plain, sixth).expect(204);
    expect((await mails()).filter(({ to }) => to.includes(sixth))).toEqual([]);
    expect(await state(plain)).toMatchObject({ username: sixth, told: plain.username });
  });

  it('is mailed fifty times a day for an organisation, however many rename at once', async () => {
    await service.sql(
      `INSERT INTO name_proofs (user_id, organisation_id, name, token_digest, expires_at, ended_at)
       SELECT $1, $2::integer, 'n' || n || '@example.com', sha256((n || '-' || $2::integer)::bytea), now(), now()
       FROM generate_series(1, 48) n`,
      [custadmin.id, organisationId],
    );
    const users = await Promise.all(Array.from({ length: 6 }, () => makeUser(service, { organisationId })));
    await Promise.all(users.map((user) => rename(user.client, user, freshName()).expect(204)));
    const received = await mails();
    expect(received.filter(({ text }) => PROOF_LINK.test(text))).toHaveLength(2);
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
    // Neither the former name nor a text that the user chose.
    expect(text).not.toMatch(/Urgent|evil/);
    expect(text).not.toContain(plain.username);
    expect((await send({})).status).toBe(400);
    const wrong = await send({ password: 'Wrong-Passw0rd' });
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('aria-invalid="true"')]);
    expect((await send({ password: PASSWORD })).status).toBe(200);
    expect(await state(plain)).toEqual(proved(name));
    expect((await fetch(`${service.url}${page}`)).status).toBe(400);
  });

  it('gives the last proved name back where the reader of the mail is somebody else', async () => {
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    const token = (await mailedToken(name)) ?? '';
    await anonymous(service).post('/resetting/send_email', { username: name }).expect(204);
    const response = await fetch(`${service.url}/account/username/${token}`, {
      method: 'POST',
      body: new URLSearchParams({ answer: 'not-me' }),
    });
    expect(response.status).toBe(200);
    expect(await state(plain)).toEqual(proved(plain.username));
    await loggedIn(service, plain.username, PASSWORD);
    await (await clientOf(service, plain.id)).get('/whoami').expect(200);
    expect((await mails()).filter(({ to }) => to.includes(plain.username)).length).toBeGreaterThan(0);
    expect(
      await service.sql`SELECT FROM recovery_requests WHERE user_id = ${plain.id} AND ended_at IS NULL`,
    ).toEqual([]);
  });
});
