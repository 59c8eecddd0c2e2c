import { parseSettings, readSettings } from './env';
import { startWarnings } from './start-warnings';

it('leads links to its own pages, unless there are templates or PAGES is off', () => {
  const PUBLIC_URL = 'https://api.example/account-api';
  expect(readSettings({ PUBLIC_URL })).toMatchObject({
    pages: true,
    resetUrlTemplate: `${PUBLIC_URL}/account/password/{token}`,
    invitationUrlTemplate: `${PUBLIC_URL}/account/invitation/{token}`,
    linksToDocumentPages: true,
  });
  const RESET_URL_TEMPLATE = 'https://panel.example/{token}';
  expect(readSettings({ PUBLIC_URL, RESET_URL_TEMPLATE })).toMatchObject({
    pages: true,
    resetUrlTemplate: RESET_URL_TEMPLATE,
    invitationUrlTemplate: `${PUBLIC_URL}/account/invitation/{token}`,
    linksToDocumentPages: false,
  });
  expect(readSettings({ PUBLIC_URL, PAGES: 'off' })).toMatchObject({
    pages: false,
    resetUrlTemplate: 'http://localhost:3000/reset/{token}',
    invitationUrlTemplate: 'http://localhost:3000/register/{organisationId}/{invitationId}/{token}',
    linksToDocumentPages: false,
  });
});

describe('links to localhost are warned of', () => {
  const RESET_URL_TEMPLATE = 'https://panel.example/reset/{token}';
  const INVITATION_URL_TEMPLATE = 'https://panel.example/register/{token}';
  const PUBLIC_URL = 'https://api.example';
  const warningsOf = (env: Record<string, string>): string[] => {
    const mailing = { SMTP_URL: 'smtp://mail', ...env };
    return startWarnings(readSettings(mailing), mailing);
  };
  const missing = (names: string): string[] => [`${names} not set: links in mails lead to localhost`];

  it('by PUBLIC_URL alone, beneath which the pages are', () => {
    expect(warningsOf({})).toEqual(missing('PUBLIC_URL'));
    expect(warningsOf({ RESET_URL_TEMPLATE, INVITATION_URL_TEMPLATE })).toEqual(missing('PUBLIC_URL'));
    expect(warningsOf({ PUBLIC_URL })).toEqual([]);
  });

  it('by the templates too with PAGES=off', () => {
    const PAGES = 'off';
    expect(warningsOf({ PAGES })).toEqual(
      missing('RESET_URL_TEMPLATE, INVITATION_URL_TEMPLATE and PUBLIC_URL'),
    );
    expect(warningsOf({ PAGES, PUBLIC_URL, RESET_URL_TEMPLATE })).toEqual(missing('INVITATION_URL_TEMPLATE'));
    expect(warningsOf({ PAGES, PUBLIC_URL, RESET_URL_TEMPLATE, INVITATION_URL_TEMPLATE })).toEqual([]);
  });
});

describe('whose pages and mails these are', () => {
  const faultOf = (env: Record<string, string>): string[] => parseSettings(env).faults;

  it('is nobody by default, in the zone of Brussels', () => {
    expect(readSettings({})).toMatchObject({
      ...{ companyName: undefined, supportUrl: undefined, panelUrl: undefined },
      timeZone: 'Europe/Brussels',
    });
  });

  it('is what the settings say', () => {
    const env = {
      COMPANY_NAME: ' Hoster & Zn. ',
      PANEL_URL: 'https://panel.example/#/login',
      TIME_ZONE: 'UTC',
    };
    expect(readSettings({ ...env, SUPPORT_URL: 'https://help.example/a?b=c' })).toMatchObject({
      ...{ companyName: 'Hoster & Zn.', panelUrl: 'https://panel.example/#/login', timeZone: 'UTC' },
      supportUrl: 'https://help.example/a?b=c',
    });
    expect(readSettings({ SUPPORT_URL: 'help?subject=x@hoster.example' }).supportUrl).toBe(
      'mailto:help%3Fsubject%3Dx@hoster.example',
    );
  });

  it.each([
    ['COMPANY_NAME', 'x'.repeat(101), 'must be one line of at most 100 characters'],
    ['COMPANY_NAME', 'a\nb', 'must be one line of at most 100 characters'],
    ['COMPANY_NAME', 'a\u202eb', 'must be one line of at most 100 characters'],
    ['SUPPORT_URL', 'javascript:alert(1)', 'must be an http or https URL, or an e-mail address'],
    ['SUPPORT_URL', 'help', 'must be an http or https URL, or an e-mail address'],
    ['SUPPORT_URL', 'mailto:help@hoster.example', 'must be an http or https URL, or an e-mail address'],
    ['SUPPORT_URL', 'https://', 'must be a URL starting with http:// or https://'],
    ['PANEL_URL', 'javascript:alert(1)', 'must be a URL starting with http:// or https://'],
    ['PANEL_URL', 'panel.example', 'must be a URL starting with http:// or https://'],
    ['TIME_ZONE', 'Europe/Bruxelles', 'must be a time zone of the IANA list, such as Europe/Brussels'],
    ['TIME_ZONE', '+01:00', 'must be a time zone of the IANA list, such as Europe/Brussels'],
  ])('%s refuses %j in one line', (name, text, fault) => {
    expect(faultOf({ [name]: text })).toEqual([`${name} ${fault}, but is ${JSON.stringify(text)}`]);
  });
});
