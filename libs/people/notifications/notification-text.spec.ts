import { kindNamed } from '../../../test/support/generators/notification-kinds';
import { type DescribedEvent, notificationText } from './notification-text';

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

describe('the text about an event', () => {
  const textOf = (name: string, told: Partial<DescribedEvent>, operator: object = SENDER): string =>
    notificationText(
      {
        kind: kindNamed(name),
        otherParams: {},
        entityId: 5,
        entityName: 'Bakkerij',
        isWritten: false,
        subject: null,
        params: {},
        actor: null,
        isOwnAct: false,
        owner: null,
        at: new Date('2026-11-28T13:05:00Z'),
        ...told,
      },
      { isUser: false, name: '' },
      'en',
      SENDER,
      operator as never,
    ).text;

  it.each([
    ['2026-11-28 13:05 UTC', 'Reason: 28 November 2026 at 13:05 UTC'],
    ['2026-99-99 99:99 UTC', 'Reason: “2026-99-99 99:99 UTC”'],
  ])('has the reason %s, also if it only looks like a time', (reason, line) => {
    expect(textOf('Organisation.disabled', { params: { reason } }).split('\n\n')).toContain(line);
  });

  it.each([
    ['2026-11-28 13:05 UTC', 'until: 28 November 2026 at 13:05 UTC'],
    ['2026-99-99 99:99 UTC', 'until: 2026-99-99 99:99 UTC'],
  ])('has %s of what somebody wrote, also if it only looks like a time', (until, line) => {
    expect(textOf('Organisation.disabled', { isWritten: true, params: { until } }).split('\n')).toContain(
      line,
    );
  });

  it.each(['constructor', 'toString', '__proto__'])('calls the param %s by its name', (param) => {
    const params = Object.fromEntries([[param, 'x']]);
    const text = textOf('Organisation.disabled', { isWritten: true, params });
    expect(text.split('\n')).toContain(`${param}: x`);
  });

  it('names the operator as it is, also with signs that a replacement would read', () => {
    const params = { reason: 'asked for', until: '2026-11-28 13:05 UTC' };
    expect(textOf('User.support_login', { params }, { companyName: "Ca$$ $' & $&" })).toContain(
      "please contact Ca$$ $' & $&.",
    );
  });
});
