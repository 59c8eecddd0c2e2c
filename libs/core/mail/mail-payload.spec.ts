import { SecretsKeyring, UnreadableSecret } from '../secrets/encryption';
import { openedValues, sealedPayload } from './mail-payload';
import type { OutgoingMail } from './mail.types';

const keyring = new SecretsKeyring([Buffer.alloc(32, 1)]);
const MAIL: OutgoingMail = {
  template: 'invitation',
  to: 'jan@example.nl',
  language: 'nl',
  values: { firstName: 'Jan', organisation: 'Bakkerij' },
  secrets: { link: 'https://panel.example/planted-token' },
  expiresAt: new Date('2026-01-02T03:04:05.678Z'),
};

describe('the payload of a waiting mail', () => {
  it('holds secrets encrypted and gives them back', () => {
    const payload = sealedPayload(keyring, 'id-1', MAIL);
    expect(JSON.stringify(payload)).not.toContain('planted-token');
    expect(payload.expiresAt).toBe('2026-01-02T03:04:05.678Z');
    expect(openedValues(keyring, payload)).toEqual({ ...MAIL.values, ...MAIL.secrets });
  });

  it('can not be opened as another mail', () => {
    const payload = sealedPayload(keyring, 'id-1', MAIL);
    expect(() => openedValues(keyring, { ...payload, mailId: 'id-2' })).toThrow(UnreadableSecret);
  });
});
