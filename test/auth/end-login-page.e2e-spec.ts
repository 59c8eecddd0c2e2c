import request from 'supertest';
import { useCountryDatabase } from '../support/factories/country-database';
import { CAFE, HOME, makeNoticedLogin, type NoticedLoginOptions } from '../support/factories/noticed-logins';
import { useMailServer } from '../support/faults/smtp';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { auditRows } from '../support/service/audit';
import { asAdmin } from '../support/service/client';
import { headingOf, textOf } from '../support/service/html';
import { type ServiceOptions, useService } from '../support/service/service';
import { moveTestClock } from '../support/service/time';

/** The country database of the tests knows 127.0.0.0/8 alone. */
const BELGIAN = '127.9.8.7';
const HOSTILE = '"><script>alert(1)</script> https://evil.example/1.0';

/** Where the person who follows the link is. */
const READER = '203.0.113.77';

const LANGUAGES = ['nl', 'en', 'fr'] as const;

const mailServer = useMailServer();
const countryDatabase = useCountryDatabase('BE');
const options = (pages: boolean): ServiceOptions => ({
  settings: {
    smtpUrl: mailServer.url,
    trustedProxies: ['127.0.0.1'],
    geoipDb: countryDatabase,
    testClock: true,
    pages,
    publicUrl: 'https://api.example',
  },
});

describe.each(SHARED_VARIANTS)('the page /account/logins/{token} in Variant %s', (variant) => {
  const service = useService(variant, () => options(true));

  const open = (token: string) => request(service.url).get(`/account/end-login/${token}`);
  const send = (token: string) =>
    request(service.url).post(`/account/end-login/${token}`).set('X-Forwarded-For', READER).type('form');
  const noticed = (login: NoticedLoginOptions = {}) => makeNoticedLogin(service, mailServer, login);
  const letPass = (seconds: number): Promise<void> => moveTestClock(service, seconds);

  it.each([
    [
      'nl',
      'Deze aanmelding beëindigen',
      ['Land België', 'Systeem Windows 10', 'Browser Firefox 145.0'],
      'De aanmelding is beëindigd',
      'Deze aanmelding is al beëindigd',
    ],
    [
      'en',
      'End this login',
      ['Country Belgium', 'System Windows 10', 'Browser Firefox 145.0'],
      'The login has been ended',
      'This login has already ended',
    ],
    [
      'fr',
      'Mettre fin à cette connexion',
      ['Pays Belgique', 'Système Windows 10', 'Navigateur Firefox 145.0'],
      'La connexion a pris fin',
      'Cette connexion a déjà pris fin',
    ],
  ])(
    'shows what its mail tells, and ends that login alone, once: %s',
    async (language, title, facts, done, ended) => {
      const { user, home, client, mail, token } = await noticed({ language, address: BELGIAN });
      const form = await open(token).set('Accept-Language', 'de').expect(200);
      expect(headingOf(form)).toBe(title);
      expect(form.text).toContain(`<html lang="${language}">`);
      const shown = textOf(form.text);
      for (const fact of [...facts, user.username, BELGIAN]) expect(shown).toContain(fact);
      const [time = ''] = /\d{1,2}(?:er)? \S+ \d{4} .*(CES?T|UTC\+\d)/.exec(mail.text) ?? [];
      expect(time).not.toBe('');
      expect(shown).toContain(time);
      await client.get('/whoami').expect(200);

      expect(headingOf(await send(token).expect(200))).toBe(done);
      await client.get('/whoami').expect(401);
      for (const going of [home, user.client]) await going.get('/whoami').expect(200);
      for (const answer of [await open(token).expect(400), await send(token).expect(400)]) {
        expect(headingOf(answer)).toBe(ended);
        expect(answer.text).toContain(`<html lang="${language}">`);
        expect(answer.text).not.toMatch(/<form|<dl/);
        expect(answer.text).toContain('<a class="button" href="../../account/password">');
      }
    },
  );

  it('leaves a row in the audit log with the address of the reader', async () => {
    const { user, token } = await noticed();
    await send(token).expect(200);
    const rows = await auditRows(
      service,
      `table_name = 'logins' AND action = 'delete' AND actor_user_id = $1`,
      [user.id],
    );
    expect(rows).toMatchObject([
      { actor_credential_kind: 'login_notice', address: READER, organisation_id: user.organisationId },
    ]);
  });

  it('says that the login has ended in another way', async () => {
    const { client, token } = await noticed({ language: 'fr' });
    await client.post('/logout').expect(204);
    for (const answer of [await open(token).expect(400), await send(token).expect(400)]) {
      expect(headingOf(answer)).toBe('Cette connexion a déjà pris fin');
      expect(answer.text).not.toContain('<form');
    }
  });

  it.each([
    ['nl', 'Deze link is verlopen', 'De aanmelding is niet beëindigd.'],
    ['en', 'This link has expired', 'The login has not been ended.'],
    ['fr', 'Ce lien a expiré', 'La connexion est toujours ouverte.'],
  ])('says after 72 hours that the login goes on: %s', async (language, heading, text) => {
    const { client, token } = await noticed({ language });
    await letPass(72 * 3600 - 60);
    await open(token).expect(200);
    await letPass(120);
    for (const answer of [await open(token).expect(400), await send(token).expect(400)]) {
      expect(headingOf(answer)).toBe(heading);
      expect(textOf(answer.text)).toContain(text);
    }
    await client.get('/whoami').expect(200);
  });

  it.each(LANGUAGES)('leaves out what is not known, as its mail does: %s', async (language) => {
    const { user, mail, token } = await noticed({ language, userAgent: 'x' });
    const [, , facts = ''] = mail.text.split(/\r?\n\r?\n/);
    expect(facts.split('\n').map((line) => line.split(/\s*: /)[0])).toEqual(
      {
        nl: ['Wanneer', 'IP-adres'],
        en: ['When', 'IP address'],
        fr: ['Quand', 'Adresse IP'],
      }[language],
    );
    const { text } = await open(token).expect(200);
    const names = [...text.matchAll(/<dt>([^<]*)<\/dt>/g)].map(([, name]) => name);
    expect(names).toEqual(
      {
        nl: ['Gebruikersnaam', 'Tijdstip', 'IP-adres'],
        en: ['User name', 'Time', 'IP address'],
        fr: ['Nom d’utilisateur', 'Date et heure', 'Adresse IP'],
      }[language],
    );
    const values = [...text.matchAll(/<dd>([^<]*)<\/dd>/g)].map(([, value]) => value);
    expect([values[0], values[2]]).toEqual([user.username, CAFE]);
  });

  it('shows names as texts, and no words of the client', async () => {
    const { user, token, mail } = await noticed({ userAgent: HOSTILE });
    expect(mail.html).not.toMatch(/<script|evil/);
    await service.sql`UPDATE users SET username = ${HOSTILE} WHERE id = ${user.id}`;
    const { text } = await open(token).expect(200);
    expect(text).not.toContain('<script');
    expect(text).toContain('<dd>&quot;&gt;&lt;script&gt;alert(1)');
    expect(text.match(/evil/g)).toHaveLength(1);
    await send(token).expect(200);
  });

  it('is unknown with its user', async () => {
    const { user, token } = await noticed();
    const admin = await asAdmin(service);
    await admin.delete(`/organisations/${user.organisationId}/users/${user.id}`).expect(204);
    expect(headingOf(await open(token).set('Accept-Language', 'en').expect(404))).toBe(
      'This link does not work',
    );
    await send(token).expect(404);
  });
});

describe.each(SHARED_VARIANTS)('a mail about a login in Variant %s with PAGES=off', (variant) => {
  const service = useService(variant, () => options(false));

  it.each([
    [
      'nl',
      'Nieuwe aanmelding bij uw account',
      'Beëindig deze aanmelding dan in het klantenpaneel, in de lijst van uw aanmeldingen, en kies een nieuw wachtwoord.',
    ],
    [
      'en',
      'A new login to your account',
      'end this login in the control panel, in the list of your logins, and choose a new password.',
    ],
    [
      'fr',
      'Nouvelle connexion à votre compte',
      'Mettez fin à cette connexion dans le panneau de contrôle, dans la liste de vos connexions, et choisissez un nouveau mot de passe.',
    ],
  ])('has no link, and says how to end the login, which works: %s', async (language, subject, how) => {
    const { user, home, client, mail } = await makeNoticedLogin(service, mailServer, { language });
    expect(mail.headers.get('subject')).toBe(subject);
    expect(mail.text).toContain(how);
    expect(mail.text).toContain(CAFE);
    for (const part of [mail.text, mail.html]) expect(part).not.toMatch(/https?:|end-login|\b72\b/);
    await request(service.url)
      .get(`/account/end-login/${'f'.repeat(64)}`)
      .expect(404, /"NOT_FOUND"/);

    const path = `/organisations/${user.organisationId}/users/${user.id}/logins`;
    const { body } = await home.get(path).expect(200);
    const logins = (body as { logins: { id: number; ip: string }[] }).logins;
    const there = logins.filter(({ ip }) => ip === CAFE);
    expect(there).toHaveLength(1);
    expect(logins.filter(({ ip }) => ip === HOME)).toHaveLength(1);
    await home.delete(`${path}/${there[0]?.id}`).expect(204);
    await client.get('/whoami').expect(401);
    await home.get('/whoami').expect(200);
  });
});
