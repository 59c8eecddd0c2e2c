import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import request from 'supertest';
import { type BrandOptions, makeBrand } from '../support/factories/brands-factories';
import {
  type Customer,
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { makeInvitation } from '../support/factories/invitations-factories';
import { makeResetToken } from '../support/factories/page-factories';
import { makeContact } from '../support/factories/records';
import { pathOf } from '../support/factories/users-factories';
import { type ReceivedMail, useMailServer } from '../support/faults/smtp';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { anonymous, type ApiClient, asAdmin } from '../support/service/client';
import { textOf } from '../support/service/html';
import { inTransaction, queueMail, runJobs } from '../support/service/jobs';
import { startTestService, useService } from '../support/service/service';
import { NEIGHBOUR } from '../support/service/variants';

const mailServer = useMailServer();

const OPERATOR = { name: 'Hoster', colour: '#1a56a8', panel: 'https://panel.hoster.example/' };

const RED: Required<BrandOptions> = {
  name: 'Rood & Zn.',
  supportUrl: 'help@rood.example',
  panelUrl: 'https://panel.rood.example/mijn',
  colour: '#b00020',
};

const GREEN: Required<BrandOptions> = {
  name: 'Groen',
  supportUrl: 'https://help.groen.example/contact',
  panelUrl: 'https://groen.example',
  colour: '#0a6b2e',
};

describe.each(SHARED_VARIANTS)('…/brand and mails in Variant %s: brands', (variant) => {
  const service = useService(variant, () => ({
    settings: {
      smtpUrl: mailServer.url,
      mailFrom: 'no-reply@hoster.example',
      mailFromName: OPERATOR.name,
      companyName: OPERATOR.name,
      panelUrl: OPERATOR.panel,
      supportUrl: 'https://help.hoster.example',
      publicUrl: 'https://api.example',
      resetUrlTemplate: '{panel}/reset/{token}',
      invitationUrlTemplate: '{panel}/join/{organisationId}/{invitationId}/{token}',
    },
  }));
  let admin: ApiClient;
  let customer: Customer;
  let resellerId: number;

  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  beforeEach(async () => {
    mailServer.mails.length = 0;
    const topId = await makeOrganisation(service);
    resellerId = await makeOrganisation(service, { resellerId: topId });
    customer = await makeCustomer(service, { resellerId, name: 'Bakkerij Smit' });
  });

  const brandOf = (organisationId: number): string => `/organisations/${organisationId}/brand`;
  const ask = (username: string) =>
    anonymous(service).post('/resetting/send_email', { username }).expect(204);
  const move = (organisationId: number, resellerOrganisation: number | null) =>
    admin
      .patch(`/organisations/${organisationId}`, { name: 'Moved', taxNumber: 'BE1', resellerOrganisation })
      .expect(204);
  const lastMail = async (address: string): Promise<ReceivedMail> => {
    await runJobs(service);
    return mailServer.mailsTo(address).at(-1) as ReceivedMail;
  };
  const resetMail = async (address = customer.plain.username): Promise<ReceivedMail> => {
    await ask(address);
    return lastMail(address);
  };
  const looksOf = ({ headers, text, html }: ReceivedMail) => ({
    from: headers.get('from'),
    replyTo: headers.get('reply-to'),
    link: /\S+\/reset\/(?=[0-9a-f]{64})/.exec(text)?.[0],
    foot: text.replaceAll('\r\n', '\n').split('\n-- \n')[1]?.trim(),
    colours: [...new Set(html.match(/(?<=background:|color:|solid )#(?:1a56a8|b00020|0a6b2e)/g))],
  });

  const OF_OPERATOR = {
    from: 'Hoster <no-reply@hoster.example>',
    replyTo: undefined,
    link: 'https://panel.hoster.example/reset/',
    foot: 'Hoster\nHulp nodig? https://help.hoster.example/',
    colours: [OPERATOR.colour],
  };
  const OF_RED = {
    from: expect.stringMatching(/^"?Rood & Zn\."? <no-reply@hoster.example>$/) as string,
    replyTo: 'help@rood.example',
    link: 'https://panel.rood.example/mijn/reset/',
    foot: 'Rood & Zn.\nHulp nodig? help@rood.example',
    colours: ['#b00020'],
  };
  const OF_GREEN = {
    from: 'Groen <no-reply@hoster.example>',
    replyTo: undefined,
    link: 'https://groen.example/reset/',
    foot: 'Groen\nHulp nodig? https://help.groen.example/contact',
    colours: ['#0a6b2e'],
  };

  it('give mails to users their name, address, colour and panel', async () => {
    expect(looksOf(await resetMail())).toEqual({
      ...OF_OPERATOR,
      foot: 'Hoster\nHulp nodig? https://help.hoster.example',
    });
    await makeBrand(service, resellerId, RED);
    const mail = await resetMail();
    expect(looksOf(mail)).toEqual(OF_RED);
    expect(mail.from).toBe('no-reply@hoster.example');
    expect(mail.html).toContain('>Rood &amp; Zn.</td>');
    expect(mail.html).not.toContain('Hoster');
  });

  it('leave to the operator what they do not say', async () => {
    await makeBrand(service, resellerId, { name: 'Kaal' });
    expect(looksOf(await resetMail())).toEqual({
      ...OF_OPERATOR,
      from: 'Kaal <no-reply@hoster.example>',
      foot: 'Kaal\nHulp nodig? https://help.hoster.example',
    });
  });

  it('are the next above for the people of an organisation that has one', async () => {
    await makeBrand(service, customer.organisationId, GREEN);
    expect(looksOf(await resetMail()).from).toBe(OF_OPERATOR.from);
    await makeBrand(service, resellerId, RED);
    expect(looksOf(await resetMail())).toEqual(OF_RED);
  });

  it('of the operator takes the place of the settings, in mails and on pages', async () => {
    const page = () => request(service.url).get('/account/password').expect(200);
    expect((await page()).text).toContain(`<header>${OPERATOR.name}</header>`);
    await admin.put(brandOf(1), { ...GREEN }).expect(204);
    try {
      expect(looksOf(await resetMail())).toEqual(OF_GREEN);
      const { text, headers } = await page();
      expect(text).toContain('<header>Groen</header>');
      expect(text).toContain('--accent:#0a6b2e');
      expect(headers['content-security-policy']).toMatch(/style-src 'self' 'sha256-[\w+/]{43}='/);
      await makeBrand(service, resellerId, RED);
      expect(looksOf(await resetMail())).toEqual(OF_RED);
    } finally {
      await admin.delete(brandOf(1)).expect(204);
    }
  });

  it('are on the pages that the links of their mails lead to, also on those that know nobody', async () => {
    await makeBrand(service, resellerId, RED);
    const { plain, organisationId } = customer;
    await plain.client
      .post(`/organisations/${organisationId}/users/${plain.id}/changepassword`, {
        oldPassword: PASSWORD,
        password: 'Nieuw-wachtwoord-2026',
      })
      .expect(200);
    const mail = await lastMail(plain.username);
    const [link = ''] = /https:\/\/api\.example\/account\/password\S*/.exec(mail.text) ?? [];
    expect(link).toMatch(/\?brand=[\da-f-]{36}$/);
    expect(mail.html.replaceAll('&#x3D;', '=')).toContain(`href="${link}"`);
    const path = link.slice('https://api.example'.length);
    const headOf = async (target: string) => {
      const { text } = await request(service.url).get(target).set('Accept-Language', 'en');
      return textOf(/<header>([^]*)<\/header>/.exec(text)?.[1]);
    };
    const [, query = ''] = path.split('?');
    expect(await headOf(path)).toBe('Rood &amp; Zn.');
    expect(await headOf(`/account/password/${'0'.repeat(64)}?${query}`)).toBe('Rood &amp; Zn.');
    // The way on from a dead link stays in the same name.
    const dead = await request(service.url).get(`/account/password/${'0'.repeat(64)}?${query}`);
    expect(dead.text.replaceAll('&#x3D;', '=')).toContain(`account/password?${query}`);
    for (const other of ['', '?brand=', '?brand=1', `?brand=${randomUUID()}`, `?${query}&${query}`])
      expect(await headOf(`/account/password${other}`)).toBe(OPERATOR.name);
    await admin.delete(brandOf(resellerId)).expect(204);
    expect(await headOf(path)).toBe(OPERATOR.name);
  });

  it('of a page are read by one statement at most, and none for its stylesheet', async () => {
    await makeBrand(service, resellerId, RED);
    const { linkKey } = (
      await service.sql<{ linkKey: string }>(
        'SELECT link_key AS "linkKey" FROM brands WHERE organisation_id = $1',
        [resellerId],
      )
    )[0] as { linkKey: string };
    const token = await makeResetToken(service, customer.plain.id);
    const spy = jest.spyOn(Client.prototype, 'query');
    const readsOf = async (path: string) => {
      spy.mockClear();
      const { text } = await request(service.url).get(`/account/${path}?brand=${linkKey}`);
      const calls = spy.mock.calls as unknown as [string | { text?: string }][];
      const texts = calls.map(([query]) => (typeof query === 'string' ? query : (query.text ?? '')));
      return {
        path,
        head: /<header>.*<\/header>/.test(text),
        reads: texts.filter((one) => /\bbrands b\b/.test(one)).length,
      };
    };
    try {
      for (const path of [`password/${token}`, 'password', `password/${'0'.repeat(64)}`, 'unknown'])
        expect(await readsOf(path)).toEqual({ path, head: true, reads: 1 });
      expect(await readsOf('pages.css')).toEqual({ path: 'pages.css', head: false, reads: 0 });
    } finally {
      spy.mockRestore();
    }
  });

  it('give mails to contacts and to who is invited the same', async () => {
    await makeBrand(service, resellerId, RED);
    const { organisationId, custadmin } = customer;
    const contact = `boss${nextNumber()}@of.example`;
    await makeContact(service, { organisationId, name: contact, groups: ['Crm', 'System'] });
    await custadmin.client.post(`/organisations/${organisationId}/contacts`, {
      type: 'email',
      name: `c${contact}`,
      preferences: ['System'],
    });
    const invited = `new${nextNumber()}@of.example`;
    await custadmin.client
      .post(`/organisations/${organisationId}/invitations`, {
        email: invited,
        firstName: 'Anna',
        lastName: 'Smit',
      })
      .expect(201);
    const invitation = await lastMail(invited);
    expect(looksOf(invitation)).toMatchObject({ from: OF_RED.from, replyTo: OF_RED.replyTo });
    expect(invitation.text).toMatch(
      new RegExp(String.raw`https://panel\.rood\.example/mijn/join/${organisationId}/\d+/[0-9a-f]{64}`),
    );
    expect(looksOf(await lastMail(contact))).toMatchObject({ from: OF_RED.from, foot: OF_RED.foot });
  });

  it('do not say to ask a reseller about staff of the operator', async () => {
    await makeBrand(service, resellerId, RED);
    const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${staff.id}`;
    await staff.client.post(`${pathOf(customer.plain)}/supportlogins`, { reason: 'Ticket 1' }).expect(201);
    const mail = await lastMail(customer.plain.username);
    expect(looksOf(mail).foot).toBe(OF_RED.foot);
    expect(mail.text).toContain('Neem dan contact op met Hoster (help.hoster.example).');
    await makeBrand(service, 1, GREEN);
    await staff.client.post(`${pathOf(customer.plain)}/supportlogins`, { reason: 'Ticket 1' }).expect(201);
    expect((await lastMail(customer.plain.username)).text).toContain(
      'met Groen (help.groen.example/contact).',
    );
    await admin.delete(brandOf(1)).expect(204);
  });

  it('are those of the moment of sending: a move between resellers while mails wait', async () => {
    const otherId = await makeOrganisation(service, { resellerId });
    await makeBrand(service, resellerId, RED);
    await makeBrand(service, otherId, GREEN);
    expect(looksOf(await resetMail())).toEqual(OF_RED);
    await ask(customer.plain.username);
    await move(customer.organisationId, otherId);
    expect(looksOf(await lastMail(customer.plain.username))).toEqual(OF_GREEN);
    await ask(customer.plain.username);
    await move(otherId, null);
    await admin.delete(brandOf(otherId)).expect(204);
    expect(looksOf(await lastMail(customer.plain.username))).toEqual({
      ...OF_OPERATOR,
      foot: 'Hoster\nHulp nodig? https://help.hoster.example',
    });
  });

  it('change and end for mails that wait', async () => {
    await makeBrand(service, resellerId, RED);
    expect(looksOf(await resetMail())).toEqual(OF_RED);
    await ask(customer.plain.username);
    await admin.put(brandOf(resellerId), { ...GREEN }).expect(204);
    expect(looksOf(await lastMail(customer.plain.username))).toEqual(OF_GREEN);
    await inTransaction(service, (manager) => queueMail(service, manager, 'waiting@of.example'));
    await ask(customer.plain.username);
    await admin.delete(brandOf(resellerId)).expect(204);
    expect(looksOf(await lastMail(customer.plain.username)).from).toBe(OF_OPERATOR.from);
    expect(looksOf(await lastMail('waiting@of.example')).from).toBe(OF_OPERATOR.from);
  });

  it('with names that mean something in headers stay in their header', async () => {
    const names = [
      '"><script>alert(1)</script>',
      'a@b.example <c@d.example>, e@f.example',
      String.raw`quoted \" and (comment); group:`,
      'é'.repeat(100),
      '😀'.repeat(100),
      'x'.repeat(100),
    ];
    for (const name of names) {
      await admin.put(brandOf(resellerId), { name, supportUrl: "o'neil+a=b@rood.example" }).expect(204);
      const mail = await resetMail();
      expect(mail.from).toBe('no-reply@hoster.example');
      expect(mail.to).toEqual([customer.plain.username]);
      expect(mail.headers.get('reply-to')).toBe("o'neil+a=b@rood.example");
      expect([...mail.headers.keys()]).not.toContain('bcc');
      expect(mail.headers.get('from')).toContain('<no-reply@hoster.example>');
      expect(mail.headers.get('to')).toBe(customer.plain.username);
      expect(mail.html).not.toContain('<script>');
      for (const line of mail.raw.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThan(999);
    }
  });

  it('show on pages about a user or an organisation, dead links too, and not on others', async () => {
    await makeBrand(service, resellerId, RED);
    const open = (path: string) => request(service.url).get(`/account/${path}`).set('Accept-Language', 'en');
    const headOf = ({ text }: { readonly text: string }) =>
      textOf(/<header>([^]*)<\/header>/.exec(text)?.[1]);
    const alive = await makeResetToken(service, customer.plain.id);
    const dead = await makeResetToken(service, customer.custadmin.id, { validFor: '-1 hour' });
    const { token } = await makeInvitation(service, {
      organisationId: customer.organisationId,
      inviterId: customer.custadmin.id,
    });
    for (const [path, status] of [
      [`password/${alive}`, 200],
      [`password/${dead}`, 400],
      [`invitation/${token}`, 200],
    ] as const) {
      const page = await open(path).expect(status);
      expect(headOf(page)).toBe('Rood &amp; Zn.');
      expect(page.text).toContain('href="mailto:help@rood.example"');
      const [, style = ''] = /<style>([^<]*)<\/style>/.exec(page.text) ?? [];
      expect(style).toContain('--accent:#b00020');
      expect(page.headers['content-security-policy']).toMatch(/style-src 'self' 'sha256-[\w+/]{43}='/);
    }
    for (const path of ['password', 'unknown', `password/${'0'.repeat(64)}`]) {
      const page = await open(path);
      expect(headOf(page)).toBe(OPERATOR.name);
      expect(page.text).not.toContain('<style>');
      expect(page.headers['content-security-policy']).toContain("style-src 'self';");
    }
  });
});

it('{panel} is that of the process that sends, the template that of the one that was asked', async () => {
  await using asked = await startTestService('A', {
    settings: {
      panelUrl: 'https://one.example',
      resetUrlTemplate: '{panel}/reset/{token}',
      smtpUrl: mailServer.url,
    },
  });
  await using sending = await startTestService(NEIGHBOUR, {
    settings: { panelUrl: 'https://two.example/', smtpUrl: mailServer.url },
    database: asked.database,
  });
  const { plain } = await makeCustomer(asked);
  await anonymous(asked).post('/resetting/send_email', { username: plain.username }).expect(204);
  await runJobs(sending);
  expect(mailServer.mailsTo(plain.username).at(-1)?.text).toContain('https://two.example/reset/');
});
