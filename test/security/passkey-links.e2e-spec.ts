import { FactorLinkPages, newsAbout, THREE_DAYS } from '../support/factories/factor-links-factories';
import { clientOf, type MadeUser, makeCustomer, PASSWORD } from '../support/factories/factories';
import { makePasskey, passkeyClient, PasskeyPage, passkeysOf } from '../support/factories/passkey-factories';
import { makeContact } from '../support/factories/records';
import { resetPassword } from '../support/factories/recovery-factories';
import {
  Device,
  MovableClock,
  showSecret,
  storedSecondFactor,
} from '../support/factories/two-factor-factories';
import { pathOf } from '../support/factories/users-factories';
import { type ReceivedMail, useMailServer } from '../support/faults/smtp';
import { anonymous, ApiClient } from '../support/service/client';
import { headingOf, textOf } from '../support/service/html';
import { useService } from '../support/service/service';
import { makeOlder, moveTestClock, useOneHour } from '../support/service/time';

useOneHour();

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
      'Une clé d’accès sera supprimée dans trois jours',
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
    expect(mail?.text).toContain('only after 72 hours');
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

  describe('and the most changes of a day', () => {
    const TOO_MANY = { code: 429, reason: 'LIMIT_REACHED' };
    const addedBy = async (user: MadeUser) => {
      const page = new PasskeyPage(service);
      return { page, response: await page.register(user) };
    };

    /** Adds passkeys, each of which counts at once, logs in by it and deletes it with that login. */
    async function addAndDelete(user: MadeUser, times: number): Promise<void> {
      for (let time = 0; time < times; time++) {
        const page = await makePasskey(service, user);
        const thief = await passkeyClient(service, page);
        await thief.delete(`${passkeysOf(user)}/${page.passkey.id}`).expect(204);
      }
    }
    const linksIn = (mails: readonly ReceivedMail[]) =>
      mails.filter(({ text }) => text.includes('/account/second-factor/'));

    it('refuses the twenty-first instead of telling it without a link: a passkey, an authenticator', async () => {
      const { plain: user } = await makeCustomer(service);
      await addAndDelete(user, 20);
      const { response } = await addedBy(user);
      expect({ status: response.status, body: response.body as unknown }).toMatchObject({
        status: 429,
        body: TOO_MANY,
      });
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(23 * 3600);
      const secret = await showSecret(service, user.username);
      const device = new Device(service, user.username);
      const refused = await device.activate({ '6digitCode': clock.code(secret) }).expect(429);
      expect(refused.body).toMatchObject(TOO_MANY);
      expect(await storedSecondFactor(service, user.id)).toMatchObject({ state: 'requested' });
      expect(linksIn(await pages.mailsTo(user))).toHaveLength(20);

      await letPass(24 * 3600 + 60);
      await anonymous(service)
        .post('/activate2fa', {
          username: user.username,
          password: PASSWORD,
          '6digitCode': clock.code(secret),
        })
        .expect(200);
      await pages.send(await pages.tokenTo(user)).expect(200);
      expect(await storedSecondFactor(service, user.id)).toMatchObject({ state: 'disabled' });
    });

    it('refuses the twenty-first deletion by a password, and lets a manager delete', async () => {
      const { plain: user, custadmin } = await makeCustomer(service);
      const { passkey } = await makePasskey(service, user);
      const path = `${passkeysOf(user)}/${passkey.id}`;
      for (let time = 0; time < 19; time++) {
        const waiting = await makePasskey(service, user);
        await user.client.delete(`${passkeysOf(user)}/${waiting.passkey.id}`).expect(204);
      }
      expect((await user.client.delete(path).expect(429)).body).toMatchObject(TOO_MANY);
      expect((await custadmin.client.get(path).expect(200)).body).toMatchObject({ passkey: { dtGone: '' } });
      await custadmin.client.delete(path).expect(204);
    });

    it.each(['a reset', 'a manager'])(
      'begins anew after %s, so that no thief keeps its user from one',
      async (by) => {
        const { plain: user, custadmin } = await makeCustomer(service);
        await addAndDelete(user, 20);
        expect((await addedBy(user)).response.status).toBe(429);
        await user.client.patch(`${pathOf(user)}/enable2fa`).expect(204);
        expect((await addedBy(user)).response.status).toBe(429);
        if (by === 'a reset') await resetPassword(service, user, PASSWORD);
        else await custadmin.client.patch(`${pathOf(user)}/enable2fa`).expect(204);
        expect((await addedBy({ ...user, client: await clientOf(service, user.id) })).response.status).toBe(
          201,
        );
      },
    );

    it('throws no link away that still undoes something, however many come after it', async () => {
      const { plain: user } = await makeCustomer(service);
      const page = await makePasskey(service, user);
      const first = await pages.tokenTo(user);
      // What ended makes room, though it is younger.
      await service.sql`INSERT INTO second_factor_links
          (user_id, change, passkey_id, login_id, token_digest, expires_at, ended_at, is_counted)
        SELECT ${user.id}, 'passkeyAdded', 0, 0, sha256((n || ${user.username})::bytea), now() + interval '1 hour',
          now(), false FROM generate_series(1, 99) n`;
      for (let time = 0; time < 5; time++) {
        const waiting = await makePasskey(service, user);
        await user.client.delete(`${passkeysOf(user)}/${waiting.passkey.id}`).expect(204);
      }
      const [kept] =
        await service.sql`SELECT count(*)::integer AS links FROM second_factor_links WHERE user_id = ${user.id}`;
      expect(kept).toEqual({ links: 100 });
      await pages.send(first).expect(200);
      expect((await page.logIn()).status).toBe(401);
    });
  });

  it('that was deleted stays when the name of its user is restored', async () => {
    const { plain: user } = await makeCustomer(service);
    const page = await makePasskey(service, user);
    await makeOlder(service, 'passkeys', { id: page.passkey.id }, '2 hours');
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
