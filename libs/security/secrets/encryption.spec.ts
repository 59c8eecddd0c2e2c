import { createDecipheriv, hkdfSync } from 'node:crypto';
import { SecretsKeyring, UnreadableSecret } from './encryption';

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);
const CONTEXT = 'users.totp_secret:42';

const base64 = (key: Buffer): string => key.toString('base64');

const ring = SecretsKeyring.parse(base64(OLD));
const rotated = SecretsKeyring.parse(`${base64(NEW)},${base64(OLD)}`);

describe('SecretsKeyring', () => {
  it.each(['', 'JBSWY3DPEHPK3PXP', 'é€😀'.repeat(500)])('gives back what was encrypted', (plain) => {
    expect(ring.decrypt(ring.encrypt(plain, CONTEXT), CONTEXT)).toBe(plain);
  });

  it('writes the documented format: plain AES-256-GCM under the derived key opens it', () => {
    const [version, keyId, body] = ring.encrypt('secret', CONTEXT).split('.');
    const bytes = Buffer.from(body ?? '', 'base64url');
    const key = Buffer.from(hkdfSync('sha256', OLD, '', 'account-api encryption', 32));
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
    decipher.setAAD(Buffer.from(`${version}.${keyId}.${CONTEXT}`));
    decipher.setAuthTag(bytes.subarray(-16));
    expect(decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')).toBe(
      'secret',
    );
    expect(version).toBe('v1');
    expect(keyId).toMatch(/^[0-9a-f]{8}$/);
  });

  it('encrypts the same value differently each time', () => {
    expect(ring.encrypt('same', CONTEXT)).not.toBe(ring.encrypt('same', CONTEXT));
  });

  it('reads old values after a rotation, and tells which to encrypt anew', () => {
    const old = ring.encrypt('secret', CONTEXT);
    expect(rotated.decrypt(old, CONTEXT)).toBe('secret');
    expect(ring.isCurrent(old)).toBe(true);
    expect(rotated.isCurrent(old)).toBe(false);
    expect(rotated.isCurrent(rotated.encrypt('secret', CONTEXT))).toBe(true);
    expect(rotated.isCurrent('secret')).toBe(false);
  });

  it('names the missing key, and nothing of the keys it has', () => {
    const encrypted = rotated.encrypt('secret', CONTEXT);
    const keyId = encrypted.split('.')[1] ?? '';
    expect(() => ring.decrypt(encrypted, CONTEXT)).toThrow(UnreadableSecret);
    expect(() => ring.decrypt(encrypted, CONTEXT)).toThrow(
      `needs key ${keyId}, which SECRETS_KEY does not hold`,
    );
  });

  it('refuses another context', () => {
    const encrypted = ring.encrypt('secret', CONTEXT);
    expect(() => ring.decrypt(encrypted, 'users.totp_secret:43')).toThrow(UnreadableSecret);
  });

  it('refuses encrypted text altered at any place', () => {
    const encrypted = ring.encrypt('secret', CONTEXT);
    for (let i = 0; i < encrypted.length; i++) {
      // A and Q differ in the second bit, which counts in every digit, the last one of base64url included.
      const altered = encrypted.slice(0, i) + (encrypted[i] === 'A' ? 'Q' : 'A') + encrypted.slice(i + 1);
      expect(() => ring.decrypt(altered, CONTEXT)).toThrow(UnreadableSecret);
    }
  });

  it.each(['', 'secret', 'v1.00000000.', 'v2.00000000.AAAA', 'v1.0000.AAAA'])(
    'refuses %p as encrypted text',
    (text) => {
      expect(() => ring.decrypt(text, CONTEXT)).toThrow(
        new UnreadableSecret('The stored value is not encrypted text'),
      );
    },
  );

  it('refuses encrypted text within other text, and a body too short for nonce and tag', () => {
    const encrypted = ring.encrypt('', CONTEXT);
    const [version, keyId] = encrypted.split('.');
    const short = Buffer.alloc(27).toString('base64url');
    for (const text of [` ${encrypted}`, `${encrypted}!`, `${version}.${keyId}.${short}`]) {
      expect(() => ring.decrypt(text, CONTEXT)).toThrow('The stored value is not encrypted text');
    }
    expect(() => ring.decrypt(encrypted, `${CONTEXT}1`)).toThrow(
      'The stored value was altered or belongs to another place',
    );
  });
});

describe('hmac', () => {
  it('depends on key, purpose and value', () => {
    const digests = [
      ring.hmac('confirmation code', '12345678'),
      ring.hmac('confirmation code', '12345679'),
      ring.hmac('another purpose', '12345678'),
      rotated.hmac('confirmation code', '12345678'),
    ].map((digest) => digest.toString('hex'));
    expect(new Set(digests).size).toBe(4);
    expect(ring.hmac('confirmation code', '12345678').toString('hex')).toBe(digests[0]);
  });

  it('finds digests from before a rotation among the candidates', () => {
    const before = ring.hmac('code', '1');
    expect(rotated.hmac('code', '1')).not.toEqual(before);
    expect(rotated.hmacCandidates('code', '1')).toEqual([rotated.hmac('code', '1'), before]);
  });
});

describe('SecretsKeyring.parse', () => {
  it('takes the first key as the current one', () => {
    const encrypted = SecretsKeyring.parse(`${base64(NEW)}, ${base64(OLD)}`).encrypt('secret', CONTEXT);
    expect(rotated.isCurrent(encrypted)).toBe(true);
  });

  it('takes base64 without padding', () => {
    const encrypted = SecretsKeyring.parse(base64(OLD).replace('=', '')).encrypt('secret', CONTEXT);
    expect(ring.decrypt(encrypted, CONTEXT)).toBe('secret');
  });

  it('names its errors', () => {
    expect(new UnreadableSecret('x').name).toBe('UnreadableSecret');
  });
});
