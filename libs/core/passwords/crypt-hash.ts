import { fault } from '../errors/fault';

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

const MIN_BCRYPT_COST = 4;
/** 1.7 s of work a try; a form above would let one account occupy the hashing threads. */
const MAX_BCRYPT_COST = 15;
const DEFAULT_SHA_ROUNDS = 5000;
const MIN_SHA_ROUNDS = 1000;
/** 0.4 s of work a try. */
const MAX_SHA_ROUNDS = 200_000;
const MD5_ROUNDS = 1000;

/** Says which hashes parseCryptHash takes. */
export const CRYPT_HASH_FORMS = fault(
  'INVALID_PASSWORD_HASH',
  `This value should be a password hash of the form $1$, $5$, $6$, $2a$, $2b$ or $2y$, of ${MIN_SHA_ROUNDS} to ${MAX_SHA_ROUNDS} rounds or a bcrypt cost of ${MIN_BCRYPT_COST} to ${MAX_BCRYPT_COST}.`,
);

const BCRYPT = /^\$2([aby])\$(\d\d)\$[./0-9A-Za-z]{53}$/;
const MD5_CRYPT = /^\$1\$([./0-9A-Za-z]{1,8})\$([./0-9A-Za-z]{22})$/;
const SHA_CRYPT = /^\$([56])\$(?:rounds=([1-9]\d{0,8})\$)?([./0-9A-Za-z]{1,16})\$([./0-9A-Za-z]{43,86})$/;

/**
 * Reads the forms accepted as `cp3Password` (decisions, section 5): `$1$`, `$5$`, `$6$`, `$2a$`, `$2b$`, `$2y$`,
 * strictly by alphabet and length, without work factors that would take seconds. Undefined for any other text.
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
