import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withBrand } from '@app/mail/brands';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { type BrandOptions, makeBrand } from '../../support/factories/brands-factories';
import { makeDocument, makeLink } from '../../support/factories/documents-factories';
import { type Customer, makeCustomer, makeOrganisation, nextNumber } from '../../support/factories/factories';
import { makeInvitation } from '../../support/factories/invitations-factories';
import { makeFormerNameToken, makeResetToken } from '../../support/factories/page-factories';
import { makeContact } from '../../support/factories/records';
import { LANGUAGES, SAMPLE_SENDER, sampleMails } from '../../support/generators/sample-mails';
import { BrowsedPage, CHROMIUM } from '../../support/service/browsed-page';
import { useService } from '../../support/service/service';

/** Where `npm run pages:screenshots` wants pictures. */
const PICTURES = process.env['PAGES_SCREENSHOTS'];

/** A phone, and a window on a desk. */
const WIDTHS = [360, 1280] as const;

/** The palest colour that is accepted with the longest name, and one as resellers have. */
const BRANDS: Readonly<Record<string, Required<BrandOptions>>> = {
  kantoor: {
    name: 'Kantoor Hosting',
    supportUrl: 'help@kantoor.example',
    panelUrl: 'https://panel.kantoor.example',
    colour: '#7a1f5c',
  },
  pale: {
    name: 'Webhosting en Automatisering voor het Midden- en Kleinbedrijf in de Lage Landen en daaromheen, B.V.',
    supportUrl: `https://help.example/${'a'.repeat(60)}/${'b'.repeat(60)}`,
    panelUrl: 'https://panel.example',
    colour: '#767676',
  },
};

const WRONG = { password: 'a b', repeated: 'a b' };

/** Without Chromium the suite is skipped: `apt-get install chromium`. */
(CHROMIUM === undefined ? describe.skip : describe)('in Chromium, with a brand:', () => {
  const service = useService('A', { settings: { companyName: 'Lage Landen Hosting' } });
  let page: BrowsedPage;
  beforeAll(async () => {
    page = await BrowsedPage.open(CHROMIUM ?? '');
  });
  afterAll(() => page.close());

  /** The pages that know an organisation, and the way to each. */
  const STATES: Readonly<Record<string, (customer: Customer, language: string) => Promise<string>>> = {
    invitation: async ({ organisationId, custadmin }, language) => {
      const { token } = await makeInvitation(service, { organisationId, inviterId: custadmin.id, language });
      return `invitation/${token}`;
    },
    'invitation-used': async ({ organisationId, custadmin }, language) => {
      const options = { organisationId, inviterId: custadmin.id, language, state: 'accepted' } as const;
      return `invitation/${(await makeInvitation(service, options)).token}`;
    },
    password: async ({ plain }) => `password/${await makeResetToken(service, plain.id)}`,
    'former-name': async ({ plain }) =>
      `password/${await makeFormerNameToken(service, plain.id, `jan${nextNumber()}@example.com`)}`,
    username: async ({ plain: { id, username } }) => {
      const token = newSecret();
      await service.sql`UPDATE users SET username_verified = false WHERE id = ${id}`;
      await service.sql`INSERT INTO recovery_requests (user_id, kind, username, token_digest, expires_at)
        VALUES (${id}, 'name', ${username}, ${digestOf(token)}, now() + interval '1 hour')`;
      return `username/${token}`;
    },
    'end-login': async ({ custadmin: { id } }) => {
      const token = newSecret();
      await service.sql`INSERT INTO login_notices
          (user_id, login_id, network, address, country, os, browser, token_digest, expires_at)
        SELECT user_id, min(id), '192.0.2.0/24', '192.0.2.10', 'BE', 'Windows 10', 'Firefox 145.0', ${digestOf(token)},
          now() + interval '1 hour' FROM logins WHERE user_id = ${id} GROUP BY user_id`;
      return `end-login/${token}`;
    },
    document: async ({ organisationId, custadmin }) => {
      const id = await makeDocument(service, organisationId, { name: 'Factuur 2026-117' });
      const contactId = await makeContact(service, { organisationId, userId: custadmin.id });
      return `documents/${id}/${contactId}/${await makeLink(service, id, contactId)}`;
    },
  };

  const branded = async (brand: string, language: string): Promise<Customer> => {
    const resellerId = await makeOrganisation(service);
    await makeBrand(service, resellerId, BRANDS[brand]);
    const customer = await makeCustomer(service, { resellerId, name: 'Bakkerij Smit & Zonen' });
    await service.sql`UPDATE users SET language = ${language} WHERE organisation_id = ${customer.organisationId}`;
    return customer;
  };

  const CASES = Object.keys(BRANDS).flatMap((brand) =>
    LANGUAGES.map((language) => [brand, language] as const),
  );

  it.each(CASES)(
    '%s, the pages /account/… have nothing for axe to find and do not scroll sideways: %s',
    async (brand, language) => {
      const customer = await branded(brand, language);
      const look = async (name: string): Promise<void> => {
        for (const scheme of ['light', 'dark'] as const) {
          for (const width of WIDTHS) {
            await page.show(width, scheme);
            expect({ name, scheme, width, faults: await page.faults() }).toEqual({
              name,
              scheme,
              width,
              faults: [],
            });
            expect(await page.overflow()).toBe(0);
            if (PICTURES === undefined) continue;
            const path = join(PICTURES, `brand-${brand}-${name}-${language}-${width}-${scheme}.png`);
            await page.page.screenshot({ path, fullPage: true });
          }
        }
      };
      for (const [name, pathOf] of Object.entries(STATES)) {
        await page.page.goto(`${service.url}/account/${await pathOf(customer, language)}`);
        // The policy allows the style: else the colour would be that of the service.
        const accent = await page.page.evaluate(
          `getComputedStyle(document.documentElement).getPropertyValue('--accent')`,
        );
        expect([name, accent]).toEqual([name, expect.not.stringMatching(/#1a56a8|#8ab8f5/)]);
        await look(name);
        if (name !== 'password') continue;
        await page.send(WRONG);
        await look('password-faults');
      }
    },
  );

  it.each(CASES)('%s, mails have nothing for axe to find and fit a phone: %s', async (brand, language) => {
    const { name = '', supportUrl = '', panelUrl = '', colour = '' } = BRANDS[brand] ?? {};
    const mails = sampleMails(
      language,
      withBrand(SAMPLE_SENDER, { name, supportUrl, panelUrl, colour, linkKey: randomUUID() }),
    );
    const faults: string[] = [];
    // Not within a page whose policy forbids the styles of mails.
    await page.page.goto('about:blank');
    await page.show(700);
    for (const [index, mail] of mails.entries()) {
      // Mails differ in their words alone; those with a button and without are among the first.
      if (index % 8 !== 0) continue;
      await page.page.setContent(mail.html);
      for (const fault of await page.faults()) faults.push(`${mail.name}: ${fault}`);
      await page.show(360);
      if ((await page.overflow()) > 0) faults.push(`${mail.name} is wider than a phone`);
    }
    expect(faults).toEqual([]);
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.show(4 * 420);
    for (let first = 0; first < mails.length; first += 8) {
      const cells = mails.slice(first, first + 8).map(({ name: title, html }) => {
        const [, body = ''] = /<main>([^]*)<\/main>/.exec(html) ?? [];
        return `<div style="width:400px;display:inline-block;vertical-align:top;margin:6px"><code>${title}</code>${body}</div>`;
      });
      await page.page.setContent(`<!DOCTYPE html><meta charset="utf-8">${cells.join('')}`);
      const path = join(PICTURES, `brand-${brand}-mails-${language}-${String(first).padStart(3, '0')}.png`);
      await page.page.screenshot({ path, fullPage: true });
    }
  });
});
