import { clientOf, type MadeUser, makeCustomer, makeUser, PASSWORD } from '../support/factories/factories';
import { registrationOf } from '../support/factories/invitations-factories';
import { makeServiceKey, newPublicKey } from '../support/factories/key-factories';
import { freshName, PANEL_LINKS } from '../support/factories/renames-factories';
import { NEW_PASSWORD, userNamesOf } from '../support/factories/user-names-factories';
import { pathOf } from '../support/factories/users-factories';
import { useMailServer } from '../support/faults/smtp';
import { anonymous, ApiClient, loggedIn } from '../support/service/client';
import { useService } from '../support/service/service';
import { letTimePass, useOneHour } from '../support/service/time';

useOneHour();

const mailServer = useMailServer();
const SETTINGS = () => ({
  settings: { smtpUrl: mailServer.url, ...PANEL_LINKS, allowTokenlessRegistration: true },
});

describe('stories of user names', () => {
  const service = useService('A', SETTINGS);
  const names = userNamesOf(service, mailServer);
  const { rename, mails, stateOf, recover, recoveredAt, reset, verify, linkTo, invite, register } = names;

  let customer: Awaited<ReturnType<typeof makeCustomer>>;
  let owner: MadeUser;
  let manager: MadeUser;
  beforeEach(async () => {
    customer = await makeCustomer(service);
    ({ plain: owner, custadmin: manager } = customer);
    await mails();
  });

  const neighbour = async () =>
    (await makeServiceKey(service, 1, { operations: ['access.introspect'], asAdmin: true })).client;

  it('a typo in an own new name is corrected by the user: the link to the right address verifies it', async () => {
    const typo = freshName();
    const right = freshName();
    await rename(owner.client, owner, typo).expect(204);
    await rename(owner.client, owner, right).expect(204);
    await verify(linkTo(await mails(), right)).expect(204);
    expect(await stateOf(owner)).toEqual({ username: right, verified: true, former: owner.username });
    await letTimePass(service, '73 hours');
    expect(await recoveredAt(right)).toEqual([right]);
    // The stranger of the typo has nothing of it, and registers by the own address as anybody.
    await register(await invite(typo, await makeCustomer(service))).expect(201);
  });

  describe('a thief who knows the password', () => {
    /** Logs in as the owner, whose password it knows. */
    const comeIn = (): Promise<ApiClient> => loggedIn(service, owner.username, PASSWORD);

    /** What lets the thief in without the password. */
    async function addKeys(thief: ApiClient): Promise<ApiClient> {
      const path = pathOf(owner);
      await thief.post(`${path}/sshkeys`, { content: newPublicKey(), description: 'thief' }).expect(201);
      await thief
        .post(`${path}/contacts`, { type: 'email', name: freshName(), preferences: 'System' })
        .expect(201);
      const { body } = await thief.post(`${path}/apikeys`, { name: 'thief', whitelist: [] }).expect(200);
      return new ApiClient(service.url, (body as { apiKey: { hash: string } }).apiKey.hash);
    }

    async function takeName(thief: ApiClient, isVerified = true): Promise<string> {
      const name = freshName();
      await thief
        .patch(pathOf(owner), { username: name, firstName: 'Jan', lastName: 'de Vries' })
        .expect(204);
      const received = await mails();
      if (isVerified) await verify(linkTo(received, name)).expect(204);
      expect(received.filter(({ to }) => to.includes(owner.username)).length).toBeGreaterThan(0);
      return name;
    }

    /** "This was not me" leads to the page where one asks for a new password. */
    async function pressThisWasNotMe(): Promise<void> {
      const [asked] = await recover(owner.username);
      expect(asked?.to).toBe(owner.username);
      await reset(asked?.token).expect(200);
    }

    const left = async (table: string): Promise<number> =>
      (await service.sql(`SELECT 1 FROM ${table} WHERE user_id = $1`, [owner.id])).length;

    async function expectRecovered(key: ApiClient): Promise<void> {
      expect(await stateOf(owner)).toEqual({ username: owner.username, verified: true, former: null });
      await key.get('/whoami').expect(401);
      expect([await left('ssh_keys'), await left('api_keys'), await left('contacts')]).toEqual([0, 0, 0]);
      await loggedIn(service, owner.username, NEW_PASSWORD);
    }

    it('loses the account and all that it added when the owner presses "This was not me" after 70 hours', async () => {
      const thief = await comeIn();
      await takeName(thief);
      const key = await addKeys(thief);
      await letTimePass(service, '70 hours');
      await mails();
      await pressThisWasNotMe();
      await expectRecovered(key);
      await thief.get('/whoami').expect(401);
      // Nothing else is undone: the organisation is told when its audit log should be read.
      const [told] = await service.sql<{ params: { from: string; to: string } }>`
        SELECT params FROM notifications WHERE about_user_id = ${owner.id} AND type = 'account_recovered'`;
      const hours = (Date.parse(told?.params.to ?? '') - Date.parse(told?.params.from ?? '')) / 3_600_000;
      expect(Math.round(hours)).toBe(7 * 24 + 70);
    });

    it('who added all of it a day before the rename loses it too; what was there for eight days stays', async () => {
      await owner.client
        .post(`${pathOf(owner)}/sshkeys`, { content: newPublicKey(), description: 'my laptop' })
        .expect(201);
      await letTimePass(service, '192 hours');
      const thief = await comeIn();
      const key = await addKeys(thief);
      await letTimePass(service, '24 hours');
      await takeName(thief);
      await pressThisWasNotMe();
      await key.get('/whoami').expect(401);
      expect(await service.sql`SELECT description FROM ssh_keys WHERE user_id = ${owner.id}`).toEqual([
        { description: 'my laptop' },
      ]);
      expect(await left('api_keys')).toBe(0);
    });

    it('loses it after 73 hours too, while its name is unverified', async () => {
      const thief = await comeIn();
      await takeName(thief, false);
      const key = await addKeys(thief);
      await letTimePass(service, '73 hours');
      await pressThisWasNotMe();
      await expectRecovered(key);
    });

    it('has the account after 73 hours with a verified name: a manager gives it back, and people look at the rest', async () => {
      const thief = await comeIn();
      const name = await takeName(thief);
      await addKeys(thief);
      await letTimePass(service, '73 hours');
      expect(await recoveredAt(owner.username)).toEqual([]);
      expect(await recoveredAt(name)).toEqual([name]);
      const manages = await clientOf(service, manager.id);
      await rename(manages, owner, owner.username).expect(204);
      await pressThisWasNotMe();
      await thief.get('/whoami').expect(401);
      // Handed over: no name is given back, so the keys stay until somebody deletes them.
      expect(await left('ssh_keys')).toBe(1);
      const { body } = await manages.get(`${pathOf(owner)}/sshkeys`).expect(200);
      expect(JSON.stringify(body)).toContain('thief');
    });

    it('who renames it again and again takes no time from the owner', async () => {
      const thief = await comeIn();
      await takeName(thief);
      await letTimePass(service, '71 hours');
      await takeName(thief);
      await pressThisWasNotMe();
      expect(await stateOf(owner)).toMatchObject({ username: owner.username, verified: true });
    });
  });

  it('an owner who has lost the former mailbox recovers by the new one after 72 hours, or at once by a manager', async () => {
    const name = freshName();
    await rename(owner.client, owner, name).expect(204);
    await verify(linkTo(await mails(), name)).expect(204);
    // Until then the mail goes where nobody reads it.
    expect(await recoveredAt(name)).toEqual([owner.username]);
    await letTimePass(service, '73 hours');
    const [asked] = await recover(name);
    await reset(asked?.token).expect(200);
    expect(await stateOf(owner)).toEqual({ username: name, verified: true, former: null });

    const other = await makeUser(service, { organisationId: customer.organisationId });
    const next = freshName();
    await rename(other.client, other, freshName()).expect(204);
    await rename(await clientOf(service, manager.id), other, next).expect(204);
    expect(await recoveredAt(next)).toEqual([next]);
  });

  it('a colleague leaves, and a manager gives the account to the next one, whom the former one cannot follow', async () => {
    const [link] = await recover(owner.username);
    const next = freshName();
    await rename(manager.client, owner, next).expect(204);
    await mails();
    await reset(link?.token).expect(400);
    expect(await recoveredAt(owner.username)).toEqual([]);
    const [asked] = await recover(next);
    expect(asked?.to).toBe(next);
    await reset(asked?.token).expect(200);
    await owner.client.get('/whoami').expect(401);
    expect(await names.nameForOthers(owner, await neighbour())).toBe(next);
    await anonymous(service).post('/login', { username: next, password: PASSWORD }).expect(401);
  });

  it('a squatter on the address of an invited person loses it to who registers with the token', async () => {
    const address = freshName();
    const squatter = owner;
    await rename(squatter.client, squatter, address).expect(204);
    const elsewhere = await makeCustomer(service);
    const { body } = await register(await invite(address, elsewhere)).expect(201);
    const person = (body as { user: MadeUser }).user;
    expect(await names.nameForOthers(person, await neighbour())).toBe(address);
    expect(await stateOf(squatter)).toEqual({ username: squatter.username, verified: true, former: null });
    await rename(squatter.client, squatter, address).expect(400);
  });

  it('a registration without a token makes an unverified name, which its mailbox alone keeps', async () => {
    const invitation = await invite(freshName(), customer);
    const registered = await anonymous(service)
      .post('/registerInvitation', registrationOf(invitation, PASSWORD))
      .expect(201);
    const guesser = (registered.body as { user: MadeUser }).user;
    expect(await names.nameForOthers(guesser, await neighbour())).toBe('');
    // The real one is invited by somebody else, and takes it.
    const { body } = await register(await invite(invitation.email, await makeCustomer(service))).expect(201);
    expect(await names.nameForOthers((body as { user: MadeUser }).user, await neighbour())).toBe(
      invitation.email,
    );
    expect(await stateOf(guesser)).toMatchObject({ username: `user-${guesser.id}@name.invalid` });
  });

  it('a stranger who asks for resets by either name reaches the former mailbox alone, twenty times an hour', async () => {
    const name = freshName();
    await rename(owner.client, owner, name).expect(204);
    await mails();
    for (let time = 0; time < 22; time++)
      await anonymous(service)
        .post('/resetting/send_email', { username: time % 2 === 0 ? name : owner.username })
        .expect(204);
    await mails();
    const [{ asked } = { asked: -1 }] = await service.sql<{ asked: number }>`
      SELECT count(*)::integer AS asked FROM recovery_requests WHERE user_id = ${owner.id} AND kind = 'reset'`;
    expect(asked).toBe(20);
  });

  it('an API key renames nobody, so it keeps no former name and takes no mailbox', async () => {
    const { body } = await owner.client
      .post(`${pathOf(owner)}/apikeys`, { name: 'program', whitelist: [] })
      .expect(200);
    const key = new ApiClient(service.url, (body as { apiKey: { hash: string } }).apiKey.hash);
    await rename(key, owner, freshName()).expect(403);
    expect(await stateOf(owner)).toEqual({ username: owner.username, verified: true, former: null });
  });
});
