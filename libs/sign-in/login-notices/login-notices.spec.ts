import type { MailContent } from '@app/mail/mail.types';
import { renderMail } from '@app/mail/mail-rendering';
import { noticeMail } from './login-notices';

const SENDER = {
  companyName: undefined,
  supportUrl: undefined,
  panelUrl: undefined,
  publicUrl: 'https://api.example',
  pages: true,
  timeZone: 'Europe/Brussels',
};

const LOGIN = {
  at: new Date('2026-12-22T14:05:00Z'),
  expiresAt: new Date('2026-12-25T14:05:00Z'),
  username: 'jan@example.nl',
  fullName: 'Jan',
  language: 'en' as const,
  address: '192.0.2.1',
  country: '',
  system: '',
  browser: '',
  serviceKey: '',
};

const textOf = (link: string | undefined): string => {
  const mail = noticeMail('jan@example.nl', LOGIN, link, 'Europe/Brussels');
  const secrets = 'secrets' in mail ? mail.secrets : {};
  const content = { template: mail.template, values: { ...mail.values, ...secrets } } as MailContent;
  return renderMail(content, mail.language, SENDER).text;
};

describe('the mail about a login', () => {
  it('says what is known, without a line for the rest', () => {
    const facts = '\n\nWhen: 22 December 2026 at 15:05 CET\nIP address: 192.0.2.1\n\n';
    for (const link of ['https://api.example/account/end-login/abc', undefined])
      expect(textOf(link)).toContain(facts);
  });

  it('has the link that ends the login, or says how to end it without one', () => {
    const link = 'https://api.example/account/end-login/abc';
    expect(textOf(link)).toContain(`${link}\n\nThe link is valid for 72 hours and works once.`);
    expect(textOf(undefined)).toContain('in the list of your logins');
    expect(textOf(undefined)).not.toMatch(/https?:|72 hours/);
  });
});
