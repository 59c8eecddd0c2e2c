import { dateIn, linkFrom, quotedInShort } from './mail-values';

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
    ['nl', 'UTC', '1 maart 2026 om 23:05 UTC'],
    ['nl', 'Europe/Brussels', '2 maart 2026 om 00:05 CET'],
    ['en', 'Europe/Brussels', '2 March 2026 at 00:05 CET'],
    ['fr', 'Europe/Brussels', '2 mars 2026 à 00:05 CET'],
    ['fr', 'UTC', '1er mars 2026 à 23:05 UTC'],
    ['nl', 'America/New_York', '1 maart 2026 om 18:05 GMT-5'],
  ] as const)('says an instant in %s and %s, with its zone', (language, zone, text) => {
    expect(dateIn(language, new Date('2026-03-01T23:05:59Z'), zone)).toBe(text);
  });
});

describe('a name that strangers are shown', () => {
  it.each([
    ['en', 'Jan de Vries', '“Jan de Vries”'],
    ['fr', 'Élan "S.A."', "«\u00a0Élan 'S. A.'\u00a0»"],
    ['nl', 'unblock at evil.example/a.b', '“unblock at evil. example/a. b”'],
    ['nl', 'https://www.evil1.example', '“https: //www .evil1. example”'],
    ['en', `${'a'.repeat(49)}.example`, `“${'a'.repeat(49)}…”`],
    ['en', 'b'.repeat(50), `“${'b'.repeat(50)}”`],
  ] as const)('is quoted, cut and no link: %s %s', (language, text, shown) => {
    expect(quotedInShort(language, text)).toBe(shown);
  });
});
