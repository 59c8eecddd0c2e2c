import type { Server } from 'node:http';
import request, { type Response } from 'supertest';
import { readSettings } from '@app/config/env';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import { makeDocument, makeLink, PDF, XML } from '../support/factories/documents-factories';
import {
  type Customer,
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import {
  type InvitationOptions,
  type MadeInvitation,
  makeInvitation,
} from '../support/factories/invitations-factories';
import { makeNoticedLogin } from '../support/factories/noticed-logins';
import { makeFormerNameToken, makeResetToken } from '../support/factories/page-factories';
import { makeContact } from '../support/factories/records';
import { startProxyAt, urlOf } from '../support/faults/proxy';
import { useMailServer } from '../support/faults/smtp';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { anonymous, asAdmin, loggedIn } from '../support/service/client';
import { headingOf, textOf } from '../support/service/html';
import { runJobs } from '../support/service/jobs';
import { startTestService, type TestService, useService } from '../support/service/service';
import { letExpire } from '../support/service/time';

const NEW_PASSWORD = 'Nieuw-Wachtw00rd';
const UNKNOWN = 'f'.repeat(64);

const PAGES = ['invitation', 'password', 'end-login'] as const;

const titleOf = ({ text }: Response): string => textOf(/<title>([^]*?)<\/title>/.exec(text)?.[1]);
/** What stands at a field as its fault, by the id that the field is described by. */
const faultsAt = ({ text }: Response, field: string): string[] => {
  const [tag = ''] = new RegExp(`<input\\s+id="${field}"[^>]*>`).exec(text) ?? [];
  const isDescribed = new RegExp(`aria-invalid="true" aria-describedby="[^"]*\\b${field}-error"`).test(tag);
  const [, error = ''] = new RegExp(`id="${field}-error">([^]*?)</div>`).exec(text) ?? [];
  return isDescribed ? [...error.matchAll(/<p>([^]*?)<\/p>/g)].map(([, fault]) => textOf(fault)) : [];
};

/** The line above a form with faults. */
const summaryOf = ({ text }: Response): string => textOf(/class="summary"[^>]*>([^]*?)<\/p>/.exec(text)?.[1]);

const mailServer = useMailServer();
const mailTo = (address: string) => mailServer.mailsTo(address).at(-1);

/**
 * A password that breaks one rule of its variant, with what stands at the field in Dutch, English and French.
 */
const WRONG_PASSWORD: PerVariant<readonly [password: string, ...texts: string[]]> = {
  A: [
    'Ab1-xyz',
    'Het wachtwoord is te kort: gebruik minstens 8 tekens.',
    'The password is too short: use at least 8 characters.',
    'Le mot de passe est trop court : utilisez au moins 8 caractères.',
  ],
  B: [
    'Passwor1',
    'Het wachtwoord is te kort: gebruik minstens 9 tekens.',
    'The password is too short: use at least 9 characters.',
    'Le mot de passe est trop court : utilisez au moins 9 caractères.',
  ],
};

/** Files that a document page of each variant leads to. */
const DOWNLOADS: PerVariant<readonly string[]> = { A: ['pdf', 'xml'], B: ['pdf'] };

describe.each(VARIANTS)('the pages /account/… of Variant %s', (variant) => {
  const service = useService(variant, () => ({
    settings: { smtpUrl: mailServer.url, trustedProxies: ['127.0.0.1'] },
  }));
  let customer: Customer;
  beforeEach(async () => {
    customer = await makeCustomer(service, { name: 'Bakkerij Smit' });
  });

  const open = (path: string, language?: string) => {
    const page = request(service.url).get(`/account/${path}`);
    return language === undefined ? page : page.set('Accept-Language', language);
  };
  const send = (path: string, fields: object | string) =>
    request(service.url).post(`/account/${path}`).type('form').send(fields);
  const both = (password: string, repeated = password) => ({ password, repeated });
  const invite = (options: Partial<InvitationOptions> = {}): Promise<MadeInvitation> =>
    makeInvitation(service, {
      organisationId: customer.organisationId,
      inviterId: customer.custadmin.id,
      ...options,
    });
  const usersNamed = (username: string) =>
    service.sql`SELECT id FROM users WHERE username = ${username} AND deleted_at IS NULL`;

  describe('GET and POST /account/invitation/{token}', () => {
    it.each([
      ['nl', 'Uitnodiging voor Bakkerij Smit', 'Account aanmaken', 'Uw account is klaar'],
      ['en', 'Invitation to Bakkerij Smit', 'Create account', 'Your account is ready'],
      ['fr', 'Invitation à rejoindre Bakkerij Smit', 'Créer le compte', 'Votre compte est prêt'],
    ])('make the account in the language of the invitation: %s', async (language, heading, button, done) => {
      const { token, email } = await invite({ language, firstName: 'Anna', lastName: 'Smit' });
      const form = await open(`invitation/${token}`, 'de').expect(200);
      expect(form.headers['content-type']).toBe('text/html; charset=utf-8');
      expect([titleOf(form), headingOf(form)]).toEqual([heading, heading]);
      expect(form.text).toContain(`<html lang="${language}">`);
      for (const shown of ['Anna Smit', email, button])
        expect(textOf(form.text) + form.text).toContain(shown);
      const answer = await send(`invitation/${token}`, both(PASSWORD)).expect(200);
      expect(headingOf(answer)).toBe(done);
      expect(answer.text).toContain(email);
      expect(answer.headers['set-cookie']).toBeUndefined();
      await loggedIn(service, email, PASSWORD);
    });

    it.each([
      [400, 'accepted', { state: 'accepted' }, 'Deze uitnodiging is al gebruikt'],
      [400, 'expired', { validFor: '-1 hour' }, 'Deze uitnodiging is verlopen'],
      [404, 'withdrawn', { state: 'deleted' }, 'Deze link werkt niet'],
    ] as const)('are %i where the invitation is %s', async (status, _, options, heading) => {
      const { token } = await invite(options);
      for (const answer of [
        await open(`invitation/${token}`),
        await send(`invitation/${token}`, both('x')),
      ]) {
        expect({ status: answer.status, heading: headingOf(answer) }).toEqual({ status, heading });
        // An unknown link belongs to no organisation.
        expect(textOf(answer.text).includes('Bakkerij Smit')).toBe(status === 400);
      }
    });

    it.each([
      ['nl', 'U hebt al een account'],
      ['en', 'You already have an account'],
      ['fr', 'Vous avez déjà un compte'],
    ])('are 400 without a form where somebody has the address by now: %s', async (language, heading) => {
      const { token, email } = await invite({ language });
      await makeUser(service, { organisationId: customer.organisationId, username: email.toUpperCase() });
      for (const answer of [
        await open(`invitation/${token}`).expect(400),
        await send(`invitation/${token}`, both(PASSWORD)).expect(400),
        await send(`invitation/${token}`, both('x')).expect(400),
      ]) {
        expect(headingOf(answer)).toBe(heading);
        expect(textOf(answer.text)).toContain(email);
        expect(answer.text).not.toContain('<form');
      }
    });

    it('take no other address, organisation or invitation from the form', async () => {
      const { token, email } = await invite();
      const other = await invite();
      const fields = { email: 'thief@example.com', organisationId: 1, inviationId: other.id };
      await send(`invitation/${token}`, { ...fields, ...both(PASSWORD) }).expect(200);
      expect(await usersNamed(email)).toHaveLength(1);
      expect(await usersNamed('thief@example.com')).toEqual([]);
      await open(`invitation/${other.token}`).expect(200);
    });

    it('show names as texts, whatever they hold', async () => {
      const evil = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;`;
      const organisationId = await makeOrganisation(service, { name: evil });
      const names = { firstName: evil, lastName: '`${7*7}`' };
      const { token } = await invite({ organisationId, inviterId: 1, ...names });
      for (const answer of [
        await open(`invitation/${token}`).expect(200),
        await send(`invitation/${token}`, both('x')).expect(400),
      ]) {
        expect(answer.text).not.toMatch(/<script|<img|onerror='/i);
        expect(answer.text).toContain('&quot;&gt;&lt;script&gt;alert(1)');
        expect(answer.text).toContain('&amp;amp;');
      }
    });
  });

  describe('GET and POST /account/password/{token}', () => {
    it('set the password, end the logins, and work once', async () => {
      const { plain } = customer;
      const token = await makeResetToken(service, plain.id);
      const form = await open(`password/${token}`).expect(200);
      expect(headingOf(form)).toBe('Uw wachtwoord opnieuw instellen');
      expect(form.text).toMatch(new RegExp(`value="${plain.username}"\\s+autocomplete="username"`));
      // rule pages 16
      expect(
        form.text.match(/autocomplete="new-password"\s+passwordrules="minlength: [89]; [^"]*"/g),
      ).toHaveLength(2);
      const answer = await send(`password/${token}`, both(NEW_PASSWORD)).expect(200);
      expect(headingOf(answer)).toBe('Uw wachtwoord is gewijzigd');
      await plain.client.get('/whoami').expect(401);
      await loggedIn(service, plain.username, NEW_PASSWORD);
      const again = await send(`password/${token}`, both(PASSWORD)).expect(400);
      expect(headingOf(again)).toBe('Deze link is niet meer geldig');
      await loggedIn(service, plain.username, NEW_PASSWORD);
    });

    it('show the former name where the link gives it back, and say what else it does', async () => {
      const { plain } = customer;
      const former = `former${nextNumber()}@example.com`;
      await service.sql`UPDATE users SET language = 'en' WHERE id = ${plain.id}`;
      const token = await makeFormerNameToken(service, plain.id, former);
      const form = await open(`password/${token}`).expect(200);
      expect(form.text).toMatch(new RegExp(`value="${former}"\\s+autocomplete="username"`));
      expect(textOf(form.text)).toContain(`Your user name becomes ${former} again.`);
      expect(textOf(form.text)).toContain('The API keys, contacts, SSH keys and second factors');
      const answer = await send(`password/${token}`, both(NEW_PASSWORD)).expect(200);
      expect(headingOf(answer)).toBe('Your password has been changed');
      expect(answer.text).toContain(former);
      await loggedIn(service, former, NEW_PASSWORD);
    });

    it('are 400 where the link has expired or its user is disabled', async () => {
      const expired = await makeResetToken(service, customer.plain.id, { validFor: '-1 second' });
      const disabled = await makeResetToken(service, customer.custadmin.id);
      await service.sql`UPDATE users SET enabled = false WHERE id = ${customer.custadmin.id}`;
      for (const token of [expired, disabled]) {
        expect(headingOf(await open(`password/${token}`, 'en-GB').expect(400))).toBe(
          'This link is no longer valid',
        );
        await send(`password/${token}`, both(NEW_PASSWORD)).expect(400);
      }
    });

    it('are 400 for the present password, which POST /resetting/{token} takes', async () => {
      const token = await makeResetToken(service, customer.plain.id);
      const refused = await send(`password/${token}`, both(PASSWORD)).expect(400);
      expect(textOf(refused.text)).toContain('Dit is het wachtwoord dat u al hebt.');
      await anonymous(service).post(`/resetting/${token}`, { password: PASSWORD }).expect(200);
      const other = await makeResetToken(service, customer.plain.id);
      await send(`password/${other}`, both(NEW_PASSWORD)).expect(200);
    });

    it('write who acted into the audit log as POST /resetting/{token} does', async () => {
      const token = await makeResetToken(service, customer.plain.id);
      await send(`password/${token}`, both(NEW_PASSWORD)).expect(200);
      const rows = await service.sql<{ actor: object }>(
        `SELECT DISTINCT actor_user_id AS "userId", actor_credential_kind AS kind FROM audit_log
         WHERE table_name = 'users' AND record_id = $1 AND action = 'update'`,
        [customer.plain.id],
      );
      expect(rows).toEqual([{ userId: customer.plain.id, kind: 'reset_token' }]);
    });
  });

  describe('POST /account/invitation/{token} and /account/password/{token} after a fault', () => {
    it.each([
      ['nl', 1, 'Fout:'],
      ['en', 2, 'Error:'],
      ['fr', 3, 'Erreur :'],
    ])('are 400 and say at the field what is wrong: %s', async (language, index, prefix) => {
      const wrong = WRONG_PASSWORD[variant];
      const { token, email } = await invite({ language });
      await service.sql`UPDATE users SET language = ${language} WHERE id = ${customer.plain.id}`;
      const reset = await makeResetToken(service, customer.plain.id);
      for (const path of [`invitation/${token}`, `password/${reset}`]) {
        const answer = await send(path, both(wrong[0])).expect(400);
        expect(faultsAt(answer, 'password')).toEqual([wrong[index]]);
        expect(titleOf(answer)).toBe(`${prefix} ${headingOf(answer)}`);
        // One line above says how many there are, and leads to the field. The fault itself stands once.
        expect(summaryOf(answer)).toMatch(/\b1 (fout|error|erreur)\b/);
        expect(answer.text).toContain('<a href="#password">');
        expect(textOf(answer.text).split(wrong[index] ?? '')).toHaveLength(2);
        expect(answer.text).not.toContain(wrong[0]);
      }
      expect(await usersNamed(email)).toEqual([]);
      await loggedIn(service, customer.plain.username, PASSWORD);
    });

    it('name every rule that a password breaks', async () => {
      const { token } = await invite({ language: 'en' });
      const answer = await send(`invitation/${token}`, both('a b')).expect(400);
      // Too short, with a blank, and without a digit; and without a special character or a capital letter.
      expect(faultsAt(answer, 'password')).toHaveLength(4);
      expect(summaryOf(answer)).toBe('There are 4 errors');
      expect(faultsAt(answer, 'repeated')).toEqual([]);
    });

    it('want the same password twice, and say so at the second field', async () => {
      const { token, email } = await invite({ language: 'en' });
      for (const fields of [both(PASSWORD, NEW_PASSWORD), { password: PASSWORD }]) {
        const answer = await send(`invitation/${token}`, fields).expect(400);
        expect(faultsAt(answer, 'repeated')).toEqual(['The two passwords differ.']);
        expect(answer.text).not.toContain(PASSWORD);
      }
      expect(await usersNamed(email)).toEqual([]);
      await send(`invitation/${token}`, both(PASSWORD)).expect(200);
    });

    it('are 400 for bytes that are no UTF-8, and 415 for another charset', async () => {
      const { token, email } = await invite();
      for (const bytes of ['%FF', '%ED%A0%80', '%E9'])
        await send(`invitation/${token}`, `password=${PASSWORD}${bytes}&repeated=${PASSWORD}${bytes}`).expect(
          400,
        );
      await send(`invitation/${token}`, both(PASSWORD))
        .set('Content-Type', 'application/x-www-form-urlencoded; charset=iso-8859-1')
        .expect(415);
      expect(await usersNamed(email)).toEqual([]);
      const password = `${PASSWORD}é%`;
      await send(`invitation/${token}`, both(password)).expect(200);
      await loggedIn(service, email, password);
    });

    it('are 400 for a list, an object or a wrong field in the place of a password', async () => {
      const { token, email } = await invite();
      for (const body of [
        'password=Passw0rd-1&password=Passw0rd-1&repeated=Passw0rd-1',
        'password[a]=Passw0rd-1&repeated[a]=Passw0rd-1',
        'passwords=Passw0rd-1',
        '',
      ]) {
        const answer = await request(service.url)
          .post(`/account/invitation/${token}`)
          .type('form')
          .send(body)
          .expect(400);
        expect(faultsAt(answer, 'password')).toHaveLength(1);
      }
      expect(await usersNamed(email)).toEqual([]);
    });
  });

  describe('GET /account/documents/{id}/{contactId}/{hash}', () => {
    it('shows the name and links to the files of /downloadpdf and /downloadxml', async () => {
      const id = await makeDocument(service, customer.organisationId, { name: 'Factuur <2026> & meer' });
      const contactId = await makeContact(service, { organisationId: customer.organisationId });
      const hash = await makeLink(service, id, contactId);
      const path = `documents/${id}/${contactId}/${hash}`;
      for (const spelling of [path, `${path}/`, `/${path}`]) {
        const page = await open(spelling).set('Accept', 'text/html').expect(200);
        expect(page.text).toContain('<h1>Factuur &lt;2026&gt; &amp; meer</h1>');
        const hrefs = [...page.text.matchAll(/class="button" href="([^"]+)"/g)].map(([, href = '']) =>
          new URL(href, `${service.url}/account/${spelling}`).toString(),
        );
        expect(hrefs).toEqual(
          DOWNLOADS[variant].map((kind) => `${service.url}/v1/download${kind}/${id}/${contactId}/${hash}`),
        );
        const files = await Promise.all(hrefs.map((href) => request(href).get('').expect(200)));
        expect(files.map(({ headers }) => headers['content-type'])).toEqual(
          DOWNLOADS[variant].map((kind) => `application/${kind}`),
        );
        expect(files.map(({ headers }) => Number(headers['content-length']))).toEqual(
          [PDF, XML].slice(0, hrefs.length).map(({ length }) => length),
        );
      }
      await open(`documents/${id}/${contactId}/${UNKNOWN}`).expect(404);
      await open(`documents/${id}/0/${hash}`).expect(404);
      await letExpire(service, 'document_links', { contact_id: contactId });
      expect(headingOf(await open(path, 'fr').expect(404))).toBe('Ce lien ne fonctionne pas');
    });
  });

  // What follows is one code in all variants.
  if (!SHARED_VARIANTS.includes(variant)) return;

  it('change nothing by GET and HEAD, ten times by a scanner of mails and then by the person', async () => {
    const invitation = await invite();
    const links = {
      [`invitation/${invitation.token}`]: both(PASSWORD),
      [`password/${await makeResetToken(service, customer.plain.id)}`]: both(NEW_PASSWORD),
      [`end-login/${(await makeNoticedLogin(service, mailServer)).token}`]: {},
    };
    for (const [path, fields] of Object.entries(links)) {
      for (let time = 0; time < 5; time++) {
        await open(path).expect(200);
        const head = await request(service.url).head(`/account/${path}`).expect(200);
        expect(head.text ?? '').toBe('');
      }
      await send(path, fields).expect(200);
    }
    // Neither links nor what is typed gets into the log.
    const logged = service.logLines.join('');
    for (const path of Object.keys(links)) expect(logged).not.toContain(path.split('/')[1]);
    for (const password of [PASSWORD, NEW_PASSWORD]) expect(logged).not.toContain(password);
  });

  it('are 404 in the language of Accept-Language where the link is unknown, else in Dutch', async () => {
    const headings = [
      [undefined, 'nl', 'Deze link werkt niet'],
      ['de-DE,de;q=0.9', 'nl', 'Deze link werkt niet'],
      ['en-GB,en;q=0.9,nl;q=0.8', 'en', 'This link does not work'],
      ['fr-BE, nl;q=0.5', 'fr', 'Ce lien ne fonctionne pas'],
    ] as const;
    for (const page of PAGES) {
      for (const [index, token] of [UNKNOWN, 'cut-off', '%00', '..%2f..%2fv1'].entries()) {
        const [accepted, language, heading] = headings[index] ?? headings[0];
        for (const answer of [
          await open(`${page}/${token}`, accepted).expect(404),
          await send(`${page}/${token}`, both(PASSWORD))
            .set('Accept-Language', accepted ?? '')
            .expect(404),
        ]) {
          expect(answer.text).toContain(`<html lang="${language}">`);
          expect(headingOf(answer)).toBe(heading);
        }
      }
    }
  });

  it.each([
    '',
    'invitation',
    'end-login/',
    'documents/1',
    'documents/1/2',
    'x',
    'x/y/z',
    'w/x/y/z',
    'v/w/x/y/z',
    'invitation/a/b/c/d/e/f/g',
  ])('are 404 as a page where the link is cut off or mistyped: /account/%s', async (path) => {
    const answer = await open(path, 'en').expect(404);
    expect(headingOf(await send(path, {}).set('Accept-Language', 'en').expect(404))).toBe(
      'This link does not work',
    );
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headingOf(answer)).toBe('This link does not work');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    const [, stylesheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(answer.text) ?? [];
    const { pathname, search } = new URL(stylesheet, `${service.url}/account/${path}`);
    await request(service.url)
      .get(pathname + search)
      .expect('Content-Type', /text\/css/);
  });

  it('have Content-Security-Policy, Referrer-Policy and Cache-Control that keep links and content to themselves', async () => {
    const { token } = await invite();
    for (const answer of [
      await open(`invitation/${token}`).expect(200),
      await send(`invitation/${token}`, both('x')).expect(400),
      await open(`password/${UNKNOWN}`).expect(404),
    ]) {
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.text).not.toMatch(/<script|<style| style=| on\w+=|https?:\/\//i);
    }
  });

  it('have one stylesheet, /account/pages.css, that browsers keep', async () => {
    const { token } = await invite();
    const { text } = await open(`invitation/${token}`);
    const [, href = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
    const address = new URL(href, `${service.url}/account/invitation/${token}`);
    expect(address.pathname).toBe('/account/pages.css');
    const { headers, text: css } = await request(address.origin)
      .get(address.pathname + address.search)
      .expect(200);
    expect(headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    });
    expect(css).toContain('prefers-color-scheme: dark');
    expect(css).not.toMatch(/url\(|@import/);
  });

  it('are 415 for a body that is no form, and 413 for a large one', async () => {
    const { token, email } = await invite({ language: 'en' });
    const post = () => request(service.url).post(`/account/invitation/${token}`).set('Accept-Language', 'en');
    const refused = [
      await post().send(both(PASSWORD)).expect(415),
      await post().type('text/plain').send(`password=${PASSWORD}&repeated=${PASSWORD}`).expect(415),
      await post().field('password', PASSWORD).field('repeated', PASSWORD).expect(415),
      await post()
        .type('form')
        .send(`password=${'x'.repeat(110_000)}`)
        .expect(413),
      await post()
        .type('form')
        .send(Array.from({ length: 2000 }, (_, index) => `a${index}=1`).join('&')),
    ];
    for (const answer of refused) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(headingOf(answer)).toBe('The form could not be read');
    }
    expect(await usersNamed(email)).toEqual([]);
  });

  it('GET /.well-known/change-password is 302 to /account/password', async () => {
    for (const path of ['/.well-known/change-password', '//.WELL-KNOWN/change-password/']) {
      const { headers } = await request(service.url).get(path).expect(302);
      expect(headers['location']).toBe('/account/password');
      expect(headers['cache-control']).toBe('no-store');
    }
    await request(service.url).head('/.well-known/change-password').expect(302);
    await request(service.url).post('/.well-known/change-password').expect(405);
  });

  it('are 405 for PUT, PATCH and DELETE', async () => {
    for (const method of ['put', 'patch', 'delete'] as const) {
      const answer = await request(service.url)[method](`/account/password/${UNKNOWN}`).expect(405);
      expect(answer.headers['allow']).toBe('GET, HEAD, POST');
    }
    await request(service.url).get(`/v1/account/password/${UNKNOWN}`).expect(404);
  });
});

describe.each(VARIANTS)('the links of mails in Variant %s', (variant) => {
  const base = '/panel/account-api';
  let service: TestService;
  let proxy: Server;
  beforeAll(async () => {
    proxy = await startProxyAt(base, () => service.url);
  });
  afterAll(() => new Promise((closed) => proxy.close(closed)));
  afterEach(() => service.stop());

  /** Starts the service with the links of the settings, and makes a person whose mails have them. */
  async function serve(env: Record<string, string>) {
    const links = readSettings({ API_VARIANT: variant, PUBLIC_URL: `${urlOf(proxy)}${base}`, ...env });
    const { publicUrl, pages, resetUrlTemplate, invitationUrlTemplate, linksToDocumentPages } = links;
    service = await startTestService(variant, {
      settings: {
        publicUrl,
        pages,
        resetUrlTemplate,
        invitationUrlTemplate,
        linksToDocumentPages,
        smtpUrl: mailServer.url,
      },
    });
    return { publicUrl, ...(await makeCustomer(service)) };
  }

  /** The links of the newest mail to an address. */
  async function mailed(address: string): Promise<string[]> {
    await runJobs(service);
    return (mailTo(address)?.text ?? '').match(/https?:\/\/\S+/g) ?? [];
  }
  async function invitation(organisationId: number): Promise<{ email: string; links: string[] }> {
    const email = `guest${nextNumber()}@example.com`;
    const body = { email, firstName: 'Anna', lastName: 'Smit', language: 'en' };
    const admin = await asAdmin(service);
    await admin.post(`/organisations/${organisationId}/invitations`, body).expect(201);
    return { email, links: await mailed(email) };
  }
  async function recovery({ username }: MadeUser): Promise<string[]> {
    await anonymous(service).post('/resetting/send_email', { username }).expect(204);
    return mailed(username);
  }
  async function renaming({ client, organisationId, id, username }: MadeUser): Promise<string[]> {
    const names = { username: `new${nextNumber()}@example.com`, firstName: 'Jan', lastName: 'de Vries' };
    await client.patch(`/organisations/${organisationId}/users/${id}`, names).expect(204);
    return mailed(username);
  }
  async function documentLinks(organisationId: number): Promise<string[]> {
    const name = `books${nextNumber()}@example.com`;
    await makeContact(service, { organisationId, name, groups: ['Finance'] });
    const id = await makeDocument(service, organisationId);
    const admin = await asAdmin(service);
    await admin.post(`/organisations/${organisationId}/documents/${id}/send`).expect(200);
    return mailed(name);
  }
  /**
   * What a browser does: opens the page, loads what it names, fills the form in and sends it
   * to the page's own address.
   */
  async function complete(link: string | undefined, password: string): Promise<string> {
    const page = await fetch(link ?? '');
    const text = await page.text();
    expect(page.status).toBe(200);
    const [, stylesheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
    expect((await fetch(new URL(stylesheet, link))).headers.get('content-type')).toContain('text/css');
    expect(text).toMatch(/<form method="post"(?![^>]*action)/);
    const sent = await fetch(link ?? '', {
      method: 'POST',
      body: new URLSearchParams({ password, repeated: password }),
      // A page of another site may send the form as well: nothing but the token gives it a right.
      headers: { origin: 'null', 'sec-fetch-site': 'cross-site' },
    });
    expect(sent.status).toBe(200);
    return sent.text();
  }

  it('lead to /account/… beneath PUBLIC_URL, which works behind a proxy that adds a path', async () => {
    const { publicUrl, organisationId, plain } = await serve({});
    const { email, links } = await invitation(organisationId);
    expect(links).toEqual([
      expect.stringMatching(new RegExp(`^${publicUrl}/account/invitation/[0-9a-f]{64}$`)),
    ]);
    expect(await complete(links[0], PASSWORD)).toContain('Your account is ready');
    await loggedIn(service, email, PASSWORD);

    const reset = await recovery(plain);
    expect(reset).toEqual([
      expect.stringMatching(new RegExp(`^${publicUrl}/account/password/[0-9a-f]{64}$`)),
    ]);
    expect(await complete(reset[0], NEW_PASSWORD)).toContain('Uw wachtwoord is gewijzigd');
    const client = await loggedIn(service, plain.username, NEW_PASSWORD);

    // "This was not me" leads to where one asks for a new password.
    expect(await renaming({ ...plain, client })).toEqual([`${publicUrl}/account/password`]);

    const documents = await documentLinks(organisationId);
    expect(documents).toEqual([
      expect.stringMatching(new RegExp(`^${publicUrl}/account/documents/\\d+/\\d+/[0-9a-f]{64}$`)),
    ]);
    const page = await (
      await fetch(documents[0] ?? '', { headers: { accept: 'text/html,*/*;q=0.8' } })
    ).text();
    const files = [...page.matchAll(/class="button" href="([^"]+)"/g)].map(([, href = '']) =>
      new URL(href, documents[0]).toString(),
    );
    expect(files.map((href) => href.slice(0, `${publicUrl}/v1/download`.length + 3))).toEqual(
      DOWNLOADS[variant].map((kind) => `${publicUrl}/v1/download${kind}`),
    );
    for (const href of files) expect((await fetch(href)).status).toBe(200);

    // Where password managers look (rule pages 7).
    const wellKnown = `${publicUrl}/.well-known/change-password`;
    const answer = await fetch(wellKnown, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${base}/account/password`]);
    const followed = await fetch(wellKnown);
    expect([followed.status, followed.url]).toEqual([200, `${publicUrl}/account/password`]);
    for (const path of ['/.well-known/nothing', '/v1/.well-known/change-password'])
      expect((await fetch(`${publicUrl}${path}`)).status).toBe(404);
  });

  it('are those of a panel with PAGES=off, and /account/… is 404', async () => {
    const { publicUrl, organisationId, plain } = await serve({ PAGES: 'off' });
    const { links } = await invitation(organisationId);
    expect(links).toEqual([
      expect.stringMatching(
        new RegExp(`^http://localhost:3000/register/${organisationId}/\\d+/[0-9a-f]{64}$`),
      ),
    ]);
    const [reset] = await recovery(plain);
    expect(reset).toMatch(/^http:\/\/localhost:3000\/reset\/[0-9a-f]{64}$/);
    const documents = await documentLinks(organisationId);
    expect(documents.map((link) => link.slice(0, `${publicUrl}/v1/download`.length + 3))).toEqual(
      DOWNLOADS[variant].map((kind) => `${publicUrl}/v1/download${kind}`),
    );
    const token = reset?.split('/').at(-1) ?? '';
    for (const path of [...PAGES.map((page) => `${page}/${token}`), 'pages.css', 'documents/1/1/a', 'x']) {
      const { body } = await request(service.url).get(`/account/${path}`).expect(404);
      expect(body).toMatchObject({ code: 404, reason: 'NOT_FOUND' });
      await request(service.url).post(`/account/${path}`).expect(404);
    }
    await request(service.url).get('/.well-known/change-password').expect(404);
    await anonymous(service).post(`/resetting/${token}`, { password: NEW_PASSWORD }).expect(200);
  });

  it('lead where RESET_URL_TEMPLATE and INVITATION_URL_TEMPLATE say, and to the files of documents', async () => {
    const { publicUrl, organisationId, plain } = await serve({
      RESET_URL_TEMPLATE: 'https://panel.example/reset/{token}',
      INVITATION_URL_TEMPLATE: 'https://panel.example/register/{token}',
    });
    const { links } = await invitation(organisationId);
    expect(links).toEqual([expect.stringMatching(/^https:\/\/panel\.example\/register\/[0-9a-f]{64}$/)]);
    expect(await recovery(plain)).toEqual([
      expect.stringMatching(/^https:\/\/panel\.example\/reset\/[0-9a-f]{64}$/),
    ]);
    const documents = await documentLinks(organisationId);
    expect(documents).toHaveLength(DOWNLOADS[variant].length);
    for (const link of documents) expect(link).toContain(`${publicUrl}/v1/download`);
    const token = links[0]?.split('/').at(-1) ?? '';
    await request(service.url).get(`/account/invitation/${token}`).expect(200);
  });
});
