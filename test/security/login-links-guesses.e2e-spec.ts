import { VARIANTS } from '../../qa/variants';
import { type MadeUser, makeCustomer, nextNumber, PASSWORD } from '../support/factories/factories';
import { linkedClient, makeLink, makeLinkKey, useLink } from '../support/factories/login-links-factories';
import { passkeysOf } from '../support/factories/passkey-factories';
import { Device, giveSecondFactor, MovableClock } from '../support/factories/two-factor-factories';
import { newsAbout } from '../support/factories/user-news';
import { pathOf } from '../support/factories/users-factories';
import { useMailServer } from '../support/faults/smtp';
import { anonymous, ApiClient } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { type TestService, useService } from '../support/service/service';
import { describeSharedService } from '../support/service/shared-services';
import { endWaits, makeOlder, useOneHour } from '../support/service/time';

useOneHour();

const WRONG = 'Wrong-Passw0rd';
const SETTINGS = { trustedProxies: ['127.0.0.1'] };

const from = (address: string) => ({ 'X-Forwarded-For': address });

const change = (client: ApiClient, user: MadeUser, oldPassword: string, password = 'Nieuw-Wachtw00rd') =>
  client.post(`${pathOf(user)}/changepassword`, { oldPassword, password });

/** Asks for the proof in both variants. */
const rename = (client: ApiClient, user: MadeUser, password: string) => {
  const username = `renamed${nextNumber()}@a.example`;
  return client.patch(pathOf(user), { firstName: 'Jan', lastName: 'de Vries', username, password });
};

/** Asks for the proof in Variant A. */
const prove = (client: ApiClient, user: MadeUser, proof: object) =>
  client.post(`${passkeysOf(user)}/options`, proof);

const logIn = (service: TestService, { username }: MadeUser, address: string, fields: object = {}) =>
  anonymous(service)
    .post('/login', { username, password: PASSWORD, ...fields })
    .set(from(address));

describeSharedService(VARIANTS, 'wrong passwords at logins by links in Variant %s', (service) => {
  it('are ten in 15 minutes for a user, whatever login and key, and lock no other login', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const [billing, shop] = [await makeLinkKey(service), await makeLinkKey(service)];
    for (let guess = 0; guess < 10; guess++) {
      const key = guess % 2 === 0 ? billing : shop;
      await change(await linkedClient(service, key.client, plain), plain, WRONG).expect(400);
    }
    const next = await linkedClient(service, billing.client, plain);
    const refused = await change(next, plain, PASSWORD).expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await rename(next, plain, PASSWORD).expect(429);
    // Another user has a count of its own, and so have the other logins of this one.
    await change(await linkedClient(service, billing.client, custadmin), custadmin, WRONG).expect(400);
    await anonymous(service).post('/login', { username: plain.username, password: PASSWORD }).expect(200);
    await change(plain.client, plain, PASSWORD).expect(200);
  });

  it('are counted together at proofs and changes, and a right one begins anew', async () => {
    const { plain } = await makeCustomer(service);
    const { client: key } = await makeLinkKey(service);
    const guess = async (times: number) => {
      for (let time = 0; time < times; time++)
        await rename(await linkedClient(service, key, plain), plain, WRONG).expect(401);
    };
    await guess(9);
    await change(await linkedClient(service, key, plain), plain, PASSWORD, PASSWORD).expect(200);
    await guess(9);
    await change(await linkedClient(service, key, plain), plain, WRONG).expect(400);
    await rename(await linkedClient(service, key, plain), plain, PASSWORD).expect(429);
  });
});

describe('wrong codes at links', () => {
  const mailServer = useMailServer();
  const service = useService('A', () => ({ settings: { ...SETTINGS, smtpUrl: mailServer.url } }));
  let clock: MovableClock;
  beforeAll(() => {
    clock = new MovableClock(service);
  });

  async function makeProtected() {
    const { plain } = await makeCustomer(service);
    const secret = await giveSecondFactor(service, plain.id);
    const { client: key } = await makeLinkKey(service, { name: 'http://billing.example' });
    const link = async () => (await makeLink(key, plain)).token;
    /** Five for each link. */
    const guess = async (times: number, address = '127.0.0.1') => {
      let token = '';
      for (let time = 0; time < times; time++) {
        if (time % 5 === 0) token = await link();
        await useLink(service, token, { '6digitCode': clock.wrongCode(secret) })
          .set(from(address))
          .expect(401);
      }
    };
    return { plain, secret, link, guess };
  }

  it('lock the links of the user, from every network, and no login by the password', async () => {
    const { plain, secret, link, guess } = await makeProtected();
    await guess(5, '198.51.100.1');
    await guess(5, '192.0.2.1');
    const code = { '6digitCode': clock.code(secret) };
    await useLink(service, await link(), code)
      .set(from('203.0.113.1'))
      .expect(429);
    await useLink(service, await link(), code).expect(429);
    await logIn(service, plain, '198.51.100.1', code).expect(200);
  });

  it('are counted together with those of proofs at logins by links', async () => {
    const { plain, secret, link, guess } = await makeProtected();
    const right = () => ({ '6digitCode': clock.code(secret) });
    const { body } = await useLink(service, await link(), right()).expect(200);
    clock.moveSteps(2);
    const client = new ApiClient(service.url, (body as { hash: string }).hash);
    const wrong = { password: PASSWORD, '6digitCode': clock.wrongCode(secret) };
    for (let time = 0; time < 5; time++) await prove(client, plain, wrong).expect(401);
    await guess(5);
    await prove(client, plain, { password: PASSWORD, ...right() }).expect(429);
    await useLink(service, await link(), right()).expect(429);
    await new Device(service, plain.username).login(right()).expect(200);
  });

  it.each([
    ['nl', 'Tien verkeerde codes vandaag bij aanmeldlinks', '“http: //billing.example”', 'leverancier'],
    ['en', 'Ten wrong codes today at login links', '“http: //billing.example”', 'provider'],
    [
      'fr',
      'Dix codes erronés aujourd’hui avec des liens de connexion',
      '« http: //billing.example »',
      'fournisseur',
    ],
  ])('are told once a day, by the link and its key: %s', async (language, subject, name, provider) => {
    const { plain, guess, secret } = await makeProtected();
    await service.sql`UPDATE users SET language = ${language} WHERE id = ${plain.id}`;
    const told = async () => (await newsAbout(service, plain)).filter((type) => /codes_guessed/.test(type));
    await guess(9);
    expect(await told()).toEqual([]);
    await guess(1);
    expect(await told()).toEqual(['User.link_codes_guessed']);
    await endWaits(service);
    await guess(10);
    expect(await told()).toEqual(['User.link_codes_guessed']);
    await runJobs(service);
    const [mail] = mailServer
      .mailsTo(plain.username)
      .filter(({ headers }) => headers.get('subject') === subject);
    const text = mail?.text.replaceAll('\u00a0', ' ');
    expect(text).toContain(name);
    expect(text).toContain(provider);
    // Those after the password are counted apart.
    await endWaits(service);
    const device = new Device(service, plain.username);
    for (let time = 0; time < 9; time++)
      await device.login({ '6digitCode': clock.wrongCode(secret) }).expect(401);
    expect(await told()).toEqual(['User.link_codes_guessed']);
    await device.login({ '6digitCode': clock.wrongCode(secret) }).expect(401);
    expect(await told()).toEqual(['User.link_codes_guessed', 'User.codes_guessed']);
  });
});

describe('logins by links from other networks', () => {
  const mailServer = useMailServer();
  const service = useService('A', () => ({
    settings: { trustedProxies: ['127.0.0.1'], smtpUrl: mailServer.url },
  }));
  const HOME = '192.0.2.1';

  const useFrom = async (key: ApiClient, user: MadeUser, address: string) =>
    useLink(service, (await makeLink(key, user)).token)
      .set(from(address))
      .expect(200);

  it('push out no known network, and make none known', async () => {
    const { plain } = await makeCustomer(service);
    const { client: key } = await makeLinkKey(service);
    await logIn(service, plain, HOME).expect(200);
    for (let network = 0; network < 21; network++) await useFrom(key, plain, `10.1.${network}.1`);
    // All guesses of strangers of 15 minutes, some of them from where a link was used.
    const guesses = Array.from(
      { length: 10 },
      (_, network) => `10.${network === 0 ? 1 : 2}.${network + 11}.1`,
    );
    for (const address of guesses)
      for (let time = 0; time < 10; time++)
        await logIn(service, plain, address, { password: WRONG }).expect(401);
    await logIn(service, plain, '10.1.12.1').expect(429);
    await logIn(service, plain, HOME).expect(200);
  });

  it('are told once for each network, as other logins are', async () => {
    const { plain } = await makeCustomer(service);
    const { client: key } = await makeLinkKey(service);
    const told = async () => {
      await runJobs(service);
      return mailServer.mailsTo(plain.username).filter(({ text }) => text.includes('Via een link van: '))
        .length;
    };
    for (let time = 0; time < 2; time++) await useFrom(key, plain, HOME);
    expect(await told()).toBe(0);
    for (let time = 0; time < 2; time++) await useFrom(key, plain, '10.1.1.1');
    expect(await told()).toBe(1);
    const days = (count: number) =>
      Promise.all([
        makeOlder(service, 'known_networks', { user_id: plain.id }, `${count} days`, ['last_login_at']),
        makeOlder(service, 'login_notices', { user_id: plain.id }, `${count} days`, ['logged_in_at']),
      ]);
    // Use keeps a network from being new, as it does for other logins.
    for (let time = 0; time < 3; time++) {
      await days(15);
      await useFrom(key, plain, '10.1.1.1');
    }
    await logIn(service, plain, '10.1.1.1').expect(200);
    expect(await told()).toBe(1);
    await days(31);
    await useFrom(key, plain, '10.1.1.1');
    expect(await told()).toBe(2);
  });
});
