import { dateIn, linkFrom } from './mail-values';

describe('links in mails', () => {
  it('encodes what it fills in', () => {
    const template = 'https://panel.example/reset/{token}?again={token}&keep={other}';
    expect(linkFrom(template, { token: 'a/b?c&d#e f$&' })).toBe(
      'https://panel.example/reset/a%2Fb%3Fc%26d%23e%20f%24%26?again=a%2Fb%3Fc%26d%23e%20f%24%26&keep={other}',
    );
  });

  it('fills in organisation and invitation', () => {
    const invitationUrlTemplate = 'https://panel.example/{organisationId}/{invitationId}/{token}';
    expect(linkFrom(invitationUrlTemplate, { token: 't', organisationId: 12, invitationId: 7 })).toBe(
      'https://panel.example/12/7/t',
    );
  });
});

describe('dateIn', () => {
  it.each([
    ['nl', '1 maart 2026 om 23:05 UTC'],
    ['en', '1 March 2026 at 23:05 UTC'],
    ['fr', '1 mars 2026 à 23:05 UTC'],
  ] as const)('says an instant in %s, with its zone', (language, text) => {
    expect(dateIn(language, new Date('2026-03-01T23:05:59Z'))).toBe(text);
  });
});
