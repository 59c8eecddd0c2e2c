import { SecretsKeyring, UnreadableSecret } from '@app/security/secrets/encryption';
import type { OutgoingMail } from './mail.types';
import { openedMail, sealedPayload } from './outbox';

const keyring = SecretsKeyring.parse(Buffer.alloc(32, 1).toString('base64'));
const MAIL: OutgoingMail = {
  template: 'invitation',
  to: 'jan@example.nl',
  language: 'nl',
  values: { firstName: 'Jan', organisation: 'Bakkerij', inviter: 'Anna Smit', endDate: '1 juli' },
  secrets: { link: 'https://panel.example/planted-token' },
  expiresAt: new Date('2026-01-02T03:04:05.678Z'),
};

const ORIGIN = { publicUrl: 'https://api.example', pages: true, panelUrl: undefined, supportUrl: undefined };

describe('the payload of a waiting mail', () => {
  it('holds secrets encrypted and gives them back', () => {
    const payload = sealedPayload(keyring, 'id-1', MAIL, ORIGIN);
    expect(JSON.stringify(payload)).not.toContain('planted-token');
    expect(payload.expiresAt).toBe('2026-01-02T03:04:05.678Z');
    expect(openedMail(keyring, payload).content).toEqual({
      template: 'invitation',
      values: { ...MAIL.values, link: 'https://panel.example/planted-token' },
    });
  });

  it('cannot be opened as another mail', () => {
    const payload = sealedPayload(keyring, 'id-1', MAIL, ORIGIN);
    expect(() => openedMail(keyring, { ...payload, mailId: 'id-2' })).toThrow(UnreadableSecret);
  });

  it('names the delivery that it settles, if any', () => {
    const settles = { kind: 'invitation', id: 12 } as const;
    expect(sealedPayload(keyring, 'id-1', { ...MAIL, settles }, ORIGIN).settles).toEqual(settles);
    expect(sealedPayload(keyring, 'id-1', MAIL, ORIGIN)).not.toHaveProperty('settles');
  });

  it('of a deleted user holds the address encrypted too', () => {
    const payload = sealedPayload(keyring, 'id-1', { ...MAIL, deletedUserId: 7 }, ORIGIN);
    expect(JSON.stringify(payload)).not.toContain('jan@example.nl');
    expect(openedMail(keyring, payload)).toEqual({
      to: 'jan@example.nl',
      content: {
        template: 'invitation',
        values: { ...MAIL.values, link: 'https://panel.example/planted-token' },
      },
    });
  });
});
