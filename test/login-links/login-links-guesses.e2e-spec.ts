import { type MadeUser, makeCustomer, PASSWORD } from '../support/factories/factories';
import { makeLink, makeLinkKey, useLink } from '../support/factories/login-links-factories';
import { Device, giveSecondFactor, MovableClock } from '../support/factories/two-factor-factories';
import { notificationsAbout } from '../support/factories/user-notifications';
import { useMailServer } from '../support/faults/smtp';
import { anonymous, type ApiClient } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { type TestService, useService } from '../support/service/service';
import { endWaits, makeOlder, useOneHour } from '../support/service/time';

useOneHour();

const WRONG = 'Wrong-Passw0rd';
const SETTINGS = { trustedProxies: ['127.0.0.1'] };

const from = (address: string) => ({ 'X-Forwarded-For': address });

const logIn = (service: TestService, { username }: MadeUser, address: string, fields: object = {}) =>
  anonymous(service)
    .post('/login', { username, password: PASSWORD, ...fields })
    .set(from(address));

describe('POST /login/link: wrong codes at links', () => {
  const service = useService('A', { settings: SETTINGS });
  let clock: MovableClock;
  beforeAll(() => {
    clock = new MovableClock(service);
  });

  async function makeProtected() {
    const { plain } = await makeCustomer(service);
    const secret = await giveSecondFactor(service, plain.id);
    const { client: key } = await makeLinkKey(service);
    const link = async () => (await makeLink(key, plain)).token;
    /** Five for each link. */
    const guess = async (times: number, address: string) => {
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

  it('are those of a stranger, from every network, and lock no login from a known one', async () => {
    const { plain, secret, link, guess } = await makeProtected();
    const right = () => ({ '6digitCode': clock.code(secret) });
    await logIn(service, plain, '198.51.100.1', right()).expect(200);
    clock.moveSteps(2);
    await guess(5, '198.51.100.1');
    await guess(4, '192.0.2.1');
    // The tenth comes from a stranger with the password.
    await logIn(service, plain, '203.0.113.1', { '6digitCode': clock.wrongCode(secret) }).expect(401);
    await useLink(service, await link(), right())
      .set(from('198.51.100.1'))
      .expect(429);
    await logIn(service, plain, '203.0.113.1', right()).expect(429);
    await logIn(service, plain, '198.51.100.1', right()).expect(200);
  });

  it('are told to nobody, as they say nothing of the password', async () => {
    const { plain, secret, guess } = await makeProtected();
    const told = async () =>
      (await notificationsAbout(service, plain)).filter((type) => /codes_guessed/.test(type));
    await guess(10, '192.0.2.1');
    expect(await told()).toEqual([]);
    await endWaits(service);
    const device = new Device(service, plain.username);
    for (let time = 0; time < 9; time++)
      await device.login({ '6digitCode': clock.wrongCode(secret) }).expect(401);
    expect(await told()).toEqual([]);
    await device.login({ '6digitCode': clock.wrongCode(secret) }).expect(401);
    expect(await told()).toEqual(['User.codes_guessed']);
  });
});

describe('POST /login/link: logins by links from other networks', () => {
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
