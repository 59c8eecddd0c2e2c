import { makeOrganisation, makeUser, PASSWORD } from '../support/factories/factories';
import {
  Device,
  makeTwoFactorUser,
  MovableClock,
  showSecret,
} from '../support/factories/two-factor-factories';
import { anonymous, loggedIn } from '../support/service/client';
import { useServices } from '../support/service/service';

/** Both variants at once on one database: the older one is no way around the second factor. */
const [serviceA, serviceB] = useServices(['A', 'B']);
let clock: MovableClock;
beforeAll(() => {
  clock = new MovableClock(serviceA, serviceB);
});
let organisationId: number;
beforeAll(async () => {
  organisationId = await makeOrganisation(serviceA);
});

it('POST /login refuses a user with two-factor login, whatever it presents', async () => {
  const user = await makeTwoFactorUser(serviceA, clock, { organisationId });
  const deviceA = new Device(serviceA, user.username);
  const trusted = await deviceA
    .login({ '6digitCode': clock.code(user.secret), trustThisDevice: true })
    .expect(200);
  clock.moveSteps(2);
  const deviceB = new Device(serviceB, user.username);
  const { hash2fa } = trusted.body as { hash2fa: string };
  for (const fields of [{}, { '6digitCode': clock.code(user.secret) }, { '2faToken': hash2fa }]) {
    const response = await deviceB.login(fields).expect(401);
    expect(response.body).toMatchObject({ code: 401, message: '2FA is required' });
  }
  const wrong = await deviceB.login({ password: 'wrong' }).expect(401);
  expect(wrong.body).toMatchObject({ message: 'Bad credentials' });
});

it('POST /login refuses a user whose set-up is started', async () => {
  const user = await makeUser(serviceA, { organisationId });
  await showSecret(serviceA, user.username);
  const response = await new Device(serviceB, user.username).login().expect(401);
  expect(response.body).toMatchObject({ code: 401, message: '2FA is requested' });
});

it('POST /login refuses a user whose organisation requires two-factor login', async () => {
  const required = await makeOrganisation(serviceA, { required2fa: true });
  const user = await makeUser(serviceA, { organisationId: required });
  const response = await new Device(serviceB, user.username).login().expect(401);
  expect(response.body).toMatchObject({ code: 401, message: '2FA is required' });
});

it('POST /login takes the login hash that Variant A gave, and lets everybody else in', async () => {
  const user = await makeTwoFactorUser(serviceA, clock, { organisationId });
  await anonymous(serviceB).get('/whoami').expect(401);
  const hash = user.client.hash as string;
  await anonymous(serviceB).get('/whoami').set('Authorization', hash).expect(200);
  const plain = await makeUser(serviceA, { organisationId });
  await loggedIn(serviceB, plain.username, PASSWORD);
});
