import { readSettings } from './env';
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
