import { kindNamed } from '../../../test/support/generators/notification-kinds';
import { notificationText } from './notification-text';

const SENDER = { companyName: undefined, supportUrl: undefined, timeZone: 'UTC' } as never;

describe('the text about the end of a grant', () => {
  it.each([
    ['nl', 'Contacten die langs deze weg zijn gemaakt en er nog zijn: “a@x.example”, + 3'],
    ['en', 'Contacts that were made by it and are still there: “a@x.example”, + 3'],
    ['fr', 'Contacts créés par ce biais et toujours présents: «\u00a0a@x.example\u00a0», + 3'],
  ] as const)('names in %s what is still there', (language, line) => {
    const { text } = notificationText(
      {
        kind: kindNamed('Grant.given_ended'),
        entityName: '',
        isWritten: false,
        subject: null,
        params: { organisation: 7, contactsOfGrant: ['a@x.example', '+ 3'], usersOfGrant: ['b@x.example'] },
        actor: null,
      },
      language,
      SENDER,
    );
    expect(text.split('\n')).toHaveLength(4);
    expect(text.split('\n')).toContain(line);
  });
});
