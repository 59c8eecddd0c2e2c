import { dateIn } from './mail-dates';

describe('dateIn', () => {
  it.each([
    ['nl', '1 maart 2026 om 23:05 UTC'],
    ['en', '1 March 2026 at 23:05 UTC'],
    ['fr', '1 mars 2026 à 23:05 UTC'],
  ] as const)('says an instant in %s, with its zone', (language, text) => {
    expect(dateIn(language, new Date('2026-03-01T23:05:59Z'))).toBe(text);
  });
});
