import { VARIANTS } from '../../qa/variants';
import {
  clientOf,
  type MadeUser,
  makeCustomer,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { registrationOf } from '../support/factories/invitations-factories';
import { makeServiceKey, newPublicKey } from '../support/factories/key-factories';
import { freshName, PANEL_LINKS } from '../support/factories/renames-factories';
import { NEW_PASSWORD, userNamesOf } from '../support/factories/user-names-factories';
import { makeAdmin, pathOf } from '../support/factories/users-factories';
import { useMailServer } from '../support/faults/smtp';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { anonymous, type ApiClient, asAdmin, failingFields, loggedIn } from '../support/service/client';
import { useService } from '../support/service/service';
import { makeOlder, useOneHour } from '../support/service/time';

useOneHour();

const mailServer = useMailServer();

/** Texts that users choose: an unverified address gets none of them. */
const CHOSEN = { firstName: 'Urgent', lastName: 'pay at evil.example' } as const;

const HOURS_73 = '73 hours';

describe.each(VARIANTS)('PATCH …/users: user names in Variant %s', (variant) => {
  const service = useService(variant, () => ({
    settings: {
      smtpUrl: mailServer.url,
      ...PANEL_LINKS,
      trustedProxies: ['127.0.0.1'],
      allowTokenlessRegistration: true,
    },
  }));
  const names = userNamesOf(service, mailServer, CHOSEN);
  const { rename, mails, mailsTo, stateOf, recover, recoveredAt, reset, verify, linkTo, register } = names;

  let admin: ApiClient;
  let neighbour: ApiClient;
  let customer: Awaited<ReturnType<typeof makeCustomer>>;
  let organisationId: number;
  let custadmin: MadeUser;
  let plain: MadeUser;

  beforeAll(async () => {
    admin = await asAdmin(service);
    neighbour = (await makeServiceKey(service, 1, { operations: ['access.introspect'], asAdmin: true }))
      .client;
  });
  beforeEach(async () => {
    customer = await makeCustomer(service);
    ({ organisationId, custadmin, plain } = customer);
    await mails();
  });

  const nameForOthers = (user: MadeUser): Promise<string> => names.nameForOthers(user, neighbour);
  const invite = (email: string, by = customer) => names.invite(email, by);
  const verified = (username: string) => ({ username, verified: true, former: null });
  const pass72Hours = (user: MadeUser) =>
    makeOlder(service, 'users', { id: user.id }, HOURS_73, ['renamed_at']);
  const withSshKey = (user: MadeUser) =>
    user.client
      .post(`${pathOf(user)}/sshkeys`, { content: newPublicKey(), description: 'www.evil.example won' })
      .expect(201);

  if (variant !== 'A')
    describe('names that are no addresses', () => {
      const login = () => `login${nextNumber()}`;

      it('are verified where an admin or the previous panel gives them; others stay unverified', async () => {
        const name = login();
        await rename(plain.client, plain, name).expect(204);
        expect(await stateOf(plain)).toEqual({ username: name, verified: false, former: plain.username });
        await pass72Hours(plain);
        expect(await recoveredAt(name)).toEqual([plain.username]);
        await rename((await makeAdmin(service)).client, plain, `${name}b`).expect(204);
        expect(await stateOf(plain)).toEqual(verified(`${name}b`));
      });

      it('are not verified by a reset whose mail went to a contact', async () => {
        const name = login();
        await rename(custadmin.client, plain, name).expect(204);
        const address = freshName();
        await service.sql(
          `INSERT INTO contacts (organisation_id, user_id, type, name, unique_key, created_at)
           VALUES ($1, $2, 'email', $3, $3, now() - interval '80 hours')`,
          [organisationId, plain.id, address],
        );
        const [asked] = await recover(name);
        expect(asked?.to).toBe(address);
        await reset(asked?.token).expect(200);
        expect(await stateOf(plain)).toEqual({ username: name, verified: false, former: null });
        expect(await nameForOthers(plain)).toBe('');
      });

      it('that somebody has unverified are free for users whom an admin makes, not former ones', async () => {
        const name = freshName();
        await rename(plain.client, plain, name).expect(204);
        const make = (username: string) =>
          admin.post(`/organisations/${organisationId}/userandcontact`, {
            username,
            firstName: 'Ann',
            lastName: 'Other',
            password: PASSWORD,
          });
        await pass72Hours(plain);
        await make(plain.username).expect(400);
        const { body } = await make(name).expect(201);
        expect(await nameForOthers((body as { user: MadeUser }).user)).toBe(name);
        expect(await stateOf(plain)).toEqual(verified(plain.username));
      });
    });

  // What follows is one code in all variants.
  if (!SHARED_VARIANTS.includes(variant)) return;

  describe('rule recovery 17: a name is verified', () => {
    it('by the token of an invitation, and not by a registration without it', async () => {
      const invited = await invite(freshName());
      const { body } = await register(invited).expect(201);
      expect(await stateOf((body as { user: MadeUser }).user)).toEqual(verified(invited.email));

      const guessed = await invite(freshName());
      const registered = await anonymous(service)
        .post('/registerInvitation', registrationOf(guessed, PASSWORD))
        .expect(201);
      const { user } = registered.body as { user: MadeUser };
      expect(await stateOf(user)).toEqual({ username: guessed.email, verified: false, former: null });
      expect(await nameForOthers(user)).toBe('');
      await loggedIn(service, guessed.email, PASSWORD);
      await verify(linkTo(await mails(), guessed.email)).expect(204);
      expect(await nameForOthers(user)).toBe(guessed.email);
    });

    it('by a reset, and by the link that was mailed to it', async () => {
      const name = freshName();
      await rename(custadmin.client, plain, name).expect(204);
      expect(await stateOf(plain)).toMatchObject({ verified: false });
      const [asked] = await recover(name);
      await reset(asked?.token).expect(200);
      expect(await stateOf(plain)).toEqual(verified(name));

      const next = freshName();
      await rename(custadmin.client, plain, next).expect(204);
      await verify(linkTo(await mails(), next), NEW_PASSWORD).expect(204);
      expect(await stateOf(plain)).toEqual(verified(next));
    });

    it('where ROLE_ADMIN gives it to somebody else, and not to itself or by a manager', async () => {
      const name = freshName();
      const staff = await makeAdmin(service);
      await rename(staff.client, plain, name).expect(204);
      expect(await stateOf(plain)).toEqual(verified(name));
      expect(linkTo(await mails(), name)).toBeUndefined();

      const own = freshName();
      await rename(staff.client, staff, own).expect(204);
      expect(await stateOf(staff)).toEqual({ username: own, verified: false, former: staff.username });

      await rename(custadmin.client, plain, freshName()).expect(204);
      expect(await stateOf(plain)).toMatchObject({ verified: false, former: null });
    });

    it('after another case of it, and as the former name that is given again', async () => {
      await rename(plain.client, plain, plain.username.toUpperCase()).expect(204);
      expect(await stateOf(plain)).toEqual(verified(plain.username.toUpperCase()));
      const name = freshName();
      await rename(plain.client, plain, name).expect(204);
      await rename(plain.client, plain, name.toUpperCase()).expect(204);
      expect(await stateOf(plain)).toMatchObject({ username: name.toUpperCase(), verified: false });
      await rename(plain.client, plain, plain.username).expect(204);
      expect(await stateOf(plain)).toEqual(verified(plain.username));
    });
  });

  it('rule recovery 18: a rename is 204 and holds at once, for logins and in every answer', async () => {
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    const { body } = await plain.client.get('/whoami').expect(200);
    expect(JSON.stringify(body)).toContain(name);
    await loggedIn(service, name, PASSWORD);
    await anonymous(service).post('/login', { username: plain.username, password: PASSWORD }).expect(404);
  });

  describe('rule recovery 19: who renames itself keeps the verified name as its former one', () => {
    it('for 72 hours, also when the new name is verified: recovery by either name and news go there', async () => {
      const name = freshName();
      await rename(plain.client, plain, name).expect(204);
      await verify(linkTo(await mails(), name)).expect(204);
      expect(await stateOf(plain)).toEqual({ username: name, verified: true, former: plain.username });
      expect(await recoveredAt(plain.username)).toEqual([plain.username]);
      expect(await recoveredAt(name)).toEqual([plain.username]);
      await withSshKey(plain);
      expect((await mails()).map(({ to }) => to)).toEqual([[plain.username]]);
      const taken = await rename(custadmin.client, custadmin, plain.username).expect(400);
      expect(failingFields(taken)).toEqual(['username']);

      await pass72Hours(plain);
      expect(await stateOf(plain)).toEqual(verified(name));
      expect(await recoveredAt(plain.username)).toEqual([]);
      expect(await recoveredAt(name)).toEqual([name]);
      await rename(custadmin.client, custadmin, plain.username).expect(204);
    });

    it('beyond them as long as the new name is unverified', async () => {
      const name = freshName();
      await rename(plain.client, plain, name).expect(204);
      await pass72Hours(plain);
      expect(await stateOf(plain)).toEqual({ username: name, verified: false, former: plain.username });
      expect(await recoveredAt(name)).toEqual([plain.username]);
      expect(await recoveredAt(plain.username)).toEqual([plain.username]);
      await rename(custadmin.client, custadmin, plain.username).expect(400);
    });

    it('and a further own rename meanwhile changes neither the name nor its time', async () => {
      await rename(plain.client, plain, freshName()).expect(204);
      await makeOlder(service, 'users', { id: plain.id }, '71 hours', ['renamed_at']);
      const renamedAt = () => service.sql`SELECT renamed_at FROM users WHERE id = ${plain.id}`;
      const before = await renamedAt();
      const second = freshName();
      await rename(plain.client, plain, second).expect(204);
      await verify(linkTo(await mails(), second)).expect(204);
      // Verified meanwhile: it is no former name of the next one.
      const third = freshName();
      await rename(plain.client, plain, third).expect(204);
      expect(await renamedAt()).toEqual(before);
      expect(await stateOf(plain)).toEqual({ username: third, verified: false, former: plain.username });
    });

    it('and after that keeps the name that is verified by then', async () => {
      const name = freshName();
      await rename(plain.client, plain, name).expect(204);
      await verify(linkTo(await mails(), name)).expect(204);
      await pass72Hours(plain);
      const next = freshName();
      await rename(plain.client, plain, next).expect(204);
      expect(await stateOf(plain)).toEqual({ username: next, verified: false, former: name });
    });
  });

  it('rule recovery 21: without a verified name to keep recovery goes to nobody for 72 hours', async () => {
    const given = freshName();
    await rename(custadmin.client, plain, given).expect(204);
    await mails();
    const own = freshName();
    await rename(await clientOf(service, plain.id), plain, own).expect(204);
    const received = await mails();
    // The name before is told, without a text that a user chose; the new one is asked.
    const before = received.filter(({ to }) => to.includes(given));
    expect(before.map(({ headers }) => headers.get('subject'))).toEqual(['Gebruikersnaam gewijzigd']);
    expect(before[0]?.raw).not.toMatch(/Urgent|evil/);
    // Verified by who knows the password: recovery waits all the same, and the next rename keeps no name.
    await verify(linkTo(received, own)).expect(204);
    for (const name of [given, own, plain.username]) expect(await recoveredAt(name)).toEqual([]);
    const next = freshName();
    await rename(plain.client, plain, next).expect(204);
    expect(await stateOf(plain)).toEqual({ username: next, verified: false, former: null });
    expect(await recoveredAt(next)).toEqual([]);
    await pass72Hours(plain);
    expect(await recoveredAt(next)).toEqual([next]);
  });

  describe('a reset (rule recovery 25, rule recovery 26)', () => {
    it('gives the name whose mailbox got the mail: the former one, and its page shows it', async () => {
      await rename(plain.client, plain, freshName()).expect(204);
      const [asked] = await recover(plain.username);
      const page = await (await fetch(`${service.url}/account/password/${asked?.token}`)).text();
      expect(page).toContain(plain.username);
      const { body } = await reset(asked?.token).expect(200);
      expect(JSON.stringify(body)).toContain(plain.username);
      expect(await stateOf(plain)).toEqual(verified(plain.username));
      await loggedIn(service, plain.username, NEW_PASSWORD);
    });

    it('is asked for before a rename and used after it: a rename ends no link', async () => {
      const [asked] = await recover(plain.username);
      await rename(plain.client, plain, freshName()).expect(204);
      await reset(asked?.token).expect(200);
      expect(await stateOf(plain)).toEqual(verified(plain.username));
    });

    it('is 400 with the link of a name that is neither the present nor the former one by then', async () => {
      const [asked] = await recover(plain.username);
      await rename(custadmin.client, plain, freshName()).expect(204);
      const refused = await reset(asked?.token).expect(400);
      expect(refused.body).toMatchObject({ reason: 'REQUEST_EXPIRED' });
      expect((await fetch(`${service.url}/account/password/${asked?.token}`)).status).toBe(400);
    });
  });

  it('rule recovery 28: the mail about an own rename goes to the former mailbox, with a button for a new password', async () => {
    const name = freshName();
    await rename(plain.client, plain, name).expect(204);
    const received = await mails();
    const [told, ...more] = received.filter(({ to }) => to.includes(plain.username));
    expect(more).toEqual([]);
    expect(told?.headers.get('subject')).toBe('Uw gebruikersnaam is gewijzigd');
    expect(told?.html).toContain('Dit was ik niet');
    expect(told?.text).toContain(`/account/password`);
    // The new address gets the link that verifies it, and nothing else.
    const toNew = received.filter(({ to }) => to.includes(name));
    expect(toNew.map(({ headers }) => headers.get('subject'))).toEqual(['Bevestig uw gebruikersnaam']);
    expect(toNew[0]?.raw).not.toMatch(/Urgent|evil/);
  });

  if (variant === 'A')
    it('rule recovery 10: softlogin takes either name, and gives none back', async () => {
      const name = freshName();
      await rename(plain.client, plain, name).expect(204);
      for (const username of [plain.username, name]) {
        const [asked] = await recover(name);
        const [confirmationCode] = /\b\d{8}\b/.exec(asked?.text ?? '') ?? [];
        await anonymous(service).post('/softlogin', { username, confirmationCode }).expect(200);
      }
      expect(await stateOf(plain)).toEqual({ username: name, verified: false, former: plain.username });
    });

  describe('rule recovery 22: somebody else renames a user, and hands the account over', () => {
    it('so news and recovery go to the new name at once, and the former mailbox gets one plain mail', async () => {
      const name = freshName();
      await rename(custadmin.client, plain, name).expect(204);
      const [told, ...more] = (await mails()).filter(({ to }) => to.includes(plain.username));
      expect(more).toEqual([]);
      expect(told?.headers.get('subject')).toBe('Uw gebruikersnaam is gewijzigd');
      expect(told?.text).not.toMatch(/https?:/);
      await withSshKey(plain);
      const [news, ...others] = await mails();
      expect(others).toEqual([]);
      expect(news?.to).toEqual([name]);
      // Unverified: what happened, and no text that a user chose.
      expect(news?.text).toMatch(/SSH/);
      expect(news?.raw).not.toMatch(/Urgent|evil/);
      expect(await recoveredAt(name)).toEqual([name]);
      expect(await recoveredAt(plain.username)).toEqual([]);
      expect(await nameForOthers(plain)).toBe('');
      await rename(custadmin.client, custadmin, plain.username).expect(204);
    });

    it('and a former name goes: its mailbox, where news went until then, gets the mail', async () => {
      await rename(plain.client, plain, freshName()).expect(204);
      await mails();
      const name = freshName();
      await rename(custadmin.client, plain, name).expect(204);
      const subjects = (await mailsTo(plain.username)).map(({ headers }) => headers.get('subject'));
      expect(subjects).toEqual(['Uw gebruikersnaam is gewijzigd']);
      expect(await stateOf(plain)).toEqual({ username: name, verified: false, former: null });
      expect(await recoveredAt(plain.username)).toEqual([]);
    });
  });

  describe('rule recovery 23: other services are told', () => {
    it('the name if it is verified, else the former one', async () => {
      const name = freshName();
      await rename(plain.client, plain, name).expect(204);
      expect(await nameForOthers(plain)).toBe(plain.username);
      await verify(linkTo(await mails(), name)).expect(204);
      expect(await nameForOthers(plain)).toBe(name);
    });

    it('in authorizedkeys too, where the empty name is nobody', async () => {
      const sshd = (
        await makeServiceKey(service, 1, { operations: ['systems.authorizedKeys'], asAdmin: true })
      ).client;
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
      await withSshKey(plain);
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
      await rename(custadmin.client, plain, freshName()).expect(204);
      expect(await linesOf('')).toBe('');
    });
  });

  describe('rule recovery 31: a name that somebody has unverified', () => {
    it('is free for invitations and registrations with the token; its holder has the former one again', async () => {
      const name = freshName();
      const elsewhere = await makeCustomer(service);
      const invitations = `/organisations/${elsewhere.organisationId}/invitations`;
      const person = { firstName: 'Ina', lastName: 'Invited' };
      const { body } = await elsewhere.custadmin.client
        .post(invitations, { email: freshName(), ...person })
        .expect(201);
      const { id } = (body as { invitation: { id: number } }).invitation;
      await rename(plain.client, plain, name).expect(204);
      await elsewhere.custadmin.client.put(`${invitations}/${id}`, { email: name, ...person }).expect(204);
      await elsewhere.custadmin.client.post(`${invitations}/${id}/resend`).expect(200);
      const third = await makeCustomer(service);
      await third.custadmin.client
        .post(`/organisations/${third.organisationId}/invitations`, { email: name.toUpperCase(), ...person })
        .expect(201);
      await mails();
      await register(await invite(name, await makeCustomer(service))).expect(201);
      expect(await stateOf(plain)).toEqual(verified(plain.username));
      await loggedIn(service, plain.username, PASSWORD);
      const told = (await mails()).filter(({ to }) => to.includes(plain.username));
      expect(told.map(({ headers }) => headers.get('subject'))).toEqual([
        expect.stringContaining('Gebruikersnaam geldt niet meer'),
      ]);
    });

    it('is taken for everything else: a rename, and a registration without the token', async () => {
      const name = freshName();
      await rename(plain.client, plain, name).expect(204);
      await rename(custadmin.client, custadmin, name).expect(400);
      const guessed = await invite(name);
      await anonymous(service).post('/registerInvitation', registrationOf(guessed, PASSWORD)).expect(400);
    });

    it('leaves a holder without a former name at user-<id>@name.invalid, which nobody gives', async () => {
      const name = freshName();
      await rename(custadmin.client, plain, name).expect(204);
      await register(await invite(name, await makeCustomer(service))).expect(201);
      const invalid = `user-${plain.id}@name.invalid`;
      expect(await stateOf(plain)).toEqual({ username: invalid, verified: false, former: null });
      expect(await nameForOthers(plain)).toBe('');
      // Its logins stay, nobody recovers it, and a manager decides who gets it.
      await plain.client.get('/whoami').expect(200);
      for (const one of [invalid, plain.username, name])
        expect((await recoveredAt(one)).filter((to) => to !== name)).toEqual([]);
      await mails();
      await rename(await clientOf(service, plain.id), plain, invalid).expect(204);
      expect(await mails()).toEqual([]);
      expect(failingFields(await rename(custadmin.client, custadmin, invalid).expect(400))).toEqual([
        'username',
      ]);
      const invited = custadmin.client.post(`/organisations/${organisationId}/invitations`, {
        email: invalid,
        firstName: 'Ina',
        lastName: 'Invited',
      });
      expect(failingFields(await invited.expect(400))).toEqual(['email']);
      await rename(custadmin.client, plain, plain.username).expect(204);
      expect(await recoveredAt(plain.username)).toEqual([plain.username]);
    });

    it('goes with a former one whose 72 hours are over, to who registers with the token; not before', async () => {
      const name = freshName();
      const early = await invite(plain.username, await makeCustomer(service));
      await rename(plain.client, plain, name).expect(204);
      await register(early).expect(400);
      const other = await makeCustomer(service);
      const refused = await other.custadmin.client
        .post(`/organisations/${other.organisationId}/invitations`, {
          email: plain.username,
          firstName: 'Ina',
          lastName: 'Invited',
        })
        .expect(400);
      expect(failingFields(refused)).toEqual(['email']);
      await pass72Hours(plain);
      const { body } = await register(early).expect(201);
      expect(await nameForOthers((body as { user: MadeUser }).user)).toBe(plain.username);
      expect(await stateOf(plain)).toEqual({ username: name, verified: false, former: null });
      expect(await nameForOthers(plain)).toBe('');
      expect(await recoveredAt(name)).toEqual([name]);
    });

    it('is refused where it is verified', async () => {
      await register(await invite(plain.username)).expect(400);
      expect(await stateOf(plain)).toEqual(verified(plain.username));
    });
  });

  it('names are free when their user goes, former ones too', async () => {
    const user = await makeUser(service, { organisationId });
    await rename(user.client, user, freshName()).expect(204);
    await admin.delete(pathOf(user)).expect(204);
    await rename(plain.client, plain, user.username).expect(204);
  });
});
