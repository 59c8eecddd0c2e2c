import request, { type Response } from 'supertest';
import { VARIANTS } from '../../qa/variants';
import { makeDocument, makeLink, PDF, XML } from '../support/factories/documents-factories';
import { type Customer, makeCustomer, makeUser, nextNumber, PASSWORD } from '../support/factories/factories';
import { type InvitationOptions, makeInvitation } from '../support/factories/invitations-factories';
import { makeNoticedLogin } from '../support/factories/noticed-logins';
import { makeFormerNameToken, makeResetToken } from '../support/factories/page-factories';
import { makeContact } from '../support/factories/records';
import { useMailServer } from '../support/faults/smtp';
import { anonymous, asAdmin } from '../support/service/client';
import { headingOf, textOf } from '../support/service/html';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';
import { makeOlder } from '../support/service/time';

const COMPANY = 'Hoster & <b>Zonen</b>';
const PANEL = 'https://panel.example/login?a=1&b=2';
const SUPPORT = 'https://help.example/contact';

const NEW_PASSWORD = 'Nieuw-Wachtw00rd';
const both = (password: string) => ({ password, repeated: password });

const mailServer = useMailServer();

/** The buttons of a page: their texts, and where they lead from the page's own address. */
const buttonsOf = ({ text, request: { url } }: Response & { request: { url: string } }) =>
  [...text.matchAll(/<a class="button" href="([^"]+)">([^<]*)</g)].map(([, href = '', label]) => [
    label,
    new URL(href.replaceAll('&amp;', '&').replaceAll('&#x3D;', '='), url).href,
  ]);

describe.each(VARIANTS)(
  'with COMPANY_NAME, PANEL_URL and SUPPORT_URL the pages /account/… of Variant %s',
  (variant) => {
    const service = useService(variant, () => ({
      settings: {
        smtpUrl: mailServer.url,
        trustedProxies: ['127.0.0.1'],
        companyName: COMPANY,
        mailFromName: COMPANY,
        panelUrl: PANEL,
        supportUrl: SUPPORT,
        timeZone: 'Asia/Tokyo',
      },
    }));
    let customer: Customer;
    beforeEach(async () => {
      customer = await makeCustomer(service, { name: 'Bakkerij Smit' });
    });
    const logIn = ['Log in', PANEL];
    const newPassword = () => ['Choose a new password', `${service.url}/account/password`];
    const newLink = () => ['Get a new link', `${service.url}/account/password`];

    const open = (path: string) =>
      request(service.url).get(`/account/${path}`).set('Accept-Language', 'en').set('Accept', 'text/html');
    const send = (path: string, fields: object) =>
      request(service.url).post(`/account/${path}`).set('Accept-Language', 'en').type('form').send(fields);
    const invite = (options: Partial<InvitationOptions> = {}) =>
      makeInvitation(service, {
        organisationId: customer.organisationId,
        inviterId: customer.custadmin.id,
        language: 'en',
        ...options,
      });

    it('name the company in head and title, and help at the foot', async () => {
      const { token } = await invite();
      for (const answer of [
        await open(`invitation/${token}`).expect(200),
        await send(`invitation/${token}`, both('x')).expect(400),
        await open('password').expect(200),
        await open('unknown').expect(404),
      ]) {
        expect(answer.text).toContain('<header>Hoster &amp; &lt;b&gt;Zonen&lt;/b&gt;</header>');
        expect(answer.text).toMatch(/<title>[^<]* – Hoster &amp; &lt;b&gt;Zonen&lt;\/b&gt;<\/title>/);
        expect(textOf(/<footer>([^]*)<\/footer>/.exec(answer.text)?.[1])).toBe(
          'Need help? help.example/contact',
        );
        expect(answer.text).toContain(`<a href="${SUPPORT}">`);
      }
    });

    it('GET and POST /account/invitation, /account/password and /account/end-login: offer the next step once the link is used or too old', async () => {
      const { token } = await invite();
      expect(buttonsOf(await send(`invitation/${token}`, both(PASSWORD)).expect(200))).toEqual([logIn]);
      expect(buttonsOf(await open(`invitation/${token}`).expect(400))).toEqual([logIn, newPassword()]);

      const { id } = customer.plain;
      await service.sql`UPDATE users SET language = 'en' WHERE id = ${id}`;
      const reset = await makeResetToken(service, id);
      expect(buttonsOf(await send(`password/${reset}`, both(NEW_PASSWORD)).expect(200))).toEqual([logIn]);
      expect(buttonsOf(await open(`password/${reset}`).expect(400))).toEqual([newLink(), logIn]);
      expect(buttonsOf(await open('password/cut-off').expect(404))).toEqual([newLink(), logIn]);
      for (const unknown of ['', 'x', 'x/y/z', 'invitation/cut-off', 'end-login/cut-off'])
        expect(buttonsOf(await open(unknown).expect(404))).toEqual([logIn, newPassword()]);

      const login = await makeNoticedLogin(service, mailServer, { language: 'en' });
      const path = `end-login/${login.token}`;
      expect(textOf((await open(path).expect(200)).text)).toMatch(
        /Time \d{1,2} \w+ \d{4} at \d\d:\d\d GMT\+9/,
      );
      for (const answer of [await send(path, {}).expect(200), await open(path).expect(400)])
        expect(buttonsOf(answer)).toEqual([newPassword()]);
    });

    it('GET /account/invitation/{token}: is 400 without a form where a user has the address, and offers the login', async () => {
      const { token, email } = await invite();
      await makeUser(service, { organisationId: customer.organisationId, username: email });
      const answer = await open(`invitation/${token}`).expect(400);
      expect(headingOf(answer)).toBe('You already have an account');
      expect(buttonsOf(answer)).toEqual([logIn, newPassword()]);
    });

    it('GET /account/invitation/{token}: 404 of an older or withdrawn invitation says what may have become of it', async () => {
      const admin = await asAdmin(service);
      const path = `/organisations/${customer.organisationId}/invitations`;
      const newest = async (): Promise<string> => {
        await runJobs(service);
        const [, token = ''] =
          /account\/invitation\/([0-9a-f]{64})/.exec(mailServer.mailsTo(email).at(-1)?.text ?? '') ?? [];
        return token;
      };
      const email = `anna${nextNumber()}@example.com`;
      const person = { email, firstName: 'Anna', lastName: 'Smit', language: 'en' };
      const { body } = await admin.post(path, person).expect(201);
      const { id } = (body as { invitation: { id: number } }).invitation;
      const first = await newest();
      await admin.post(`${path}/${id}/resend`).expect(200);
      const second = await newest();
      expect(second).not.toBe(first);
      const replaced = await open(`invitation/${first}`).expect(404);
      await open(`invitation/${second}`).expect(200);
      await admin.delete(`${path}/${id}`).expect(204);
      for (const answer of [replaced, await open(`invitation/${second}`).expect(404)]) {
        expect(headingOf(answer)).toBe('This link does not work');
        expect(textOf(answer.text)).toContain('replaced by a newer e-mail, or the invitation was withdrawn');
        expect(textOf(answer.text)).toContain('ask the person who invited you');
      }
    });

    it('GET and POST /account/invitation/{token}: are 400 without a form where the address is the former name of a user', async () => {
      const { token, email } = await invite();
      await makeFormerNameToken(service, customer.plain.id, email);
      for (const answer of [
        await open(`invitation/${token}`).expect(400),
        await send(`invitation/${token}`, both(PASSWORD)).expect(400),
      ]) {
        expect(headingOf(answer)).toBe('This invitation cannot be used at the moment');
        expect(textOf(answer.text)).toContain(`The e-mail address ${email} was the user name of an account`);
        expect(buttonsOf(answer)).toEqual([]);
      }
      await makeOlder(service, 'users', { id: customer.plain.id }, '73 hours', ['renamed_at']);
      await open(`invitation/${token}`).expect(200);
    });

    it('GET /account/invitation/{token}: names the inviter in the language of the invitation, also where it is used or too old', async () => {
      await service.sql`UPDATE users SET first_name = 'Piet', last_name = '<i>Bos' WHERE id = ${customer.custadmin.id}`;
      const french = { language: 'fr' };
      for (const [options, heading] of [
        [{}, 'Invitation à rejoindre Bakkerij Smit'],
        [{ validFor: '-1 hour' }, 'Cette invitation a expiré'],
        [{ state: 'accepted' }, 'Cette invitation a déjà été utilisée'],
      ] as const) {
        const { token } = await invite({ ...french, ...options });
        const answer = await open(`invitation/${token}`);
        expect(headingOf(answer)).toBe(heading);
        expect(answer.text).toContain('<html lang="fr">');
        expect(textOf(answer.text)).toContain('Invitation de Piet &lt;i&gt;Bos');
      }
      const { token } = await invite(french);
      await service.sql`UPDATE users SET deleted_at = now() WHERE id = ${customer.custadmin.id}`;
      expect((await open(`invitation/${token}`)).text).not.toContain('Invitation de');
    });

    describe('GET /account/documents/{id}/{contactId}/{hash}', () => {
      async function documentPath(): Promise<string> {
        const { organisationId } = customer;
        const id = await makeDocument(service, organisationId, { name: 'Factuur 7' });
        const contactId = await makeContact(service, { organisationId });
        return `${id}/${contactId}/${await makeLink(service, id, contactId)}`;
      }

      it('names the organisation and the sender', async () => {
        const { text } = await open(`documents/${await documentPath()}`).expect(200);
        expect(textOf(text)).toContain('Organisatie Bakkerij Smit');
        expect(textOf(text)).toContain('Afzender Hoster &amp; &lt;b&gt;Zonen&lt;/b&gt;');
      });

      it.each(['*/*', 'application/pdf', 'application/xhtml+xml', undefined])(
        'is 302 to the file with Accept %s',
        async (accept) => {
          const path = await documentPath();
          const asked = request(service.url).get(`/account/documents/${path}`);
          const answer = await (accept === undefined ? asked : asked.set('Accept', accept)).expect(302);
          const file = new URL(answer.headers['location'] ?? '', `${service.url}/account/documents/${path}`);
          expect(file.href).toBe(`${service.url}/v1/downloadpdf/${path}`);
          expect(answer.headers['vary']).toMatch(/\bAccept\b(?!-)/);
          const { body } = await request(service.url).get(file.pathname).buffer(true).expect(200);
          expect(body).toEqual(PDF);
        },
      );

      it('is 302 to the XML for programs where there is no PDF, in Variant B the page', async () => {
        const path = await documentPath();
        await service.sql`UPDATE documents SET pdf_file = NULL, pdf_size = NULL, pdf_sha256 = NULL WHERE id = ${Number(path.split('/')[0])}`;
        const asked = request(service.url).get(`/account/documents/${path}`).set('Accept', '*/*');
        const answer = await asked.expect(variant === 'A' ? 302 : 200);
        if (variant !== 'A') return;
        const file = new URL(answer.headers['location'] ?? '', `${service.url}/account/documents/${path}`);
        const { text } = await request(service.url).get(file.pathname).expect(200);
        expect(text).toBe(XML.toString());
      });
    });

    describe('GET and POST /account/password', () => {
      const requests = () => service.sql`SELECT id FROM recovery_requests`;

      it('mail a link that works, in the language of the user', async () => {
        const { id, username } = customer.plain;
        await service.sql`UPDATE users SET language = 'fr' WHERE id = ${id}`;
        const form = await open('password').expect(200);
        expect(headingOf(form)).toBe('Get a new password');
        expect(form.text).toMatch(/<form method="post"[^>]*>/);
        expect(form.text).toMatch(/autocomplete="username"/);
        const answer = await send('password', { username: ` ${username.toUpperCase()} ` }).expect(200);
        expect(headingOf(answer)).toBe('Check your mailbox');
        expect(buttonsOf(answer)).toEqual([['Enter another name', `${service.url}/account/password`]]);
        expect(answer.headers['set-cookie']).toBeUndefined();
        await runJobs(service);
        const [mail] = mailServer.mailsTo(username);
        expect(mail?.headers.get('subject')).toBe('Réinitialiser votre mot de passe');
        const [, token] = /account\/password\/([0-9a-f]{64})/.exec(mail?.text ?? '') ?? [];
        await send(`password/${token}`, both(NEW_PASSWORD)).expect(200);
        await anonymous(service).post('/login', { username, password: NEW_PASSWORD }).expect(200);
      });

      it('answer the same for every name, in body and headers, and never show what was sent', async () => {
        const { plain, custadmin, organisationId } = customer;
        await service.sql`UPDATE users SET enabled = false WHERE id = ${custadmin.id}`;
        const nameless = await makeUser(service, { organisationId, username: `login${nextNumber()}` });
        const names = [plain.username, custadmin.username, nameless.username, 'nobody@example.com', '<b>&"'];
        const answers = [];
        for (const username of names) answers.push(await send('password', { username }).expect(200));
        const told = answers.map(({ text, headers }) => {
          const { date, 'x-request-id': requestId, ...others } = headers as Record<string, string>;
          expect([date, requestId]).not.toContain(undefined);
          return { text, others };
        });
        expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
        const before = await requests();
        await runJobs(service);
        expect(await requests()).toHaveLength(before.length + 1);
      });

      it('share the limit of a user with POST /resetting/send_email', async () => {
        const { id, username } = customer.plain;
        for (let round = 0; round < 11; round++) {
          await send('password', { username }).expect(200);
          await anonymous(service).post('/resetting/send_email', { username }).expect(204);
          await runJobs(service);
        }
        // A newer mail takes the place of one that waits; the limit counts both.
        expect(await service.sql`SELECT id FROM recovery_requests WHERE user_id = ${id}`).toHaveLength(20);
      });

      it.each([{}, { username: ' ' }, { username: 'x'.repeat(255) }, 'username=a&username=b'])(
        'are 400 and say at the field what is wrong: %j',
        async (fields) => {
          const answer = await send('password', fields as object).expect(400);
          expect(answer.text).toMatch(/aria-invalid="true" aria-describedby="username-error"/);
          expect(textOf(answer.text)).toContain('Enter your user name, of at most 254 characters.');
          expect(textOf(answer.text)).toContain('There is 1 error');
          expect(answer.text).not.toContain('xxx');
        },
      );

      it('mail nobody for the form of another site', async () => {
        const { username } = customer.plain;
        const before = mailServer.mailsTo(username).length;
        const answer = await send('password', { username }).set('Sec-Fetch-Site', 'cross-site').expect(200);
        expect(answer.text).toContain('<form method="post"');
        expect(answer.text).not.toContain(username);
        await request(service.url).post('/account/password').send({ username }).expect(415);
        await runJobs(service);
        expect(mailServer.mailsTo(username)).toHaveLength(before);
        await send('password', { username }).set('Sec-Fetch-Site', 'same-origin').expect(200);
        await runJobs(service);
        expect(mailServer.mailsTo(username)).toHaveLength(before + 1);
      });
    });

    it('and the mail about a login name the company, have buttons, and end with help', async () => {
      const { mail } = await makeNoticedLogin(service, mailServer, { language: 'en' });
      expect(mail.headers.get('from')).toBe(`"${COMPANY}" <no-reply@localhost.localdomain>`);
      expect(mail.text.replaceAll('\r\n', '\n')).toMatch(
        /know yours\.\n\nhttp:\/\/localhost:0\/account\/password\n\n-- \nHoster & <b>Zonen<\/b>\nNeed help\? https:\/\/help\.example\/contact\n+$/,
      );
      expect(mail.text).toMatch(/When: \d{1,2} \w+ \d{4} at \d\d:\d\d GMT\+9/);
      expect(mail.html).toContain('>Hoster &amp; &lt;b&gt;Zonen&lt;/b&gt;</td>');
      expect(mail.html).toMatch(
        /<a href="[^"]*\/account\/end-login\/[0-9a-f]{64}" style="[^"]*">End login<\/a>/,
      );
      expect(mail.html).toMatch(
        /<a href="[^"]*\/account\/password" style="[^"]*">Choose a new password<\/a>/,
      );
      expect(mail.html).toMatch(
        /Need help\? <a href="https:\/\/help\.example\/contact"[^>]*>help\.example\/contact<\/a>/,
      );
      expect(mail.html).not.toContain('<b>Zonen');
    });
  },
);
