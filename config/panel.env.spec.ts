import { parseSettings, readSettings } from './env';
import { startWarnings } from './start-warnings';

const RESET_URL_TEMPLATE = '{panel}/reset/{token}';
const INVITATION_URL_TEMPLATE = '{panel}/join/{organisationId}/{token}';
const PANEL_URL = 'https://panel.example/';

const faultsOf = (env: Record<string, string>): string[] => parseSettings(env).faults;

it('stands at the beginning of templates for the panel', () => {
  expect(readSettings({ RESET_URL_TEMPLATE, INVITATION_URL_TEMPLATE, PANEL_URL })).toMatchObject({
    resetUrlTemplate: RESET_URL_TEMPLATE,
    invitationUrlTemplate: INVITATION_URL_TEMPLATE,
    panelUrl: PANEL_URL,
  });
});

it('needs PANEL_URL, said in one line', () => {
  expect(faultsOf({ RESET_URL_TEMPLATE })).toEqual([
    'PANEL_URL is required with {panel} in RESET_URL_TEMPLATE',
  ]);
  expect(faultsOf({ LOGIN_URL_TEMPLATE: '{panel}/enter#{token}' })).toEqual([
    'PANEL_URL is required with {panel} in LOGIN_URL_TEMPLATE',
  ]);
  expect(faultsOf({ RESET_URL_TEMPLATE, INVITATION_URL_TEMPLATE })).toEqual([
    'PANEL_URL is required with {panel} in RESET_URL_TEMPLATE and INVITATION_URL_TEMPLATE',
  ]);
});

it.each(['https://panel.example/?a=1', 'https://panel.example/#/login', 'https://jan@panel.example'])(
  'needs a PANEL_URL to which a path can be added, not %s',
  (url) => {
    expect(faultsOf({ RESET_URL_TEMPLATE, PANEL_URL: url })).toEqual([
      'PANEL_URL must have no user name, no ? and no # with {panel} in RESET_URL_TEMPLATE',
    ]);
    expect(faultsOf({ PANEL_URL: url })).toEqual([]);
  },
);

it.each([
  'https://panel.example/{panel}/{token}',
  '{panel}reset/{token}',
  '{panel}/{panel}/{token}',
  '{panel}/reset',
])('stands nowhere else: %s', (template) => {
  expect(faultsOf({ RESET_URL_TEMPLATE: template, PANEL_URL })).toEqual([
    expect.stringMatching(/^RESET_URL_TEMPLATE must /),
  ]);
});

it('is not known to USERNAME_URL_TEMPLATE', () => {
  expect(faultsOf({ USERNAME_URL_TEMPLATE: '{panel}/name/{token}', PANEL_URL })).toEqual([
    expect.stringMatching(/^USERNAME_URL_TEMPLATE must be an absolute URL/),
  ]);
});

it('is warned of as the panel is', () => {
  const mailing = { SMTP_URL: 'smtp://mail', MAIL_FROM: 'a@b.example', PUBLIC_URL: 'https://api.example' };
  const warningsWith = (url: string): string[] => {
    const env = { ...mailing, RESET_URL_TEMPLATE, PANEL_URL: url, SUPPORT_URL: 'help@panel.example' };
    return startWarnings(readSettings(env), env);
  };
  expect(warningsWith('https://panel.example')).toEqual([]);
  expect(warningsWith('http://localhost:4200')).toEqual([
    'RESET_URL_TEMPLATE on localhost: links in mails open on this machine alone',
  ]);
});
