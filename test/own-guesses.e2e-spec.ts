import { anonymous } from './support/client';
import { makeOrganisation, makeUser, PASSWORD, type MadeUser } from './support/factories';
import { runJobs } from './support/jobs';
import { startTestService, type TestService } from './support/service';
import { startMailServer, type TestMailServer } from './support/smtp';
import { Device, makeTwoFactorUser, MovableClock } from './support/two-factor-factories';
import { pathOf } from './support/users-factories';
import { VARIANTS } from './support/variants';

/** decisions.md sections 5 and 11: guesses of strangers, and those that a user keeps where it is known. */
const FROM_EVERYWHERE = 100;
const OF_ITS_OWN = 10;
const TRIES_OF_A_CODE = 5;

const HOME = '192.0.2.9';
const STRANGERS = '203.0.113.5';

describe.each(VARIANTS)('while strangers use up all guesses at a name, in Variant %s', (variant) => {
  let service: TestService;
  let user: MadeUser;
  beforeAll(async () => {
    service = await startTestService(variant, {
      settings: { trustedProxies: ['127.0.0.1'], stepUp: true },
    });
    user = await makeUser(service, { organisationId: await makeOrganisation(service) });
    for (let network = 0; network < FROM_EVERYWHERE; network++) await logIn('x', `10.2.${network}.1`);
    await logIn(PASSWORD, STRANGERS).expect(429);
  });
  afterAll(() => service.stop());

  const logIn = (password: string, address: string) =>
    anonymous(service).post('/login', { username: user.username, password }).set('X-Forwarded-For', address);
  const change = (oldPassword: string, password: string) =>
    user.client
      .post(`${pathOf(user)}/changepassword`, { oldPassword, password })
      .set('X-Forwarded-For', STRANGERS);

  it('the user proves itself where it is logged in', async () => {
    const renamed = { username: `renamed.${user.username}`, firstName: 'Jan', lastName: 'de Vries' };
    const patch = (password: string) =>
      user.client.patch(pathOf(user), { ...renamed, password }).set('X-Forwarded-For', HOME);
    await patch('wrong').expect(401);
    await patch(PASSWORD).expect(204);
    await user.client.patch(pathOf(user), { ...renamed, username: user.username, password: PASSWORD });
  });

  it('the user changes its password, with ten guesses of its own', async () => {
    await change(PASSWORD, 'Passw0rd-2').expect(200);
    for (let guess = 0; guess < OF_ITS_OWN; guess++) await change('wrong', 'Passw0rd-3').expect(400);
    const { headers } = await change('Passw0rd-2', 'Passw0rd-3').expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(800);
  });
});

describe('codes, while strangers guess', () => {
  let service: TestService;
  let mailServer: TestMailServer;
  let clock: MovableClock;
  beforeAll(async () => {
    mailServer = await startMailServer();
    service = await startTestService('A', {
      settings: { trustedProxies: ['127.0.0.1'], smtpUrl: mailServer.url },
    });
    clock = new MovableClock(service);
  });
  afterAll(async () => {
    await service.stop();
    await mailServer.stop();
  });

  const newUser = async () => makeUser(service, { organisationId: await makeOrganisation(service) });

  it('of an authenticator leave ten to a network that the user is known by', async () => {
    const organisationId = await makeOrganisation(service);
    const user = await makeTwoFactorUser(service, clock, { organisationId });
    const device = new Device(service, user.username);
    const logIn = (code: string, address: string) =>
      device.login({ '6digitCode': code }).set('X-Forwarded-For', address);
    await logIn(clock.code(user.secret), HOME).expect(200);
    clock.moveSteps(2);
    const wrong = clock.wrongCode(user.secret);
    for (let guess = 0; guess < OF_ITS_OWN; guess++) await logIn(wrong, `10.3.${guess}.1`).expect(401);
    // Strangers share ten, from wherever they come.
    await logIn(clock.code(user.secret), STRANGERS).expect(429);
    await logIn(clock.code(user.secret), HOME).expect(200);
    clock.moveSteps(2);
    for (let guess = 0; guess < OF_ITS_OWN; guess++) await logIn(wrong, '192.0.2.77').expect(401);
    await logIn(clock.code(user.secret), HOME).expect(429);
  });

  const CODE = /(?<![\da-f])\d{8}(?![\da-f])/;
  async function mailedCode(username: string): Promise<string> {
    await anonymous(service).post('/resetting/send_email', { username }).expect(204);
    await runJobs(service);
    return CODE.exec(mailServer.mails.findLast(({ to }) => to.includes(username))?.text ?? '')?.[0] ?? '';
  }
  const softLogin = (username: string, confirmationCode: string, address: string) =>
    anonymous(service).post('/softlogin', { username, confirmationCode }).set('X-Forwarded-For', address);
  const logInFromHome = ({ username }: MadeUser) =>
    anonymous(service)
      .post('/login', { username, password: PASSWORD })
      .set('X-Forwarded-For', HOME)
      .expect(200);

  it('of recovery mails leave the name to a network that the user is known by, with ten guesses', async () => {
    const user = await newUser();
    await logInFromHome(user);
    for (let network = 0; network < FROM_EVERYWHERE; network++)
      await softLogin(user.username, 'x', `10.4.${network}.1`).expect(401);
    const code = await mailedCode(user.username);
    await softLogin(user.username, code, STRANGERS).expect(429);
    await softLogin(user.username, code, HOME).expect(200);
    for (let guess = 0; guess < OF_ITS_OWN; guess++) await softLogin(user.username, 'x', HOME).expect(401);
    await softLogin(user.username, 'x', HOME).expect(429);
  });

  it('of recovery mails leave the tries of a code to a network that the user is known by', async () => {
    const user = await newUser();
    await logInFromHome(user);
    const code = await mailedCode(user.username);
    for (let guess = 0; guess < TRIES_OF_A_CODE; guess++)
      await softLogin(user.username, 'x', STRANGERS).expect(401);
    await softLogin(user.username, code, STRANGERS).expect(401);
    await softLogin(user.username, code, HOME).expect(200);
  });
});
