import { kindNamed } from '../../../test/support/generators/notification-kinds';
import { notificationText } from './notification-text';

const SENDER = { companyName: undefined, supportUrl: undefined, timeZone: 'UTC' } as never;

describe('the text about a grant', () => {
  it.each([
    ['nl', 'Organisatie nr. 7 ', 'Geldig tot: 28 november 2026 om 13:05 UTC'],
    ['en', 'The organisation no. 7 ', 'Valid until: 28 November 2026 at 13:05 UTC'],
    ['fr', 'L’organisation n° 7 ', 'Valable jusqu’au\u00a0: 28 novembre 2026 à 13:05 UTC'],
  ] as const)(
    'names in %s by its id whose name the reader may not know, and the end',
    (language, number, line) => {
      const { text } = notificationText(
        {
          kind: kindNamed('Grant.given_begun'),
          entityId: 5,
          entityName: '',
          isWritten: false,
          subject: null,
          params: { organisation: 7, until: '2026-11-28 13:05 UTC' },
          actor: null,
          isOwnAct: true,
          owner: null,
          at: new Date('2026-11-28T13:05:00Z'),
        },
        { isUser: false, name: '' },
        language,
        SENDER,
        SENDER,
      );
      const [, told = '', lines = ''] = text.split('\n\n');
      expect(told).toContain(number);
      expect(lines).toBe(line);
    },
  );
});
