import { createHash } from 'node:crypto';
import { brokenRule, NAME_RULES } from '@app/platform/dto/text-rules';
import type { FieldError } from '@app/platform/errors/api-error';
import { KEY_TYPES, keyBits, type KeyType, PublicKeyError } from './public-key-blob';

/** A checked SSH public key. */
export interface PublicKey {
  type: KeyType;
  /** The binary key (RFC 4253 section 6.6). Each key exists once in the service. */
  blob: Buffer;
  /** Size as ssh-keygen -l shows it. */
  bits: number;
  /** Text after the key, truncated to the length of a description; may be empty. */
  comment: string;
  /** MD5 of the blob: lower-case hex pairs, separated by colons. */
  fingerprint: string;
  /** The one-line form for storage and responses: type, base64 and comment, separated by single spaces. */
  content: string;
}

/** Maximum length of a key as text. An RSA key of 16384 bits takes under 3 kB. */
export const PUBLIC_KEY_MAX_BYTES = 16_384;

const ACCEPTED_TYPES = KEY_TYPES.join(', ');
/** Type, base64 and comment, separated by spaces or tabs as in authorized_keys. */
const ONE_LINE = /^([^ \t]+)(?:[ \t]+([^ \t]+))?(?:[ \t]+(.*))?$/su;
const PRIVATE_KEY_MARKS = [
  // PEM has five dashes, the SSH2 format four and a space.
  /----(?:-| )BEGIN [A-Z0-9 ]*PRIVATE KEY/i,
  /PuTTY-User-Key-File-/i,
  // Base64 of "openssh-key-v1": an OpenSSH private key without its first line.
  /(?:^|\s)b3BlbnNzaC1rZXktdj/,
];

/** Parses one key in the OpenSSH one-line format, or returns the error. */
export function parsePublicKey(text: string): PublicKey | { error: FieldError } {
  try {
    return readPublicKey(text.trim());
  } catch (error) {
    if (error instanceof PublicKeyError) return { error: error.fault };
    throw error;
  }
}

/**
 * The default description of a key: its comment, if that is a valid name, or otherwise type and
 * start of the fingerprint.
 */
export function defaultDescription(key: Pick<PublicKey, 'type' | 'comment' | 'fingerprint'>): string {
  const isName = key.comment !== '' && brokenRule(NAME_RULES, key.comment) === undefined;
  if (!isName) return `${key.type} ${key.fingerprint.slice(0, '00:00:00:00'.length)}`;
  return key.comment;
}

/** Cuts between characters as PostgreSQL counts them, never within a surrogate pair. */
const cutComment = (comment: string): string => [...comment].slice(0, DESCRIPTION_MAX_LENGTH).join('');

function readPublicKey(line: string): PublicKey {
  assertSupportedFormat(line);
  const [, typeName = '', base64 = '', wholeComment = ''] = ONE_LINE.exec(line) ?? [];
  const type = acceptedType(typeName, line);
  // C0 and C1 controls, DEL, line separators: they break authorized_keys files, terminals and logs.
  if (/[\p{Cc}\u2028\u2029]/u.test(wholeComment)) {
    throw new PublicKeyError('FORBIDDEN_CHARACTER', 'The comment of the key contains control characters.');
  }
  if (!wholeComment.isWellFormed())
    throw new PublicKeyError('NOT_STORABLE', 'The comment of the key is not valid Unicode text.');
  const comment = cutComment(wholeComment).trimEnd();
  const blob = decodeBase64(base64, type);
  return {
    type,
    blob,
    bits: keyBits(type, blob),
    comment,
    fingerprint: md5Fingerprint(blob),
    content: comment === '' ? `${type} ${base64}` : `${type} ${base64} ${comment}`,
  };
}

function assertSupportedFormat(line: string): void {
  if (line === '') throw new PublicKeyError('REQUIRED', 'The key is empty.');
  if (Buffer.byteLength(line) > PUBLIC_KEY_MAX_BYTES) {
    throw new PublicKeyError('TOO_LONG', `The key is longer than ${PUBLIC_KEY_MAX_BYTES} bytes.`);
  }
  if (PRIVATE_KEY_MARKS.some((mark) => mark.test(line))) {
    throw new PublicKeyError(
      'PRIVATE_KEY',
      'This is a private key. Never share it; send the public key (the .pub file).',
    );
  }
  if (/---- BEGIN SSH2 PUBLIC KEY/i.test(line)) {
    throw new PublicKeyError(
      'UNSUPPORTED_KEY',
      'This is the PuTTY/SSH2 format; send the key in the OpenSSH one-line format.',
    );
  }
  if (/-----BEGIN /i.test(line)) {
    throw new PublicKeyError(
      'UNSUPPORTED_KEY',
      'This is the PEM format; send the key in the OpenSSH one-line format.',
    );
  }
  if (/[\r\n]/.test(line)) throw new PublicKeyError('INVALID_KEY', 'Send one key on one line.');
  if (line.includes('\0')) throw new PublicKeyError('NOT_STORABLE', 'The key contains a NUL character.');
}

function acceptedType(name: string, line: string): KeyType {
  const type = KEY_TYPES.find((known) => known === name);
  if (type !== undefined) return type;
  if (name === 'ssh-dss')
    throw new PublicKeyError('UNSUPPORTED_KEY', 'DSA keys are not accepted; use Ed25519 or RSA.');
  if (name.endsWith('-cert-v01@openssh.com')) {
    throw new PublicKeyError('UNSUPPORTED_KEY', 'This is an SSH certificate; send the public key itself.');
  }
  if (line.split(/[ \t]+/).some((word) => (KEY_TYPES as readonly string[]).includes(word))) {
    throw new PublicKeyError(
      'UNSUPPORTED_KEY',
      'Options or other text before the key type are not accepted.',
    );
  }
  throw new PublicKeyError('UNSUPPORTED_KEY', `The key must begin with its type, one of ${ACCEPTED_TYPES}.`);
}

/** Buffer.from skips invalid characters, so this compares the text with the encoding of the bytes. */
function decodeBase64(base64: string, type: KeyType): Buffer {
  if (base64 === '') throw new PublicKeyError('INVALID_KEY', `The key itself is missing after ${type}.`);
  const blob = Buffer.from(base64, 'base64');
  if (blob.toString('base64') !== base64)
    throw new PublicKeyError('INVALID_KEY', 'The key is not valid base64.');
  return blob;
}

function md5Fingerprint(blob: Buffer): string {
  const pairs = createHash('md5').update(blob).digest('hex').match(/../g) ?? [];
  return pairs.join(':');
}

/** Maximum length of a description. Longer comments of keys are truncated. */
export const DESCRIPTION_MAX_LENGTH = 255;
