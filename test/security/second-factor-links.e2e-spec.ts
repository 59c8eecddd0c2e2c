import request from 'supertest';
import {
  activateAsThief,
  FactorLinkPages,
  newsAbout,
  THREE_DAYS,
} from '../support/factories/factor-links-factories';
import { makeCustomer, PASSWORD } from '../support/factories/factories';
import { makeContact } from '../support/factories/records';
import {
  Device,
  makeTwoFactorUser,
  MovableClock,
  storedSecondFactor,
} from '../support/factories/two-factor-factories';
import { pathOf } from '../support/factories/users-factories';
import { useMailServer } from '../support/faults/smtp';
import { placesOf } from '../support/generators/database-search';
import { auditRows } from '../support/service/audit';
import { headingOf, textOf } from '../support/service/html';
import { runJobs } from '../support/service/jobs';
import { startTestService, useService } from '../support/service/service';
import { moveTestClock } from '../support/service/time';

const mailServer = useMailServer();
const service = useService('A', () => ({
  settings: { smtpUrl: mailServer.url, testClock: true, publicUrl: 'https://api.example' },
}));
let clock: MovableClock;
beforeAll(() => {
  clock = new MovableClock(service);
});
const pages = new FactorLinkPages(service, mailServer);
const letPass = (seconds: number): Promise<void> => moveTestClock(service, seconds);
const LANGUAGES = ['nl', 'en', 'fr'] as const;

beforeEach(() => service.sql`DELETE FROM attempts`);

describe('an authenticator that is switched on', () => {
  it.each([
    [
      'nl',
      'Aanmelden in twee stappen is ingeschakeld voor uw account',
      'Aanmelden in twee stappen uitschakelen',
      'Het is ongedaan gemaakt',
      'Dit is al ongedaan gemaakt',
      'Aanmelden in twee stappen ingeschakeld',
    ],
    [
      'en',
      'Two-factor login was switched on for your account',
      'Switch two-factor login off',
      'It has been undone',
      'This has already been undone',
      'Two-factor login switched on',
    ],
    [
      'fr',
      'L’authentification à deux facteurs a été activée pour votre compte',
      'Désactiver l’authentification à deux facteurs',
      'L’opération a été annulée',
      'L’opération a déjà été annulée',
      'Authentification à deux facteurs activée',
    ],
  ] as const)(
    'is told, and its link gives the owner the account back: %s',
    async (language, subject, title, done, ended, told) => {
      const { plain: user, custadmin, organisationId } = await makeCustomer(service);
      await service.sql`UPDATE users SET language = ${language} WHERE organisation_id = ${organisationId}`;
      await makeContact(service, {
        organisationId,
        userId: custadmin.id,
        name: `system.${custadmin.username}`,
      });
      await service.sql`UPDATE contacts SET groups = '{System}' WHERE user_id = ${custadmin.id}`;
      const thief = await activateAsThief(service, clock, user);
      await user.client.get('/whoami').expect(401);
      await new Device(service, user.username).login().expect(401);

      const [mail] = (await pages.mailsTo(user)).filter(({ headers }) => headers.get('subject') === subject);
      expect(mail?.text).toContain('72');
      const toManager = mailServer.mailsTo(`system.${custadmin.username}`);
      expect(toManager.map(({ headers }) => headers.get('subject'))).toEqual([told]);
      for (const part of [toManager[0]?.text, toManager[0]?.html])
        expect(part).not.toContain('second-factor');

      const token = await pages.tokenTo(user);
      for (let time = 0; time < 2; time++) {
        const page = await pages.open(token).expect(200);
        expect(headingOf(page)).toBe(title);
        expect(textOf(page.text)).toContain(user.username);
      }
      await thief.get('/whoami').expect(200);
      expect(headingOf(await pages.send(token).expect(200))).toBe(done);
      await thief.get('/whoami').expect(401);
      expect(await storedSecondFactor(service, user.id)).toEqual({
        state: 'disabled',
        secret: null,
        lastStep: null,
      });
      expect(await service.sql`SELECT 1 FROM trusted_devices WHERE user_id = ${user.id}`).toEqual([]);
      await new Device(service, user.username).login().expect(200);
      for (const answer of [await pages.open(token).expect(400), await pages.send(token).expect(400)]) {
        expect(headingOf(answer)).toBe(ended);
        expect(answer.text).not.toContain('<form');
      }
      expect(await newsAbout(service, user)).toEqual(['User.2fa_enabled', 'User.2fa_disabled']);
      const rows = await auditRows(
        service,
        `actor_credential_kind = 'second_factor_link' AND actor_user_id = $1`,
        [user.id],
      );
      expect(new Set(rows.map(({ table_name }) => table_name))).toEqual(
        new Set(['users', 'logins', 'trusted_devices']),
      );
    },
  );

  it('has its token nowhere but in the mail', async () => {
    const { plain: user } = await makeCustomer(service);
    await activateAsThief(service, clock, user);
    mailServer.mails.length = 0;
    const before = await service.sql<{ row: string }>('SELECT m::text AS row FROM mails m');
    expect(before).not.toEqual([]);
    const token = await pages.tokenTo(user);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(before.map(({ row }) => row).join()).not.toContain(token);
    expect(await placesOf(service, [token])).toEqual([]);
    expect(service.logLines.join()).not.toContain(token);
  });

  it.each(LANGUAGES)('has a link of 72 hours: %s', async (language) => {
    const { plain: user } = await makeCustomer(service);
    await service.sql`UPDATE users SET language = ${language} WHERE id = ${user.id}`;
    await activateAsThief(service, clock, user);
    const token = await pages.tokenTo(user);
    await letPass(THREE_DAYS - 60);
    await pages.open(token).expect(200);
    await letPass(120);
    const expired = { nl: 'Deze link is verlopen', en: 'This link has expired', fr: 'Ce lien a expiré' }[
      language
    ];
    expect(headingOf(await pages.open(token).expect(400))).toBe(expired);
    expect(headingOf(await pages.send(token).expect(400))).toBe(expired);
    expect(await storedSecondFactor(service, user.id)).toMatchObject({ state: 'enabled' });
  });

  it('is another one after it was switched off: the earlier link leaves it alone', async () => {
    const { plain: user, custadmin } = await makeCustomer(service);
    await activateAsThief(service, clock, user);
    const token = await pages.tokenTo(user);
    await custadmin.client.patch(`${pathOf(user)}/disable2fa`).expect(204);
    await pages.send(token).expect(400);
    await activateAsThief(service, clock, user);
    await pages.send(token).expect(400);
    expect(await storedSecondFactor(service, user.id)).toMatchObject({ state: 'enabled' });
    await pages.send(await pages.tokenTo(user)).expect(200);
    expect(await storedSecondFactor(service, user.id)).toMatchObject({ state: 'disabled' });
  });

  it('is undone by the page of a service of Variant B on the same database too, and nothing else is by unknown tokens', async () => {
    const { plain: user } = await makeCustomer(service);
    await activateAsThief(service, clock, user);
    const token = await pages.tokenTo(user);
    await using neighbour = await startTestService('B', {
      database: service.database,
      settings: { publicUrl: 'https://api.example' },
    });
    for (const unknown of ['f'.repeat(64), 'x', `${token}0`]) {
      await request(neighbour.url).get(`/account/second-factor/${unknown}`).expect(404);
      await request(neighbour.url).post(`/account/second-factor/${unknown}`).type('form').expect(404);
    }
    await request(neighbour.url).post(`/account/second-factor/${token}`).type('form').expect(200);
    expect(await storedSecondFactor(service, user.id)).toMatchObject({ state: 'disabled' });
  });

  it('is unknown with its user', async () => {
    const { plain: user, custadmin } = await makeCustomer(service);
    await activateAsThief(service, clock, user);
    const token = await pages.tokenTo(user);
    await custadmin.client.delete(pathOf(user)).expect(204);
    await pages.open(token).expect(404);
    await pages.send(token).expect(404);
  });

  it('is told to the recovery address of a user whose name is no address', async () => {
    const { plain: user, organisationId } = await makeCustomer(service);
    await service.sql`UPDATE users SET username = 'jan' || id WHERE id = ${user.id}`;
    await makeContact(service, { organisationId, userId: user.id, name: `old.${user.username}` });
    await service.sql`UPDATE contacts SET created_at = now() - interval '30 days', groups = '{}' WHERE user_id = ${user.id}`;
    await activateAsThief(service, clock, { ...user, username: `jan${user.id}` });
    await pages.send(await pages.tokenTo({ ...user, username: `old.${user.username}` })).expect(200);
  });

  it('is told with the link at the last proved address alone, while nobody has proved the present one', async () => {
    const { plain: user } = await makeCustomer(service);
    const unproved = `stranger.${user.username}`;
    await user.client
      .patch(pathOf(user), { username: unproved, firstName: 'evil', lastName: 'Bakker' })
      .expect(204);
    await activateAsThief(service, clock, { username: unproved });
    expect(await pages.tokenTo({ username: unproved })).toBe('');
    const told = mailServer
      .mailsTo(unproved)
      .find(({ headers }) => headers.get('subject')?.startsWith('Aanmelden in twee stappen'));
    expect(told?.headers.get('subject')).toBe('Aanmelden in twee stappen ingeschakeld');
    for (const part of [told?.text, told?.html]) expect(part).not.toContain('evil');
    const token = await pages.tokenTo(user);
    expect(headingOf(await pages.send(token).expect(200))).toBe('Het is ongedaan gemaakt');
    expect(await storedSecondFactor(service, user.id)).toMatchObject({ state: 'disabled' });
  });

  it('is told with the link at the recovery address of a login name that a thief has replaced, and so is the password', async () => {
    const { plain: user, organisationId } = await makeCustomer(service);
    const name = `jan${user.id}`;
    await service.sql`UPDATE users SET username = ${name} WHERE id = ${user.id}`;
    const contact = `old.${user.username}`;
    await makeContact(service, { organisationId, userId: user.id, name: contact });
    await service.sql`UPDATE contacts SET created_at = now() - interval '73 hours', groups = '{}' WHERE user_id = ${user.id}`;
    const stolen = `thief.${user.username}`;
    await user.client
      .patch(pathOf(user), { username: stolen, firstName: 'evil', lastName: 'Bakker' })
      .expect(204);
    const thief = await activateAsThief(service, clock, { username: stolen });
    await thief
      .post(`${pathOf(user)}/changepassword`, { oldPassword: PASSWORD, password: 'Nieuw-Wachtw00rd' })
      .expect(200);
    const subjects = (await pages.mailsTo({ username: contact })).map(({ headers }) =>
      headers.get('subject'),
    );
    expect(subjects).toEqual(
      expect.arrayContaining([
        'Aanmelden in twee stappen is ingeschakeld voor uw account',
        'Wachtwoord gewijzigd',
      ]),
    );
    expect(await pages.tokenTo({ username: stolen })).toBe('');
    await pages.send(await pages.tokenTo({ username: contact })).expect(200);
    await thief.get('/whoami').expect(401);
    expect(await storedSecondFactor(service, user.id)).toMatchObject({ state: 'disabled' });
  });

  it('is told with the link at a name that a manager gave and nobody has proved: it is the only address', async () => {
    const { plain: user, custadmin } = await makeCustomer(service);
    const given = `given.${user.username}`;
    await custadmin.client
      .patch(pathOf(user), { username: given, firstName: 'evil', lastName: 'Bakker' })
      .expect(204);
    const thief = await activateAsThief(service, clock, { username: given });
    const token = await pages.tokenTo({ username: given });
    expect(await pages.tokenTo(user)).toBe('');
    const mail = mailServer.mailsTo(given).find(({ text }) => text.includes('/account/second-factor/'));
    for (const part of [mail?.text, mail?.html]) expect(part).not.toContain('evil');
    await pages.send(token).expect(200);
    await thief.get('/whoami').expect(401);
    expect(await storedSecondFactor(service, user.id)).toMatchObject({ state: 'disabled' });
  });

  it('is told without a link where there are no pages', async () => {
    await using bare = await startTestService('A', { settings: { smtpUrl: mailServer.url, pages: false } });
    const { plain: user } = await makeCustomer(bare);
    await makeTwoFactorUser(bare, new MovableClock(bare), {
      organisationId: user.organisationId,
      username: 'bare@example.com',
    });
    await runJobs(bare);
    const [mail] = mailServer.mailsTo('bare@example.com');
    expect(mail?.headers.get('subject')).toBe('Aanmelden in twee stappen ingeschakeld');
    for (const part of [mail?.text, mail?.html]) expect(part).not.toContain('/account/');
  });
});
