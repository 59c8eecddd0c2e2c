import { SecretsKeyring, UnreadableSecret } from '@app/security/secrets/encryption';
import type { OutgoingMail } from './mail.types';
import { openedContent, referenceOf, sealedPayload } from './outbox';

const keyring = new SecretsKeyring([Buffer.alloc(32, 1)]);
const MAIL: OutgoingMail = {
  template: 'invitation',
  to: 'jan@example.nl',
  language: 'nl',
  values: { firstName: 'Jan', organisation: 'Bakkerij', inviter: 'Anna Smit', endDate: '1 juli' },
  secrets: { link: 'https://panel.example/planted-token' },
  expiresAt: new Date('2026-01-02T03:04:05.678Z'),
};

describe('the payload of a waiting mail', () => {
  it('holds secrets encrypted and gives them back', () => {
    const payload = sealedPayload(keyring, 'id-1', MAIL);
    expect(JSON.stringify(payload)).not.toContain('planted-token');
    expect(payload.expiresAt).toBe('2026-01-02T03:04:05.678Z');
    expect(openedContent(keyring, payload)).toEqual({
      template: 'invitation',
      values: { ...MAIL.values, link: 'https://panel.example/planted-token' },
    });
  });

  it('can not be opened as another mail', () => {
    const payload = sealedPayload(keyring, 'id-1', MAIL);
    expect(() => openedContent(keyring, { ...payload, mailId: 'id-2' })).toThrow(UnreadableSecret);
  });

  it('names the delivery that it settles, also for and from workers of version 1.0', () => {
    const settles = { kind: 'invitation', id: 12 } as const;
    const payload = sealedPayload(keyring, 'id-1', { ...MAIL, settles });
    expect(payload).toMatchObject({ settles, reference: 'invited:12' });
    expect(referenceOf(payload)).toEqual(settles);
    expect(referenceOf({ ...payload, settles: undefined })).toEqual(settles);
    expect(referenceOf(sealedPayload(keyring, 'id-1', MAIL))).toBeUndefined();
  });
});
