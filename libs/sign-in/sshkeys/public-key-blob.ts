import { createPublicKey } from 'node:crypto';
import { type FieldError, fieldError } from '@app/platform/errors/api-error';
import type { FieldErrorReason } from '@app/platform/errors/reasons';

/** Why a public key cannot be stored. */
export class PublicKeyError extends Error {
  readonly fault: FieldError;

  constructor(reason: FieldErrorReason, message: string) {
    super(message);
    this.fault = fieldError(reason, message);
  }
}

/** OpenSSH names of the accepted key types. */
export const KEY_TYPES = [
  'ssh-rsa',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-ed25519',
  'sk-ecdsa-sha2-nistp256@openssh.com',
  'sk-ssh-ed25519@openssh.com',
] as const;

export type KeyType = (typeof KEY_TYPES)[number];

/** The smallest modulus that is taken (rule keys 46). */
const RSA_MIN_BITS = 2048;
/** The largest modulus of OpenSSL, and so of OpenSSH. */
const RSA_MAX_BITS = 16_384;

interface Curve {
  jwkName: string;
  bits: number;
  coordinateBytes: number;
}

const CURVES: Readonly<Record<string, Curve>> = {
  nistp256: { jwkName: 'P-256', bits: 256, coordinateBytes: 32 },
  nistp384: { jwkName: 'P-384', bits: 384, coordinateBytes: 48 },
  nistp521: { jwkName: 'P-521', bits: 521, coordinateBytes: 66 },
};
const ED25519_BYTES = 32;
const ED25519_BITS = 256;
const UNCOMPRESSED_POINT = 0x04;

/** Reads the fields of RFC 4251 section 5 in order, and never beyond the end. */
class BlobReader {
  private offset = 0;

  constructor(private readonly blob: Buffer) {}

  string(): Buffer {
    if (this.blob.length - this.offset < 4) throw cutShort();
    const length = this.blob.readUInt32BE(this.offset);
    const start = this.offset + 4;
    if (length > this.blob.length - start) throw cutShort();
    this.offset = start + length;
    return this.blob.subarray(start, this.offset);
  }

  text(): string {
    return this.string().toString('latin1');
  }

  /**
   * A positive mpint in its only valid form, without a superfluous leading zero byte (RFC 4251 section 5).
   */
  positiveInteger(name: string): bigint {
    const bytes = this.string();
    const [first, second] = bytes;
    if (first === undefined) throw new PublicKeyError('INVALID_KEY', `The ${name} of the RSA key is zero.`);
    if (first >= 0x80) throw new PublicKeyError('INVALID_KEY', `The ${name} of the RSA key is negative.`);
    if (first === 0 && (second === undefined || second < 0x80)) {
      throw new PublicKeyError('INVALID_KEY', `The ${name} of the RSA key has superfluous leading zeros.`);
    }
    return BigInt(`0x${bytes.toString('hex')}`);
  }

  end(): void {
    const rest = this.blob.length - this.offset;
    if (rest > 0)
      throw new PublicKeyError(
        'INVALID_KEY',
        `The key is followed by ${rest} bytes that do not belong to it.`,
      );
  }
}

function cutShort(): PublicKeyError {
  return new PublicKeyError('INVALID_KEY', 'The key is incomplete: its binary part ends too early.');
}

/**
 * Checks that the blob is exactly one well-formed key of the given type. Returns its size in bits,
 * as ssh-keygen -l prints it. Formats: RFC 4253 section 6.6, RFC 5656 section 3.1, RFC 8709
 * section 4, OpenSSH PROTOCOL.u2f.
 * @throws PublicKeyError
 */
export function keyBits(type: KeyType, blob: Buffer): number {
  const reader = new BlobReader(blob);
  const innerType = reader.text();
  if (innerType !== type) {
    throw new PublicKeyError(
      'INVALID_KEY',
      `The key says ${type}, but its binary part is ${describedType(innerType)}.`,
    );
  }
  const bits = readKey(type, reader);
  reader.end();
  return bits;
}

function readKey(type: KeyType, reader: BlobReader): number {
  switch (type) {
    case 'ssh-rsa':
      return readRsa(reader);
    case 'ssh-ed25519':
      return readEd25519(reader);
    case 'sk-ssh-ed25519@openssh.com': {
      const bits = readEd25519(reader);
      readApplication(reader);
      return bits;
    }
    case 'sk-ecdsa-sha2-nistp256@openssh.com': {
      const bits = readEcdsa(reader, 'nistp256');
      readApplication(reader);
      return bits;
    }
    default:
      return readEcdsa(reader, type.slice('ecdsa-sha2-'.length));
  }
}

function readRsa(reader: BlobReader): number {
  const exponent = reader.positiveInteger('exponent');
  const modulus = reader.positiveInteger('modulus');
  const bits = modulus.toString(2).length;
  if (bits < RSA_MIN_BITS) {
    throw new PublicKeyError(
      'UNSUPPORTED_KEY',
      `The RSA key has ${bits} bits; at least ${RSA_MIN_BITS} are required.`,
    );
  }
  if (bits > RSA_MAX_BITS) {
    throw new PublicKeyError(
      'UNSUPPORTED_KEY',
      `The RSA key has ${bits} bits; at most ${RSA_MAX_BITS} are accepted.`,
    );
  }
  if (exponent < 3n || exponent % 2n === 0n || exponent >= modulus) {
    throw new PublicKeyError(
      'INVALID_KEY',
      'The exponent of the RSA key must be odd, at least 3 and below the modulus.',
    );
  }
  if (modulus % 2n === 0n)
    throw new PublicKeyError('INVALID_KEY', 'The modulus of the RSA key is even, so it is no RSA key.');
  return bits;
}

function readEd25519(reader: BlobReader): number {
  const length = reader.string().length;
  if (length !== ED25519_BYTES) {
    throw new PublicKeyError(
      'INVALID_KEY',
      `The Ed25519 key has ${length} bytes instead of ${ED25519_BYTES}.`,
    );
  }
  return ED25519_BITS;
}

function readEcdsa(reader: BlobReader, expectedCurve: string): number {
  const curveName = reader.text();
  const curve = CURVES[expectedCurve];
  if (curve === undefined || curveName !== expectedCurve) {
    throw new PublicKeyError('INVALID_KEY', `The key names another curve than ${expectedCurve}.`);
  }
  const point = reader.string();
  const size = curve.coordinateBytes;
  if (point.length !== 1 + 2 * size || point[0] !== UNCOMPRESSED_POINT) {
    throw new PublicKeyError(
      'INVALID_KEY',
      `The key holds no uncompressed point of the curve ${expectedCurve}.`,
    );
  }
  if (!isOnCurve(curve, point.subarray(1, 1 + size), point.subarray(1 + size))) {
    throw new PublicKeyError('INVALID_KEY', `The key is not a point on the curve ${expectedCurve}.`);
  }
  return curve.bits;
}

/** OpenSSL checks the curve equation when it imports a key. */
function isOnCurve(curve: Curve, x: Buffer, y: Buffer): boolean {
  try {
    const jwk = { kty: 'EC', crv: curve.jwkName, x: x.toString('base64url'), y: y.toString('base64url') };
    createPublicKey({ key: jwk, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

/** The FIDO application of a security key, normally "ssh:". */
function readApplication(reader: BlobReader): void {
  if (!/^[\x20-\x7e]+$/.test(reader.text())) {
    throw new PublicKeyError('INVALID_KEY', 'The application name in the security key is not plain text.');
  }
}

function describedType(innerType: string): string {
  return /^[a-z0-9@.-]{1,60}$/.test(innerType) ? innerType : 'no key';
}
