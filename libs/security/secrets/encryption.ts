import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_BYTES, secretsKeysIn } from '@app/config/secrets-keys';
import type { Settings } from '@app/config/settings';

/**
 * 96 random bits: safe for 2^32 values under one key (NIST SP 800-38D, 8.3), far beyond what is stored here.
 */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';
const ENCRYPTED = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

/** A stored value cannot be decrypted: it has another key or context, or was altered. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret';
}

interface Key {
  id: string;
  master: Buffer;
  encryption: Buffer;
}

/**
 * Encrypts secrets that the service must read again (TOTP secrets, tokens in waiting mail) with AES-256-GCM.
 * The first key is the current one; the others decrypt older values after a rotation.
 *
 * Encrypted text: `v1.<key id>.<base64url of nonce (12), ciphertext, tag (16)>`. The key id is the start of a
 * hash of the key and reveals nothing about the key.
 */
export class SecretsKeyring {
  private readonly current: Key;
  private readonly byId = new Map<string, Key>();

  /** Use {@link parse}. */
  constructor(keys: readonly [Key, ...Key[]]) {
    [this.current] = keys;
    for (const key of keys) this.byId.set(key.id, key);
  }

  /** @throws InvalidSecretsKey, if {@link secretsKeysIn} does not find the keys of the setting */
  static parse(setting: string): SecretsKeyring {
    const [current, ...older] = secretsKeysIn(setting);
    return new SecretsKeyring([keyFrom(current), ...older.map(keyFrom)]);
  }

  /**
   * @param context where the value is stored, such as `users.totp_secret:42`: encrypted text that is copied
   * to another row or column does not decrypt there
   */
  encrypt(plain: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.current.encryption, nonce);
    cipher.setAAD(boundTo(this.current.id, context));
    const encrypted = Buffer.concat([
      nonce,
      cipher.update(plain, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return `${VERSION}.${this.current.id}.${encrypted.toString('base64url')}`;
  }

  /** @throws UnreadableSecret */
  decrypt(encrypted: string, context: string): string {
    const [, keyId = '', body = ''] = ENCRYPTED.exec(encrypted) ?? [];
    const bytes = Buffer.from(body, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES)
      throw new UnreadableSecret('The stored value is not encrypted text');
    const key = this.byId.get(keyId);
    if (!key)
      throw new UnreadableSecret(`The stored value needs key ${keyId}, which SECRETS_KEY does not hold`);

    const tagStart = bytes.length - TAG_BYTES;
    const decipher = createDecipheriv('aes-256-gcm', key.encryption, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(boundTo(keyId, context));
    decipher.setAuthTag(bytes.subarray(tagStart));
    const plain = decipher.update(bytes.subarray(NONCE_BYTES, tagStart));
    try {
      return Buffer.concat([plain, decipher.final()]).toString('utf8');
    } catch {
      throw new UnreadableSecret('The stored value was altered or belongs to another place');
    }
  }

  /** The key ids, as in encrypted text. */
  get ids(): string[] {
    return [...this.byId.keys()];
  }

  /** False if the value should be encrypted again because it uses an older key. */
  isCurrent(encrypted: string): boolean {
    return ENCRYPTED.exec(encrypted)?.[1] === this.current.id;
  }

  /**
   * HMAC-SHA-256 with a key derived for this purpose from the current key (HKDF, RFC 5869), for values with
   * too few possibilities for `digestOf`: all 8-digit codes can be hashed in seconds, so their digest must
   * be useless without a key that is not in the database. A rotation changes the result: compare stored
   * digests with `hmacCandidates`.
   */
  hmac(purpose: string, value: string): Buffer {
    return purposeDigest(this.current, purpose, value);
  }

  /** The digests of `value` under every key, the current one first. */
  hmacCandidates(purpose: string, value: string): Buffer[] {
    return [...this.byId.values()].map((key) => purposeDigest(key, purpose, value));
  }
}

function keyFrom(master: Buffer): Key {
  const id = createHash('sha256').update('secrets key id\0').update(master).digest('hex').slice(0, 8);
  return { id, master, encryption: derivedKey(master, 'encryption') };
}

function derivedKey(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', `account-api ${purpose}`, KEY_BYTES));
}

function purposeDigest(key: Key, purpose: string, value: string): Buffer {
  return createHmac('sha256', derivedKey(key.master, `hmac ${purpose}`))
    .update(value, 'utf8')
    .digest();
}

/** The associated data. Version and key id have fixed lengths, so two contexts never give the same bytes. */
function boundTo(keyId: string, context: string): Buffer {
  return Buffer.from(`${VERSION}.${keyId}.${context}`, 'utf8');
}

/**
 * The keys for stored secrets: `SECRETS_KEY`, or for the embedded PostgreSQL a generated key beside its data.
 * If several processes start at once, they agree on the key that was written first.
 */
export function secretsKeyOf(settings: Pick<Settings, 'secretsKey' | 'dataDir'>): string {
  if (settings.secretsKey !== undefined) return settings.secretsKey;
  const file = join(settings.dataDir, 'secrets.key');
  mkdirSync(settings.dataDir, { recursive: true });
  try {
    writeFileSync(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}
