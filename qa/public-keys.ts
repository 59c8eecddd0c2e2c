import { createHash, generateKeyPairSync } from 'node:crypto';

export interface PublicKey {
  /** The OpenSSH one-line format, without a comment. */
  readonly content: string;
  /** MD5 over the blob, colon-separated hex. */
  readonly fingerprint: string;
}

/** A fresh Ed25519 key, put together after RFC 8709 section 4. */
export function newPublicKey(): PublicKey {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const blob = Buffer.concat([text(Buffer.from('ssh-ed25519')), text(Buffer.from(x as string, 'base64url'))]);
  const hex = createHash('md5').update(blob).digest('hex');
  return {
    content: `ssh-ed25519 ${blob.toString('base64')}`,
    fingerprint: (hex.match(/../g) ?? []).join(':'),
  };
}

function text(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
