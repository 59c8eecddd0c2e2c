import { createHash } from 'node:crypto';
import type { TextRule } from '@app/platform/dto/text-rules';
import { fieldError } from '@app/platform/errors/api-error';

/** A parsed crypt-style password hash: bcrypt, or one of the older schemes of the previous panel. */
export type CryptHash = BcryptHash | OldCryptHash;

interface BcryptHash {
  scheme: 'bcrypt';
  /** `y` and `b` mean the same algorithm; `a` differs from them only beyond 255 bytes. */
  revision: 'a' | 'b' | 'y';
  /** Base-two logarithm of the number of rounds. */
  cost: number;
}

export interface OldCryptHash {
  scheme: 'md5-crypt' | 'sha256-crypt' | 'sha512-crypt';
  rounds: number;
  salt: string;
  /** In the base64 alphabet of crypt. */
  digest: string;
}

/** The common rounds of MD5-crypt and SHA-crypt. */
export interface CryptRoundsInput {
  algorithm: 'md5' | 'sha256' | 'sha512';
  rounds: number;
  /** The digest that the first round starts from. */
  first: Uint8Array;
  password: Uint8Array;
  salt: Uint8Array;
}

export const MIN_BCRYPT_COST = 4;
/** 1.7 s of work for each try. With a higher cost one account could occupy the hashing threads. */
const MAX_BCRYPT_COST = 15;
const DEFAULT_SHA_ROUNDS = 5000;
const MIN_SHA_ROUNDS = 1000;
/** 0.4 s of work for each try. */
const MAX_SHA_ROUNDS = 200_000;
const MD5_ROUNDS = 1000;

/** A password hash that parseCryptHash reads. */
export const IS_CRYPT_HASH: TextRule = {
  name: 'isCryptHash',
  holds: (text) => parseCryptHash(text) !== undefined,
  error: fieldError(
    'INVALID_PASSWORD_HASH',
    'This value should be a password hash of the form $1$, $5$, $6$, $2a$, $2b$ or $2y$, of ' +
      `${MIN_SHA_ROUNDS} to ${MAX_SHA_ROUNDS} rounds or a bcrypt cost of ${MIN_BCRYPT_COST} to ` +
      `${MAX_BCRYPT_COST}.`,
  ),
};

const BCRYPT = /^\$2([aby])\$(\d\d)\$[./0-9A-Za-z]{53}$/;
const MD5_CRYPT = /^\$1\$([./0-9A-Za-z]{1,8})\$([./0-9A-Za-z]{22})$/;
const SHA_CRYPT = /^\$([56])\$(?:rounds=([1-9]\d{0,8})\$)?([./0-9A-Za-z]{1,16})\$([./0-9A-Za-z]{43,86})$/;

/**
 * Reads the forms accepted as `cp3Password` (rule switch-over 17): `$1$`, `$5$`, `$6$`, `$2a$`, `$2b$`,
 * `$2y$`. Alphabet and length must match exactly, and work factors that take seconds are refused.
 * Undefined for any other text.
 */
export function parseCryptHash(text: string): CryptHash | undefined {
  return bcryptFrom(text) ?? md5CryptFrom(text) ?? shaCryptFrom(text);
}

function bcryptFrom(text: string): BcryptHash | undefined {
  const [, revision, costText] = BCRYPT.exec(text) ?? [];
  const cost = Number(costText);
  if (revision !== 'a' && revision !== 'b' && revision !== 'y') return undefined;
  if (cost < MIN_BCRYPT_COST || cost > MAX_BCRYPT_COST) return undefined;
  return { scheme: 'bcrypt', revision, cost };
}

function md5CryptFrom(text: string): OldCryptHash | undefined {
  const [, salt, digest] = MD5_CRYPT.exec(text) ?? [];
  if (salt === undefined || digest === undefined) return undefined;
  return { scheme: 'md5-crypt', rounds: MD5_ROUNDS, salt, digest };
}

function shaCryptFrom(text: string): OldCryptHash | undefined {
  const [, scheme, roundsText, salt, digest] = SHA_CRYPT.exec(text) ?? [];
  if (salt === undefined || digest?.length !== (scheme === '5' ? 43 : 86)) return undefined;
  const rounds = roundsText === undefined ? DEFAULT_SHA_ROUNDS : Number(roundsText);
  if (rounds < MIN_SHA_ROUNDS || rounds > MAX_SHA_ROUNDS) return undefined;
  return { scheme: scheme === '5' ? 'sha256-crypt' : 'sha512-crypt', rounds, salt, digest };
}

/** Runs the rounds in another thread, to keep the event loop free. */
type RunCryptRounds = (input: CryptRoundsInput) => Promise<Uint8Array>;

type Scheme = OldCryptHash['scheme'];

export const ALGORITHMS = { 'md5-crypt': 'md5', 'sha256-crypt': 'sha256', 'sha512-crypt': 'sha512' } as const;
const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The digest of `password` under the salt and rounds of `hash`: `$1$` is MD5-crypt (Poul-Henning Kamp,
 * FreeBSD 1994), `$5$` and `$6$` are SHA-crypt (Ulrich Drepper, "Unix crypt using SHA-256 and SHA-512"). They
 * differ in the first step and share the rounds. The npm package unixcrypt 1.2 is not used: its digests are
 * wrong for passwords of 32 bytes under `$5$`, and of 64 bytes under `$5$` and `$6$`.
 */
export async function oldCryptDigest(
  password: string,
  hash: OldCryptHash,
  runRounds: RunCryptRounds,
): Promise<string> {
  const passwordBytes = Buffer.from(password, 'utf8');
  const saltBytes = Buffer.from(hash.salt, 'ascii');
  const start =
    hash.scheme === 'md5-crypt'
      ? md5Start(passwordBytes, saltBytes)
      : shaStart(hash.scheme, passwordBytes, saltBytes);
  const rounds = { algorithm: ALGORITHMS[hash.scheme], rounds: hash.rounds, ...start };
  return cryptText(hash.scheme, await runRounds(rounds));
}

type Start = Pick<CryptRoundsInput, 'first' | 'password' | 'salt'>;

function md5Start(password: Buffer, salt: Buffer): Start {
  const alternate = digest('md5', password, salt, password);
  const parts = [password, Buffer.from('$1$'), salt, filled(password.length, alternate)];
  // Each bit of the length, lowest first, adds a byte: a NUL for 1, the first byte for 0.
  for (let bits = password.length; bits > 0; bits >>= 1)
    parts.push(bits & 1 ? Buffer.alloc(1) : password.subarray(0, 1));
  return { first: digest('md5', ...parts), password, salt };
}

function shaStart(scheme: Exclude<Scheme, 'md5-crypt'>, password: Buffer, salt: Buffer): Start {
  const algorithm = ALGORITHMS[scheme];
  const alternate = digest(algorithm, password, salt, password);
  const parts = [password, salt, filled(password.length, alternate)];
  for (let bits = password.length; bits > 0; bits >>= 1) parts.push(bits & 1 ? alternate : password);
  const first = digest(algorithm, ...parts);

  const passwordDigest = digest(algorithm, ...repeated(password, password.length));
  const saltDigest = digest(algorithm, ...repeated(salt, 16 + first.readUInt8(0)));
  return {
    first,
    password: filled(password.length, passwordDigest),
    salt: filled(salt.length, saltDigest),
  };
}

/** The order of the digest's bytes in the text of each scheme, in groups of three. */
const BYTE_ORDER: Record<Scheme, number[][]> = {
  'md5-crypt': [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5], [11]],
  'sha256-crypt': [...rotatingGroups(10, ([a, b, c]) => [c + 1, a + 1, b + 1], [0, 10, 20]), [31, 30]],
  'sha512-crypt': [...rotatingGroups(21, ([a, b, c]) => [b + 1, c + 1, a + 1], [0, 21, 42]), [63]],
};

type Group = [number, number, number];

function rotatingGroups(count: number, next: (group: Group) => Group, first: Group): Group[] {
  const groups = [first];
  for (let group = next(first); groups.length < count; group = next(group)) groups.push(group);
  return groups;
}

function cryptText(scheme: Scheme, digestBytes: Uint8Array): string {
  let text = '';
  for (const group of BYTE_ORDER[scheme]) {
    // The first byte of a group is the highest; each character holds six bits, lowest first.
    let value = group.reduce((sum, index) => sum * 256 + (digestBytes[index] ?? 0), 0);
    for (let bits = group.length * 8; bits > 0; bits -= 6) {
      text += ALPHABET.charAt(value & 63);
      value >>= 6;
    }
  }
  return text;
}

function digest(algorithm: string, ...parts: Buffer[]): Buffer {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function repeated(bytes: Buffer, times: number): Buffer[] {
  return Array.from({ length: times }, () => bytes);
}

/** `length` bytes of the repeated `pattern`. */
function filled(length: number, pattern: Buffer): Buffer {
  return Buffer.alloc(length, pattern);
}
