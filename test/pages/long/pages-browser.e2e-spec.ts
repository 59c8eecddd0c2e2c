import { join } from 'node:path';
import { useCountryDatabase } from '../../support/factories/country-database';
import { makeDocument, makeLink } from '../../support/factories/documents-factories';
import {
  type Customer,
  makeCustomer,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../../support/factories/factories';
import { type InvitationOptions, makeInvitation } from '../../support/factories/invitations-factories';
import {
  CAFE,
  makeNoticedLogin,
  type NoticedLogin,
  type NoticedLoginOptions,
} from '../../support/factories/noticed-logins';
import { makeFormerNameToken, makeResetToken } from '../../support/factories/page-factories';
import { makeContact } from '../../support/factories/records';
import { suspend } from '../../support/factories/suspensions-factories';
import { type ReceivedMail, useMailServer } from '../../support/faults/smtp';
import { BrowsedPage, CHROMIUM } from '../../support/service/browsed-page';
import { anonymous, asAdmin, loggedIn } from '../../support/service/client';
import { runJobs } from '../../support/service/jobs';
import { useService } from '../../support/service/service';
import { letExpire } from '../../support/service/time';
import { until } from '../../support/service/until';

/** Where `npm run pages:screenshots` wants a picture of each state. */
const PICTURES = process.env['PAGES_SCREENSHOTS'];

/** A phone, and a window on a desk. */
const WIDTHS = [360, 1280] as const;

/** An address in the country database of the service. */
const BELGIAN = '127.9.8.7';

const NEW_PASSWORD = 'Nieuw-Wachtw00rd';
const WRONG = { password: 'a b', repeated: 'a b' };
const RIGHT = { password: NEW_PASSWORD, repeated: NEW_PASSWORD };

const mailServer = useMailServer();
const countryDatabase = useCountryDatabase('BE');

/** Without Chromium the suite is skipped: `apt-get install chromium`. */
(CHROMIUM === undefined ? describe.skip : describe)('in Chromium, the pages /account/…', () => {
  const service = useService('A', () => ({
    settings: {
      smtpUrl: mailServer.url,
      trustedProxies: ['127.0.0.1'],
      geoipDb: countryDatabase,
      companyName: 'Lage Landen Hosting',
      supportUrl: 'https://help.lagelanden.example/contact',
      panelUrl: 'https://panel.lagelanden.example/',
    },
  }));
  const limited = useService('A', { settings: { rateLimit: true } });
  let page: BrowsedPage;
  beforeAll(async () => {
    page = await BrowsedPage.open(CHROMIUM ?? '');
  });
  afterAll(() => page.close());
  let customer: Customer;
  beforeAll(async () => {
    customer = await makeCustomer(service, { name: 'Bakkerij Smit & Zonen' });
  });

  const invite = (options: Partial<InvitationOptions> = {}) =>
    makeInvitation(service, {
      organisationId: customer.organisationId,
      inviterId: customer.custadmin.id,
      firstName: 'Anna',
      lastName: 'Smit',
      email: `anna.smit${nextNumber()}@example.com`,
      ...options,
    });
  const go = async (url: string): Promise<void> => void (await page.page.goto(url));
  const open = (path: string): Promise<void> => go(`${service.url}/account/${path}`);
  const openInvitation = async (options: Partial<InvitationOptions> = {}): Promise<string> => {
    const { token, email } = await invite(options);
    await open(`invitation/${token}`);
    return email;
  };
  const openReset = async (): Promise<void> => {
    const { id } = await makeUser(service, { organisationId: customer.organisationId });
    await open(`password/${await makeResetToken(service, id)}`);
  };
  const openRestoration = async (): Promise<void> => {
    const { id } = await makeUser(service, { organisationId: customer.organisationId });
    await open(`password/${await makeFormerNameToken(service, id, `jan${nextNumber()}@example.com`)}`);
  };
  const openEndLogin = async (options: NoticedLoginOptions = {}): Promise<NoticedLogin> => {
    const login = await makeNoticedLogin(service, mailServer, { address: BELGIAN, ...options });
    await open(`end-login/${login.token}`);
    return login;
  };
  const openDocument = async (name: string): Promise<void> => {
    const id = await makeDocument(service, customer.organisationId, { name });
    const contactId = await makeContact(service, { organisationId: customer.organisationId });
    await open(`documents/${id}/${contactId}/${await makeLink(service, id, contactId)}`);
  };

  const openMail = ({ html }: ReceivedMail): Promise<void> =>
    go(`data:text/html;charset=utf-8;base64,${Buffer.from(html).toString('base64')}`);
  /** Opens the newest mail, which the request has caused. */
  const openMailAbout = async (
    about: 'recovery' | 'invitation' | 'document' | 'suspension',
  ): Promise<void> => {
    const admin = await asAdmin(service);
    const { organisationId, plain } = await makeCustomer(service, { name: 'Bakkerij Smit & Zonen' });
    const path = `/organisations/${organisationId}`;
    const to = about === 'recovery' ? plain.username : `anna${nextNumber()}@example.com`;
    await makeContact(service, { organisationId, name: to, groups: ['Finance', 'Crm'] });
    if (about === 'recovery')
      await anonymous(service).post('/resetting/send_email', { username: to }).expect(204);
    if (about === 'invitation')
      await admin
        .post(`${path}/invitations`, { email: to, firstName: 'Anna', lastName: 'Smit', language: 'fr' })
        .expect(201);
    if (about === 'document') {
      const id = await makeDocument(service, organisationId, { name: 'Factuur 2026-117' });
      await admin.post(`${path}/documents/${id}/send`).expect(200);
    }
    if (about === 'suspension')
      await suspend(admin, organisationId, { reason: 'Factuur 117 is niet betaald' });
    await runJobs(service);
    const mail = mailServer.mails.findLast((one) => one.to.includes(to));
    await openMail(mail as ReceivedMail);
  };

  /** Every state that a page or a mail can be in, and the way there. */
  const STATES: Readonly<Record<string, () => Promise<unknown>>> = {
    invitation: () => openInvitation(),
    'invitation-long-names': () =>
      openInvitation({
        firstName: 'Wolfeschlegelsteinhausenbergerdorff',
        lastName: 'x'.repeat(120),
        email: `${'a'.repeat(60)}${nextNumber()}@${'b'.repeat(60)}.example.com`,
        language: 'fr',
      }),
    'invitation-faults': () => openInvitation({ language: 'en' }).then(() => page.send(WRONG)),
    'invitation-empty': () => openInvitation({ language: 'fr' }).then(() => page.send()),
    'invitation-repeated': () =>
      openInvitation().then(() => page.send({ password: PASSWORD, repeated: NEW_PASSWORD })),
    'invitation-address-taken': async () => {
      const username = await openInvitation();
      await makeUser(service, { organisationId: customer.organisationId, username });
      await page.send(RIGHT);
    },
    'invitation-done': () => openInvitation().then(() => page.send(RIGHT)),
    'invitation-used': () => openInvitation({ state: 'accepted', language: 'fr' }),
    'invitation-expired': () => openInvitation({ validFor: '-1 day' }),
    password: () => openReset(),
    'password-faults': () => openReset().then(() => page.send(WRONG)),
    'password-done': () => openReset().then(() => page.send(RIGHT)),
    'password-expired': async () => {
      const { id } = await makeUser(service, { organisationId: customer.organisationId });
      await open(`password/${await makeResetToken(service, id, { validFor: '-1 hour' })}`);
    },
    restoration: () => openRestoration(),
    'restoration-done': () => openRestoration().then(() => page.send(RIGHT)),
    'end-login': () => openEndLogin(),
    'end-login-little-known': () => openEndLogin({ address: CAFE, userAgent: 'x', language: 'fr' }),
    'end-login-done': () => openEndLogin().then(() => page.send()),
    'end-login-ended': async () => {
      const { client, token } = await openEndLogin({ language: 'en' });
      await client.post('/logout').expect(204);
      await open(`end-login/${token}`);
    },
    'end-login-expired': async () => {
      const { user, token } = await openEndLogin();
      await letExpire(service, 'login_notices', { user_id: user.id });
      await open(`end-login/${token}`);
    },
    document: () => openDocument('Factuur 2026-117'),
    'document-long-name': () => openDocument(`Factuur ${'2026-117-'.repeat(20)}`),
    'invitation-unknown': () => open('invitation/cut-off'),
    'invitation-address-kept': async () => {
      const { token, email } = await invite();
      await makeFormerNameToken(service, customer.plain.id, email);
      await open(`invitation/${token}`);
    },
    'link-unknown': () => open('x'),
    'too-many-calls': async () => {
      for (let call = 0; call <= 60; call++) await go(`${limited.url}/account/password`);
    },
    'password-unknown': () => open('password/cut-off'),
    'password-asked': () => open('password'),
    'password-asked-faults': () => open('password').then(() => page.send()),
    'password-asked-done': () => open('password').then(() => page.send({ username: 'jan@example.com' })),
    'mail-login': () => openEndLogin({ language: 'en' }).then(({ mail }) => openMail(mail)),
    'mail-reset': () => openMailAbout('recovery'),
    'mail-invitation': () => openMailAbout('invitation'),
    'mail-document': () => openMailAbout('document'),
    'mail-suspension': () => openMailAbout('suspension'),
  };

  it.each(Object.entries(STATES))(
    'have nothing for axe to find and do not scroll sideways: %s',
    async (name, reach) => {
      await page.show(1280);
      await reach();
      for (const scheme of ['light', 'dark'] as const) {
        for (const width of WIDTHS) {
          await page.show(width, scheme);
          expect({ scheme, width, faults: await page.faults() }).toEqual({ scheme, width, faults: [] });
          expect(await page.overflow()).toBe(0);
          if (PICTURES === undefined) continue;
          await page.page.screenshot({
            path: join(PICTURES, `${name}-${width}-${scheme}.png`),
            fullPage: true,
          });
        }
      }
      // WCAG 2.2, 1.4.10: what a window of 1280 pixels has at 400 %.
      await page.show(320);
      expect(await page.overflow()).toBe(0);
    },
  );

  it('have their stylesheet', async () => {
    await page.show(1280);
    await openInvitation();
    expect(await page.page.evaluate(`getComputedStyle(document.querySelector('main')).borderTopWidth`)).toBe(
      '4px',
    );
  });

  it('are usable by keyboard alone and without scripts: a fault, the way back to the field, and success', async () => {
    await page.show(1280);
    await page.allowScripts(false);
    try {
      const { token, email } = await invite();
      await go(`${service.url}/account/invitation/${token}`);
      const stops: string[] = [];
      for (let stop = 0; stop < 4; stop++) {
        await page.page.keyboard.press('Tab');
        stops.push(await page.focused());
      }
      expect(stops).toEqual(['email', 'password', 'repeated', 'button']);
      await page.page.keyboard.press('Shift+Tab');
      await page.page.keyboard.press('Shift+Tab');
      await page.page.keyboard.insertText('kort');
      await page.page.keyboard.press('Tab');
      await page.page.keyboard.insertText('kort');
      await page.leaving(() => page.page.keyboard.press('Enter'));

      expect(await page.page.title()).toMatch(/^Fout: /);
      expect(await page.focused()).toBe('summary');
      await page.page.keyboard.press('Tab');
      await page.page.keyboard.press('Enter');
      await until(async () => (await page.focused()) === 'password');
      await page.page.keyboard.insertText(NEW_PASSWORD);
      await page.page.keyboard.press('Tab');
      await page.page.keyboard.insertText(NEW_PASSWORD);
      await page.page.keyboard.press('Tab');
      await page.leaving(() => page.page.keyboard.press('Enter'));
      expect(await page.page.title()).toBe('Uw account is klaar – Lage Landen Hosting');
      await loggedIn(service, email, NEW_PASSWORD);

      const { client } = await openEndLogin();
      await page.page.keyboard.press('Tab');
      await page.leaving(() => page.page.keyboard.press('Enter'));
      expect(await page.page.title()).toBe('De aanmelding is beëindigd – Lage Landen Hosting');
      await client.get('/whoami').expect(401);
    } finally {
      await page.allowScripts(true);
    }
  });

  it('show the accessibility tree each field with its name, its rules and its fault', async () => {
    const fieldsOf = async () =>
      (await page.accessibleNodes()).filter(({ role }) => ['textbox', 'button'].includes(role));
    await openInvitation({ language: 'en' });
    const rules = '8 to 29 characters';
    expect(await fieldsOf()).toEqual([
      { role: 'textbox', name: 'User name', description: '', isInvalid: false },
      { role: 'textbox', name: 'Password', description: expect.stringContaining(rules), isInvalid: false },
      { role: 'textbox', name: 'The same password again', description: '', isInvalid: false },
      { role: 'button', name: 'Create account', description: '', isInvalid: false },
    ]);
    await page.send(WRONG);
    const [, password] = await fieldsOf();
    expect(password).toMatchObject({ name: 'Password', isInvalid: true });
    for (const told of [
      rules,
      'Error:',
      'The password is too short',
      'The password needs at least one digit.',
    ])
      expect(password?.description).toContain(told);
    const nodes = await page.accessibleNodes();
    expect(nodes).toContainEqual(expect.objectContaining({ role: 'alert' }));
    expect(nodes.filter(({ role }) => role === 'heading').map(({ name }) => name)).toEqual([
      'Invitation to Bakkerij Smit & Zonen',
    ]);
  });
});
