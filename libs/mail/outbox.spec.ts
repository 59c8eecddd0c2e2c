import { SecretsKeyring, UnreadableSecret } from '@app/security/secrets/encryption';
import type { OutgoingMail } from './mail.types';
import { openedMail, storedContent } from './outbox';

const keyring = SecretsKeyring.parse(Buffer.alloc(32, 1).toString('base64'));
const MAIL: OutgoingMail = {
  template: 'invitation',
  to: 'jan@example.nl',
  language: 'nl',
  values: { organisation: 'Bakkerij', inviter: 'Anna Smit', endDate: '1 juli' },
  secrets: { link: 'https://panel.example/planted-token' },
};

describe('a mail that waits', () => {
  it('holds secrets encrypted and gives them back', () => {
    const stored = storedContent(keyring, 'id-1', MAIL);
    expect(JSON.stringify(stored)).not.toContain('planted-token');
    expect(openedMail(keyring, stored)).toEqual({
      to: 'jan@example.nl',
      content: {
        template: 'invitation',
        values: { ...MAIL.values, link: 'https://panel.example/planted-token' },
      },
    });
  });

  it('cannot be opened as another mail', () => {
    const stored = storedContent(keyring, 'id-1', MAIL);
    expect(() => openedMail(keyring, { ...stored, messageId: 'id-2' })).toThrow(UnreadableSecret);
  });
});
