import { kindNamed } from '../../../test/support/generators/notification-kinds';
import { notificationText } from './notification-text';

const SENDER = { companyName: undefined, supportUrl: undefined, timeZone: 'UTC' } as never;

describe('the text about the end of a grant', () => {
  it.each([
    [
      'nl',
      'Organisatie nr. 7 ',
      'Contacten die via deze toegang zijn aangemaakt en nog bestaan: “a@x.example”, +\u00a03',
    ],
    [
      'en',
      'The organisation no. 7 ',
      'Contacts that were created through this access and still exist: “a@x.example”, +\u00a03',
    ],
    [
      'fr',
      'L’organisation n° 7 ',
      'Contacts créés grâce à cet accès et toujours présents\u00a0: «\u00a0a@x.example\u00a0», +\u00a03',
    ],
  ] as const)('names in %s what is still there', (language, number, line) => {
    const { text } = notificationText(
      {
        kind: kindNamed('Grant.given_ended'),
        entityId: 5,
        entityName: '',
        isWritten: false,
        subject: null,
        params: { organisation: 7, contactsOfGrant: ['a@x.example', '+ 3'], usersOfGrant: ['b@x.example'] },
        actor: null,
        isOwnAct: true,
        owner: null,
        at: new Date('2026-11-28T13:05:00Z'),
      },
      { isUser: false },
      language,
      SENDER,
    );
    const [, told = '', lines = ''] = text.split('\n\n');
    expect(told).toContain(number);
    expect(lines.split('\n')).toHaveLength(2);
    expect(lines.split('\n')).toContain(line);
  });
});
