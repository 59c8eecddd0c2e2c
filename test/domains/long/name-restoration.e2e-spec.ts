import { VARIANTS } from '../../../qa/variants';
import {
  clientOf,
  type MadeUser,
  makeCustomer,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../../support/factories/factories';
import { makeApiKey, newPublicKey } from '../../support/factories/key-factories';
import { makeContact } from '../../support/factories/records';
import { pathOf } from '../../support/factories/users-factories';
import { transactionBeside, untilWaiting } from '../../support/faults/locks';
import { type ReceivedMail, useMailServer } from '../../support/faults/smtp';
import { atOnce } from '../../support/service/at-once';
import { anonymous, type ApiClient, asAdmin, failingFields, loggedIn } from '../../support/service/client';
import { runJobs } from '../../support/service/jobs';
import { useService } from '../../support/service/service';
import { letExpire, makeOlder } from '../../support/service/time';

const LINK = /https:\/\/panel\.example\/reset\?token=([0-9a-f]{64})/;
const OWNERS_PASSWORD = 'Terug-Van-Weg-1';
const THIEFS_PASSWORD = 'Gestolen-Goed-1';

const names = { firstName: 'Jan', lastName: 'de Vries' } as const;

const mailServer = useMailServer();

const linkOf = (mail: ReceivedMail | undefined): string | undefined => LINK.exec(mail?.text ?? '')?.[1];

describe.each(VARIANTS)('the way back to a changed name in Variant %s', (variant) => {
  const service = useService(variant, () => ({
    settings: {
      smtpUrl: mailServer.url,
      resetUrlTemplate: 'https://panel.example/reset?token={token}',
      hideUnknownUsernames: true,
      // Four writes of one user at once: a quarter of eighteen permits.
      databasePool: 30,
    },
  }));
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  const freshName = (): string => `name${nextNumber()}.${variant.toLowerCase()}@example.com`;
  const rename = (client: ApiClient, user: MadeUser, username: string) =>
    client.patch(pathOf(user), { username, ...names });
  const take = (token: string | undefined, password = OWNERS_PASSWORD) =>
    anonymous(service).post(`/resetting/${token ?? 'none'}`, { password });
  const nameOf = async ({ id }: MadeUser): Promise<string> => {
    const rows = await service.sql<{ username: string }>`SELECT username FROM users WHERE id = ${id}`;
    return rows[0]?.username ?? '';
  };

  /**
   * Recovery of a name that its user gave itself goes to the former one for 72 hours (rule recovery 66).
   */
  const outwait = ({ id }: MadeUser) => makeOlder(service, 'users', { id }, '73 hours', ['renamed_at']);

  /** The token of the newest link that was mailed to an address. */
  async function mailedLink(address: string): Promise<string> {
    await runJobs(service);
    const token = mailServer
      .mailsTo(address)
      .map(linkOf)
      .findLast((found) => found !== undefined);
    if (token === undefined) throw new Error(`No link was mailed to ${address}`);
    return token;
  }

  /** As the link does that was mailed to the present name. */
  const prove = ({ id }: MadeUser) =>
    service.sql`UPDATE users SET told_name = NULL, name_given_by = NULL, renamed_at = NULL WHERE id = ${id}`;

  async function newUser(options: { readonly username?: string } = {}): Promise<MadeUser> {
    const { organisationId } = await makeCustomer(service);
    return makeUser(service, { organisationId, username: options.username ?? freshName() });
  }

  /** Renames the user with its own login, and gives the token that its address got. */
  async function renamed(user: MadeUser, from: string, to: string): Promise<string> {
    await rename(user.client, user, to).expect(204);
    return mailedLink(from);
  }

  it('gives its owner everything back that a stolen login has made of it', async () => {
    const user = await newUser();
    const path = pathOf(user);
    const keptContact = await makeContact(service, {
      organisationId: user.organisationId,
      userId: user.id,
      name: `kept${user.id}@example.com`,
    });
    const changedContact = await makeContact(service, { ...user, userId: user.id });
    const { body: kept } = await user.client
      .post(`${path}/sshkeys`, { content: newPublicKey(), description: 'kept' })
      .expect(201);
    const { body: replaced } = await user.client
      .post(`${path}/sshkeys`, { content: newPublicKey(), description: 'replaced' })
      .expect(201);
    const oldKey = await makeApiKey(service, user.id);
    const thief = await clientOf(service, user.id);

    const thiefsName = freshName();
    const owners = await renamed({ ...user, client: thief }, user.username, thiefsName);
    await outwait(user);
    await anonymous(service).post('/resetting/send_email', { username: thiefsName }).expect(204);
    await take(await mailedLink(thiefsName), THIEFS_PASSWORD).expect(200);
    const thiefsLogin = await loggedIn(service, thiefsName, THIEFS_PASSWORD);
    const secondName = freshName();
    const later = await renamed({ ...user, client: thiefsLogin }, thiefsName, secondName);
    await thiefsLogin.post(`${path}/contacts`, { type: 'email', name: 'thief@evil.example' }).expect(201);
    await thiefsLogin
      .put(`${path}/contacts/${changedContact}`, { type: 'email', name: 'other@evil.example' })
      .expect(204);
    await thiefsLogin.post(`${path}/sshkeys`, { content: newPublicKey(), description: 'new' }).expect(201);
    await thiefsLogin
      .put(`${path}/sshkeys/${(replaced as { sshkey: { id: number } }).sshkey.id}`, {
        content: newPublicKey(),
        description: 'replaced',
      })
      .expect(204);
    const thiefsKey = await makeApiKey(service, user.id);
    await service.sql(
      `INSERT INTO trusted_devices (user_id, digest, user_agent, address, expires_at)
       VALUES ($1::integer, sha256($1::text::bytea), 'agent', '127.0.0.1', now() + interval '1 day')`,
      [user.id],
    );
    await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${user.id}`;
    await outwait(user);
    await anonymous(service).post('/resetting/send_email', { username: secondName }).expect(204);
    const openReset = await mailedLink(secondName);

    await prove(user);
    const { body } = await take(owners).expect(200);
    expect(body).toMatchObject({ user: { id: user.id, username: user.username, email: user.username } });
    for (const client of [thief, thiefsLogin, user.client, oldKey.client, thiefsKey.client]) {
      await client.get('/whoami').expect(401);
    }
    for (const token of [later, openReset, owners]) await take(token).expect(400);
    await anonymous(service).post('/login', { username: secondName, password: THIEFS_PASSWORD }).expect(401);
    await anonymous(service)
      .post('/login', { username: user.username, password: THIEFS_PASSWORD })
      .expect(401);
    const owner = await loggedIn(service, user.username, OWNERS_PASSWORD);
    const contacts = await owner.get(`${path}/contacts`).expect(200);
    expect((contacts.body as { contacts: object[] }).contacts).toMatchObject([{ id: keptContact }]);
    const keys = await owner.get(`${path}/sshkeys`).expect(200);
    expect((keys.body as { sshkeys: object[] }).sshkeys).toEqual([(kept as { sshkey: object }).sshkey]);
    const [state] = await service.sql(
      `SELECT second_factor, totp_secret, (SELECT count(*)::integer FROM trusted_devices WHERE user_id = u.id) AS devices
       FROM users u WHERE id = $1`,
      [user.id],
    );
    expect(state).toEqual({ second_factor: 'disabled', totp_secret: null, devices: 0 });
    const audited =
      await service.sql`SELECT actor_credential_kind AS kind, after ->> 'username' AS name FROM audit_log
       WHERE table_name = 'users' AND record_id = ${user.id} ORDER BY id DESC LIMIT 1`;
    expect(audited).toEqual([{ kind: 'name_restoration', name: user.username }]);
    // Whoever has the name that ends is told, without a link.
    await runJobs(service);
    expect(linkOf(mailServer.mailsTo(secondName).at(-1))).toBeUndefined();
    expect(mailServer.mailsTo(secondName).at(-1)?.headers.get('subject')).toBe(
      'Uw gebruikersnaam is gewijzigd',
    );
  });

  it('leaves the second factor that was there before', async () => {
    const user = await newUser();
    await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${user.id}`;
    await take(await renamed(user, user.username, freshName())).expect(200);
    const rows = await service.sql`SELECT second_factor, totp_secret FROM users WHERE id = ${user.id}`;
    expect(rows).toEqual([{ second_factor: 'enabled', totp_secret: 'x' }]);
  });

  it('is told to the old address alone, with its hours, and not where a manager changed the name', async () => {
    const user = await newUser();
    const next = freshName();
    await renamed(user, user.username, next);
    const mail = mailServer.mailsTo(user.username).at(-1);
    expect(mail?.text).toContain('72 uur');
    expect(mail?.html).toContain(linkOf(mail));
    expect(mailServer.mailsTo(next).map(({ headers }) => headers.get('subject'))).toEqual([
      'Bevestig uw gebruikersnaam',
    ]);
    expect(mailServer.mailsTo(next).map(linkOf)).toEqual([undefined]);
    const other = await newUser();
    await rename(admin, other, freshName()).expect(204);
    await runJobs(service);
    expect(mailServer.mailsTo(other.username).map(linkOf)).toEqual([undefined]);
    await rename(user.client, user, next.toUpperCase()).expect(204);
    await runJobs(service);
    expect(mailServer.mailsTo(next)).toHaveLength(1);
  });

  it('lasts 72 hours; then the name is free as soon as nobody is told it', async () => {
    const user = await newUser();
    const token = await renamed(user, user.username, freshName());
    const lifetimes = await service.sql(
      `SELECT extract(epoch FROM expires_at - renamed_at)::integer / 3600 AS hours FROM name_restorations WHERE user_id = $1`,
      [user.id],
    );
    expect(lifetimes).toEqual([{ hours: 72 }]);
    const other = await newUser();
    await rename(other.client, other, user.username).expect(400);
    await letExpire(service, 'name_restorations', { user_id: user.id });
    await rename(other.client, other, user.username).expect(400);
    await prove(user);
    await rename(other.client, other, user.username).expect(204);
    const { body } = await take(token).expect(400);
    expect((body as { message: string }).message).toBe('request expired');
  });

  it('refuses a bad password and stays open', async () => {
    const user = await newUser();
    const token = await renamed(user, user.username, freshName());
    expect(failingFields(await take(token, 'short').expect(400))).toEqual(['password']);
    await take(token).expect(200);
  });

  it('ends where the user is disabled or deleted, for good: 400, and the name of who is gone is free', async () => {
    const disabled = await newUser();
    const first = await renamed(disabled, disabled.username, freshName());
    await admin.post(`${pathOf(disabled)}/actions`, { type: 'disable' }).expect(200);
    await take(first).expect(400);
    await admin.post(`${pathOf(disabled)}/actions`, { type: 'enable' }).expect(200);
    await take(first).expect(400);
    const deleted = await newUser();
    const second = await renamed(deleted, deleted.username, freshName());
    await admin.delete(pathOf(deleted)).expect(204);
    await take(second).expect(400);
    await rename(admin, await newUser(), disabled.username).expect(400);
    await rename(admin, await newUser(), deleted.username).expect(204);
    const rows = await service.sql`SELECT former_name FROM name_restorations WHERE user_id = ${deleted.id}`;
    expect(rows).toEqual([{ former_name: '' }]);
  });

  it('leads along a chain of names: that of an earlier name ends those of later ones, not the other way round', async () => {
    const user = await newUser({ username: `First.${freshName()}` });
    const middle = freshName();
    const last = freshName();
    const toFirst = await renamed(user, user.username, middle);
    await prove(user);
    const toMiddle = await renamed(user, middle, last);
    await rename(admin, user, freshName()).expect(204);
    const { body } = await take(toMiddle).expect(200);
    expect(body).toMatchObject({ user: { username: middle } });
    const again = await renamed(
      { ...user, client: await loggedIn(service, middle, OWNERS_PASSWORD) },
      middle,
      last,
    );
    await take(toFirst).expect(200);
    expect(await nameOf(user)).toBe(user.username);
    await take(again).expect(400);
    // What it ended is free again.
    await rename(admin, await newUser(), middle).expect(204);
  });

  it('works once of 16 tries at once, 5 times', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await newUser();
      const token = await renamed(user, user.username, freshName());
      const answers = await atOnce(16, () => take(token));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array.from({ length: 15 }, () => 400)]);
      expect(await nameOf(user)).toBe(user.username);
    }
  });

  it('keeps the name from all others, however it is written, also while it is just given up', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await newUser();
      const others = await Promise.all(Array.from({ length: 6 }, () => newUser()));
      const wanted = round % 2 === 0 ? user.username : user.username.toUpperCase();
      const [own, ...answers] = await Promise.all([
        rename(user.client, user, freshName()),
        ...others.map((other) => rename(admin, other, wanted)),
      ]);
      expect(own.status).toBe(204);
      expect(answers.map(({ status }) => status)).toEqual(others.map(() => 400));
      expect(answers.map((answer) => failingFields(answer))).toEqual(others.map(() => ['username']));
      await take(await mailedLink(user.username)).expect(200);
    }
  });

  it('lets its user take the name again by itself', async () => {
    const user = await newUser();
    const next = freshName();
    const token = await renamed(user, user.username, next);
    await rename(user.client, user, user.username).expect(204);
    await take(token).expect(200);
    expect(await nameOf(user)).toBe(user.username);
  });

  it('leaves nothing that requests on their way bring in', async () => {
    const user = await newUser();
    const token = await renamed(user, user.username, freshName());
    const path = pathOf(user);
    await using holder = await transactionBeside(service);
    await holder.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [user.id]);
    const restored = take(token).then(({ status }) => status);
    await untilWaiting(service, 1);
    // All of them were let in with the stolen login, and wait behind the restoration.
    const late = [
      rename(user.client, user, freshName()),
      user.client.post(`${path}/contacts`, { type: 'email', name: 'evil@evil.example' }),
      user.client.post(`${path}/sshkeys`, { content: newPublicKey(), description: 'evil' }),
    ].map((sent) => sent.then(({ status }) => status));
    await untilWaiting(service, 4);
    await holder.query('COMMIT');
    expect(await restored).toBe(200);
    expect(await Promise.all(late)).toEqual([401, 401, 401]);
    const rows =
      await service.sql`SELECT username, (SELECT count(*)::integer FROM contacts WHERE user_id = u.id) AS contacts,
         (SELECT count(*)::integer FROM ssh_keys WHERE user_id = u.id) AS keys FROM users u
           WHERE id = ${user.id}`;
    expect(rows).toEqual([{ username: user.username, contacts: 0, keys: 0 }]);
  });

  it('is there for 20 names at once, past which a user does not change its name', async () => {
    const user = await newUser();
    for (let change = 0; change < 20; change++) {
      await rename(user.client, user, freshName()).expect(204);
      // Only proved names can be restored.
      await prove(user);
    }
    const refused = await rename(user.client, user, freshName()).expect(400);
    expect(refused.body).toMatchObject({ reason: 'LIMIT_REACHED' });
    await rename(admin, user, freshName()).expect(204);
  });

  it('is mailed where recovery goes from a name that is no address, if there is such a place', async () => {
    const user = await newUser({ username: `login-${variant}-${nextNumber()}` });
    await makeContact(service, { ...user, userId: user.id, name: 'new.contact@example.com' });
    const old = await makeContact(service, { ...user, userId: user.id, name: `old.${user.id}@example.com` });
    await makeOlder(service, 'contacts', { id: old }, '73 hours', ['created_at']);
    const token = await renamed(user, `old.${user.id}@example.com`, freshName());
    await take(token).expect(200);
    expect(await nameOf(user)).toBe(user.username);
    const nowhere = await newUser({ username: `login-${variant}-${nextNumber()}` });
    await rename(nowhere.client, nowhere, freshName()).expect(204);
    const rows = await service.sql`SELECT id FROM name_restorations WHERE user_id = ${nowhere.id}`;
    expect(rows).toEqual([]);
  });

  it('is open to nobody with the old password alone', async () => {
    const user = await newUser();
    await renamed(user, user.username, freshName());
    await anonymous(service).post('/login', { username: user.username, password: PASSWORD }).expect(401);
  });
});
