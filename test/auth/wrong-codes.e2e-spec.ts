import { type MadeUser, makeCustomer, makeUser, PASSWORD } from '../support/factories/factories';
import { passkeysOf } from '../support/factories/passkey-factories';
import {
  Device,
  makeTwoFactorUser,
  MovableClock,
  showSecret,
} from '../support/factories/two-factor-factories';
import { notificationsAbout } from '../support/factories/user-notifications';
import { useMailServer } from '../support/faults/smtp';
import { anonymous } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';
import { endWaits, useOneHour } from '../support/service/time';

useOneHour();

const mailServer = useMailServer();
const service = useService('A', () => ({
  settings: { smtpUrl: mailServer.url, testClock: true, publicUrl: 'https://api.example' },
}));
let clock: MovableClock;
beforeAll(() => {
  clock = new MovableClock(service);
});

beforeEach(() => service.sql`DELETE FROM attempts`);

describe('POST /login: ten wrong codes after the right password in a day', () => {
  const guess = async (user: MadeUser & { secret: string }, times: number): Promise<void> => {
    const device = new Device(service, user.username);
    for (let time = 0; time < times; time++) {
      await device.login({ '6digitCode': clock.wrongCode(user.secret) }).expect(401);
      if (time % 5 === 4) await endWaits(service);
    }
  };
  const guessed = async (user: MadeUser): Promise<number> =>
    (await notificationsAbout(service, user)).filter((type) => type === 'User.codes_guessed').length;

  it.each([
    ['nl', 'Iemand kent het wachtwoord: vandaag tien verkeerde codes na het juiste wachtwoord'],
    ['en', 'Somebody knows the password: ten wrong codes today after the right password'],
    ['fr', 'Quelqu’un connaît le mot de passe : dix codes erronés aujourd’hui après le bon mot de passe'],
  ])('are told once that day, whatever right ones come between: %s', async (language, subject) => {
    const user = await makeTwoFactorUser(service, clock, {
      organisationId: (await makeCustomer(service)).organisationId,
    });
    await service.sql`UPDATE users SET language = ${language} WHERE id = ${user.id}`;
    const device = new Device(service, user.username);
    for (let time = 0; time < 3; time++) await device.login().expect(401);
    await guess(user, 9);
    await device.login({ '6digitCode': clock.code(user.secret) }).expect(200);
    clock.moveSteps(2);
    expect(await guessed(user)).toBe(0);
    await guess(user, 1);
    expect(await guessed(user)).toBe(1);
    await guess(user, 15);
    expect(await guessed(user)).toBe(1);
    await runJobs(service);
    const subjects = mailServer.mailsTo(user.username).map(({ headers }) => headers.get('subject'));
    expect(subjects).toContain(subject);
    await service.sql`UPDATE attempts SET resets_at = now()`;
    await guess(user, 10);
    expect(await guessed(user)).toBe(2);
  });

  it('are counted together at a login, a set-up, a softlogin and a proof; those past the limit are no guesses', async () => {
    const { organisationId } = await makeCustomer(service);
    const user = await makeTwoFactorUser(service, clock, { organisationId });
    const wrong = { '6digitCode': clock.wrongCode(user.secret) };
    await guess(user, 3);
    const options = `${passkeysOf(user)}/options`;
    for (let time = 0; time < 3; time++)
      await user.client.post(options, { password: PASSWORD, ...wrong }).expect(401);
    await anonymous(service).post('/resetting/send_email', { username: user.username }).expect(204);
    await runJobs(service);
    const mailed = mailServer.mailsTo(user.username).at(-1)?.text ?? '';
    const [confirmationCode] = /\b\d{8}\b/.exec(mailed) ?? [];
    for (let time = 0; time < 3; time++) {
      await anonymous(service)
        .post('/softlogin', { username: user.username, confirmationCode, ...wrong })
        .expect(401);
    }
    expect(await guessed(user)).toBe(0);
    await new Device(service, user.username).login({ '6digitCode': 'zzzzz-zzzzz' }).expect(401);
    expect(await guessed(user)).toBe(1);
    // The link of the recovery mail still works: the news ends nothing.
    await anonymous(service)
      .post('/softlogin', {
        username: user.username,
        confirmationCode,
        '6digitCode': clock.code(user.secret),
      })
      .expect(200);

    const beginner = await makeUser(service, { organisationId });
    const secret = await showSecret(service, beginner.username);
    const device = new Device(service, beginner.username);
    for (let time = 0; time < 10; time++)
      await device.activate({ '6digitCode': clock.wrongCode(secret) }).expect(401);
    for (let time = 0; time < 5; time++)
      await device.activate({ '6digitCode': clock.wrongCode(secret) }).expect(429);
    expect(await guessed(beginner)).toBe(1);
  });
});
