import { carriesLinks, PANEL } from '@app/formats/panel-link';
import { optional, setting } from './setting';
import * as parse from './setting-parsers';

/** Links that work only on the machine of the service. */
const localUrl = (port: number): string => `http://localhost:${port}`;
const localResetUrl = (port: number): string => `${localUrl(port)}/reset/{token}`;
const localInvitationUrl = (port: number): string =>
  `${localUrl(port)}/register/{organisationId}/{invitationId}/{token}`;
const localUsernameUrl = (port: number): string => `${localUrl(port)}/username/{token}`;

/** Links to the pages of this service. */
export const resetPageUrl = (url: string): string => `${url}/account/password/{token}`;
export const invitationPageUrl = (url: string): string => `${url}/account/invitation/{token}`;
const usernamePageUrl = (url: string): string => `${url}/account/username/{token}`;

/** The settings for mails, and for the links in them. */
export const MAIL_AND_LINKS = {
  smtpUrl: optional(
    'SMTP_URL',
    parse.urlWith('smtp', 'smtps'),
    'mail server, `smtp://` or `smtps://`; without one mails become `.eml` files in `DATA_DIR/mail`',
    { secret: true, deployment: 'smtps://user:PASSWORD@mail.example.com' },
  ),
  sender: setting(
    'MAIL_FROM',
    parse.mailSender,
    'no-reply@localhost.localdomain',
    'sender of every mail; an address or `Example Hosting <no-reply@example.com>`, the name in double quotes if it has parentheses, colons or the like',
    {
      example: '"Example Hosting <no-reply@example.com>"',
      deployment: 'Example Hosting <no-reply@panel.example.com>',
    },
  ),
  companyName: optional(
    'COMPANY_NAME',
    parse.companyName,
    'name of the company at the head of [pages](sign-in-pages.md#whose-pages-they-are) and mails, of at most 100 characters',
    { instead: 'the name in `MAIL_FROM`', example: '' },
  ),
  supportUrl: optional(
    'SUPPORT_URL',
    parse.pageOrAddress,
    'page (`https://…`) or e-mail address that pages and mails name for help',
    { example: '', deployment: 'help@example.com' },
  ),
  panelUrl: optional(
    'PANEL_URL',
    parse.webPage,
    'page where users log in, to which pages and mails lead; required where a template has `{panel}`, then without user name, `?` and `#`',
    { example: '', deployment: 'https://panel.example.com/login' },
  ),
  timeZone: setting(
    'TIME_ZONE',
    parse.timeZone,
    'Europe/Brussels',
    'zone of times in pages and mails, by its IANA name',
    { example: '' },
  ),
  publicUrl: setting(
    'PUBLIC_URL',
    parse.publicUrl,
    ({ port }) => localUrl(port),
    'URL of this service for clients, without `/v1` at the end; links to pages and documents in mails begin with it',
    { example: '', deployment: 'https://api.example.com' },
  ),
  pages: setting(
    'PAGES',
    parse.onOff,
    'on',
    'this service has [pages](sign-in-pages.md) behind the links of mails, at `PUBLIC_URL` `/account/…`',
    { example: '' },
  ),
  resetUrlTemplate: setting(
    'RESET_URL_TEMPLATE',
    parse.panelTemplate,
    (before) => (before.pages ? resetPageUrl(before.publicUrl) : localResetUrl(before.port)),
    'link in recovery mails, with `{token}`; a `{panel}` at its beginning is the panel of [who ' +
      'sends it](brands.md); without it the page beneath `PUBLIC_URL`, or with `PAGES=off` ' +
      '`http://localhost:{PORT}/reset/{token}`',
    { example: '', deployment: 'https://panel.example.com/reset/{token}' },
  ),
  invitationUrlTemplate: setting(
    'INVITATION_URL_TEMPLATE',
    parse.panelTemplate,
    (before) => (before.pages ? invitationPageUrl(before.publicUrl) : localInvitationUrl(before.port)),
    'link in invitation mails, with `{token}`, `{organisationId}`, `{invitationId}` and, at its ' +
      'beginning, `{panel}`; without it the page beneath `PUBLIC_URL`, or with `PAGES=off` ' +
      '`http://localhost:{PORT}/register/{organisationId}/{invitationId}/{token}`',
    {
      example: '',
      deployment: 'https://panel.example.com/register/{organisationId}/{invitationId}/{token}',
    },
  ),
  usernameUrlTemplate: setting(
    'USERNAME_URL_TEMPLATE',
    parse.urlTemplate,
    (before) => (before.pages ? usernamePageUrl(before.publicUrl) : localUsernameUrl(before.port)),
    'link in mails to a new user name, which verifies it, with `{token}`; without it the page ' +
      'beneath `PUBLIC_URL`, or with `PAGES=off` `http://localhost:{PORT}/username/{token}`',
    { example: '', deployment: 'https://panel.example.com/username/{token}' },
  ),
  loginUrlTemplate: optional(
    'LOGIN_URL_TEMPLATE',
    parse.panelTemplate,
    'page of the panel that login links lead to, with `{token}` and, at its beginning, `{panel}`; without it answers have the token alone',
    { example: '', hint: 'A panel has https://panel.example.com/enter#{token}' },
  ),
  mailHourlyLimit: setting(
    'MAIL_HOURLY_LIMIT',
    parse.hourlyLimit,
    '300',
    'maximum of invitations and notifications mailed for one organisation in an hour, ten times as many for one customer, or `off`; ' +
      'what is above goes out later, as many as leave in three days',
  ),
};

interface PanelTemplates {
  readonly resetUrlTemplate: string;
  readonly invitationUrlTemplate: string;
  readonly loginUrlTemplate: string | undefined;
}

/** The templates that may begin with `{panel}`. */
const PANEL_TEMPLATES: Readonly<Record<string, keyof PanelTemplates>> = {
  RESET_URL_TEMPLATE: 'resetUrlTemplate',
  INVITATION_URL_TEMPLATE: 'invitationUrlTemplate',
  LOGIN_URL_TEMPLATE: 'loginUrlTemplate',
};

/** The fault of a template that begins with a panel to which no link can lead. */
export function faultOfPanel(
  settings: PanelTemplates & { readonly panelUrl: string | undefined },
): string | undefined {
  const { panelUrl } = settings;
  const names = Object.entries(PANEL_TEMPLATES)
    .filter(([, member]) => settings[member]?.startsWith(PANEL))
    .map(([name]) => name);
  if (names.length === 0) return undefined;
  const where = `with ${PANEL} in ${names.join(' and ')}`;
  if (panelUrl === undefined) return `PANEL_URL is required ${where}`;
  return carriesLinks(panelUrl) ? undefined : `PANEL_URL must have no user name, no ? and no # ${where}`;
}
