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
  const USERNAME_URL_TEMPLATE = 'https://panel.example/username/{token}';
  const PUBLIC_URL = 'https://api.example';
  const warningsOf = (env: Record<string, string>): string[] => {
    const leads = { PANEL_URL: 'https://panel.example', SUPPORT_URL: 'help@panel.example' };
    const mailing = { SMTP_URL: 'smtp://mail', MAIL_FROM: 'no-reply@panel.example', ...leads, ...env };
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
      missing('RESET_URL_TEMPLATE, INVITATION_URL_TEMPLATE, USERNAME_URL_TEMPLATE and PUBLIC_URL'),
    );
    expect(warningsOf({ PAGES, PUBLIC_URL, RESET_URL_TEMPLATE, USERNAME_URL_TEMPLATE })).toEqual(
      missing('INVITATION_URL_TEMPLATE'),
    );
    const both = { PAGES, PUBLIC_URL, RESET_URL_TEMPLATE, INVITATION_URL_TEMPLATE };
    expect(warningsOf(both)).toEqual(missing('USERNAME_URL_TEMPLATE'));
    expect(warningsOf({ ...both, USERNAME_URL_TEMPLATE })).toEqual([]);
  });
});

describe('whose pages and mails these are', () => {
  const faultOf = (env: Record<string, string>): string[] => parseSettings(env).faults;

  it('is nobody by default, in the zone of Brussels', () => {
    expect(readSettings({})).toMatchObject({
      companyName: undefined,
      supportUrl: undefined,
      panelUrl: undefined,
      timeZone: 'Europe/Brussels',
    });
  });

  it('is what the settings say', () => {
    const env = {
      MAIL_FROM: ' Hoster & Zn. <no-reply@hoster.example> ',
      PANEL_URL: 'https://panel.example/#/login',
      TIME_ZONE: 'UTC',
    };
    expect(readSettings({ ...env, SUPPORT_URL: 'https://help.example/a?b=c' })).toMatchObject({
      companyName: 'Hoster & Zn.',
      mailFrom: 'no-reply@hoster.example',
      panelUrl: 'https://panel.example/#/login',
      timeZone: 'UTC',
      supportUrl: 'https://help.example/a?b=c',
    });
    expect(readSettings({ SUPPORT_URL: 'help?subject=x@hoster.example' }).supportUrl).toBe(
      'mailto:help%3Fsubject%3Dx@hoster.example',
    );
  });

  it.each([
    ['no-reply@hoster.example', undefined],
    ['"" <no-reply@hoster.example>', undefined],
    ['Hoster <no-reply@hoster.example>', 'Hoster'],
    ['"Hoster" <no-reply@hoster.example>', 'Hoster'],
    ['Hoster, Inc. <no-reply@hoster.example>', 'Hoster, Inc.'],
    ['"Hoster (NL): \\"web\\" \\\\ <mail>" <no-reply@hoster.example>', 'Hoster (NL): "web" \\ <mail>'],
    ["L'Hébergeur “été” <no-reply@hoster.example>", "L'Hébergeur “été”"],
    [`${'x'.repeat(100)} <no-reply@hoster.example>`, 'x'.repeat(100)],
  ])('is the name in MAIL_FROM=%s', (text, companyName) => {
    expect(parseSettings({ MAIL_FROM: text })).toMatchObject({
      faults: [],
      settings: { mailFrom: 'no-reply@hoster.example', mailFromName: companyName, companyName },
    });
  });

  it('is COMPANY_NAME, which names the sender only where MAIL_FROM does not', () => {
    const company = { COMPANY_NAME: 'Hoster Group' };
    expect(parseSettings({ ...company, MAIL_FROM: 'Hoster <no-reply@hoster.example>' })).toMatchObject({
      faults: [],
      settings: { mailFromName: 'Hoster', companyName: 'Hoster Group' },
    });
    expect(parseSettings({ ...company, MAIL_FROM: 'no-reply@hoster.example' }).settings).toMatchObject({
      mailFromName: 'Hoster Group',
      companyName: 'Hoster Group',
    });
  });

  it.each(['x'.repeat(101), 'Hoster\u202E', 'Hoster\nBV'])('is in one line and short, not %j', (text) => {
    expect(parseSettings({ COMPANY_NAME: text }).faults).toEqual([
      expect.stringMatching(/^COMPANY_NAME must be one line of at most 100 characters/),
    ]);
  });

  it.each([
    'hoster.example',
    'Hoster',
    'Hoster <hoster.example>',
    'Hoster (NL) <no-reply@hoster.example>',
    'no-reply@hoster.example (Hoster)',
    'Hoster: <no-reply@hoster.example>',
    'Hoster <no reply@hoster.example>',
    'Hoster <no-reply@hoster.example',
    'Hoster <no-reply@hoster.example> Ltd',
    '"Hoster <no-reply@hoster.example>"',
    'Hoster <no-reply@hoster.example>, Other <other@hoster.example>',
    'no-reply@hoster.example, other@hoster.example',
    'Hoster <"no reply"@hoster.example>',
  ])('MAIL_FROM refuses %s in one line', (text) => {
    expect(faultOf({ MAIL_FROM: text })).toEqual([
      `MAIL_FROM must be an e-mail address, alone or as in "Example Hosting (NL)" <no-reply@example.com>, but is ${JSON.stringify(text)}`,
    ]);
  });

  const NAME_FAULT = 'must be one line, with a name of at most 100 characters';

  it.each([
    ['MAIL_FROM', `${'x'.repeat(101)} <a@hoster.example>`, NAME_FAULT],
    ['MAIL_FROM', 'a\nb <a@hoster.example>', NAME_FAULT],
    ['MAIL_FROM', '"a\r\nBcc: b@hoster.example" <a@hoster.example>', NAME_FAULT],
    ['MAIL_FROM', 'a\u202eb <a@hoster.example>', NAME_FAULT],
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
