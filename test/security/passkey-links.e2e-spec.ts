import { FactorLinkPages, newsAbout, THREE_DAYS } from '../support/factories/factor-links-factories';
import { makeCustomer } from '../support/factories/factories';
import { makePasskey, passkeysOf } from '../support/factories/passkey-factories';
import { makeContact } from '../support/factories/records';
import { passkeyClient } from '../support/factories/second-factor-factories';
import { Device } from '../support/factories/two-factor-factories';
import { useMailServer } from '../support/faults/smtp';
import { anonymous, ApiClient, asAdmin } from '../support/service/client';
import { headingOf, textOf } from '../support/service/html';
import { useService } from '../support/service/service';

const mailServer = useMailServer();
const service = useService('A', () => ({
  settings: { smtpUrl: mailServer.url, testClock: true, publicUrl: 'https://api.example' },
}));
const pages = new FactorLinkPages(service, mailServer);
const letPass = async (seconds: number): Promise<void> => {
  await (await asAdmin(service)).post('/testClock', { seconds }).expect(204);
};

beforeEach(() => service.sql`DELETE FROM attempts`);

describe('a passkey', () => {
  it.each([
    ['nl', 'Er is een passkey toegevoegd aan uw account', 'Deze passkey verwijderen'],
    ['en', 'A passkey was added to your account', 'Remove this passkey'],
    ['fr', 'Une clé d’accès a été ajoutée à votre compte', 'Supprimer cette clé d’accès'],
  ] as const)(
    'that is added is told, and its link takes it off with the logins since and the one that added it: %s',
    async (language, subject, title) => {
      const { plain: user, custadmin } = await makeCustomer(service);
      await service.sql`UPDATE users SET language = ${language} WHERE id = ${user.id}`;
      const before = await new Device(service, user.username).login().expect(200);
      const earlier = new ApiClient(service.url, (before.body as { hash: string }).hash);
      const page = await makePasskey(service, user);
      const thief = await passkeyClient(service, page);
      expect((await pages.mailsTo(user)).map(({ headers }) => headers.get('subject'))).toEqual([subject]);
      const token = await pages.tokenTo(user);
      const shown = await pages.open(token).expect(200);
      expect(headingOf(shown)).toBe(title);
      expect(textOf(shown.text)).toContain('Phone');
      await pages.send(token).expect(200);
      expect((await page.logIn()).status).toBe(401);
      await thief.get('/whoami').expect(401);
      await user.client.get('/whoami').expect(401);
      await earlier.get('/whoami').expect(200);
      await custadmin.client.get('/whoami').expect(200);
      await pages.send(token).expect(400);
      expect(await newsAbout(service, user)).toEqual(['Passkey.new', 'Passkey.removed']);
    },
  );

  it.each([
    [
      'nl',
      'Een passkey van uw account wordt verwijderd',
      'Deze passkey behouden',
      'Passkey wordt over drie dagen verwijderd',
    ],
    [
      'en',
      'A passkey of your account will be removed',
      'Keep this passkey',
      'Passkey will be removed in three days',
    ],
    [
      'fr',
      'Une clé d’accès de votre compte va être supprimée',
      'Conserver cette clé d’accès',
      'Clé d’accès supprimée dans trois jours',
    ],
  ] as const)(
    'that a password deletes is told, and its link keeps it: %s',
    async (language, subject, title, told) => {
      const { plain: user, custadmin, organisationId } = await makeCustomer(service);
      await service.sql`UPDATE users SET language = ${language} WHERE organisation_id = ${organisationId}`;
      await makeContact(service, { organisationId, userId: custadmin.id, name: `sys.${custadmin.username}` });
      await service.sql`UPDATE contacts SET groups = '{System}' WHERE user_id = ${custadmin.id}`;
      const page = await makePasskey(service, user);
      const { body } = await new Device(service, user.username).login().expect(200);
      const thief = new ApiClient(service.url, (body as { hash: string }).hash);
      await thief.delete(`${passkeysOf(user)}/${page.passkey.id}`).expect(204);
      const mails = await pages.mailsTo(user);
      expect(mails.map(({ headers }) => headers.get('subject'))).toContain(subject);
      const [, contactMail] = mailServer.mailsTo(`sys.${custadmin.username}`);
      expect(contactMail?.headers.get('subject')).toBe(told);
      expect(contactMail?.text).toMatch(/20\d\d/);
      const token = await pages.tokenTo(user);
      expect(headingOf(await pages.open(token).expect(200))).toBe(title);
      await pages.send(token).expect(200);
      await thief.get('/whoami').expect(401);
      await pages.send(token).expect(400);
      await letPass(THREE_DAYS + 60);
      expect((await page.logIn()).status).toBe(200);
      expect(await newsAbout(service, user)).toEqual([
        'Passkey.new',
        'Passkey.removal_begun',
        'Passkey.removal_undone',
      ]);
    },
  );

  it('that waits says so in its mail, and counts after three days', async () => {
    const { plain: user } = await makeCustomer(service);
    await service.sql`UPDATE users SET language = 'en' WHERE id = ${user.id}`;
    await makePasskey(service, user);
    const second = await makePasskey(service, user);
    const [, mail] = await pages.mailsTo(user);
    expect(mail?.text).toContain('only in 72 hours');
    const [row] = await service.sql<{ params: object }>`
      SELECT params FROM notifications WHERE about_user_id = ${user.id} ORDER BY id DESC LIMIT 1`;
    expect(row?.params).toEqual({
      countsFrom: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/) as string,
    });
    await service.sql`UPDATE organisations SET required_2fa = true WHERE id = ${user.organisationId}`;
    expect((await second.logIn()).status).toBe(401);
    await letPass(THREE_DAYS + 60);
    expect((await second.logIn()).status).toBe(200);
  });

  it('is mailed with a link twenty times a day, and told without one beyond that', async () => {
    const { plain: user } = await makeCustomer(service);
    for (let round = 0; round < 22; round++) {
      const { passkey } = await makePasskey(service, user);
      await service.sql`DELETE FROM passkeys WHERE id = ${passkey.id}`;
    }
    const mails = await pages.mailsTo(user);
    expect(mails).toHaveLength(22);
    expect(mails.filter(({ text }) => text.includes('/account/second-factor/'))).toHaveLength(20);
  });

  it('that was deleted stays when the name of its user is restored', async () => {
    const { plain: user } = await makeCustomer(service);
    const page = await makePasskey(service, user);
    await service.sql`UPDATE passkeys SET created_at = now() - interval '2 hours' WHERE id = ${page.passkey.id}`;
    await user.client.delete(`${passkeysOf(user)}/${page.passkey.id}`).expect(204);
    const token = 'ef'.repeat(32);
    await service.sql`INSERT INTO name_restorations (user_id, former_name, token_digest, renamed_at, expires_at)
      VALUES (${user.id}, ${`former.${user.username}`}, sha256(${token}::bytea), now() - interval '1 hour',
        now() + interval '1 hour')`;
    await anonymous(service).post(`/resetting/${token}`, { password: 'Nieuw-Wachtw00rd' }).expect(200);
    await letPass(THREE_DAYS + 60);
    expect((await page.logIn()).status).toBe(200);
  });
});
