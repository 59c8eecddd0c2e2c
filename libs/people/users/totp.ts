import { createRequire } from 'node:module';
import { lazily } from '@app/platform/process/lazily';
import { TOTP_DIGITS } from '@app/security/passwords/step-up-fields';

const otplib = lazily(() => createRequire(__filename)('otplib') as typeof import('otplib'));

/** RFC 6238 with the parameters of all authenticator apps: SHA-1, 6 digits, 30 seconds. */
const STEP_SECONDS = 30;
const PARAMETERS = { algorithm: 'sha1', digits: TOTP_DIGITS, period: STEP_SECONDS } as const;
/** Accepted clock drift, in steps, in both directions. */
const DRIFT_STEPS = 1;
/** The size of a SHA-1 output, as RFC 4226 section 4 recommends. */
const SECRET_BYTES = 20;
/** Imported secrets may be shorter: authenticator apps used 80 bits for years. */
const LEAST_SECRET_BYTES = 10;
const MOST_SECRET_BYTES = 64;
const guardrails = lazily(() =>
  otplib().createGuardrails({ MIN_SECRET_BYTES: LEAST_SECRET_BYTES, MAX_SECRET_BYTES: MOST_SECRET_BYTES }),
);
const BITS_OF_BASE32 = 5;

interface TotpInput {
  /** Base32, as made by `newTotpSecret`. */
  secret: string;
  /** The code that the user typed. */
  code: string;
  at: Date;
  /**
   * The step of the last accepted code, null before the first one. This step and older ones are refused,
   * so a code works only once.
   */
  afterStep: number | null;
}

/** 160 random bits in base32 without padding, 32 characters. */
export function newTotpSecret(): string {
  return otplib().generateSecret({ length: SECRET_BYTES });
}

/**
 * Normalises an imported secret to upper-case base32 without blanks, hyphens and padding. Undefined for other
 * text and for less than 80 or more than 512 bits.
 */
export function readTotpSecret(text: string): string | undefined {
  const secret = text.replaceAll(/[\s-]/g, '').replace(/=+$/, '').toUpperCase();
  const bytes = Math.floor((secret.length * BITS_OF_BASE32) / 8);
  const isBase32 = /^[A-Z2-7]+$/.test(secret) && ![1, 3, 6].includes(secret.length % 8);
  return isBase32 && bytes >= LEAST_SECRET_BYTES && bytes <= MOST_SECRET_BYTES ? secret : undefined;
}

/**
 * The step (number of 30-second periods since 1970) of a right code, otherwise undefined. The caller stores
 * it by one conditional UPDATE, because two parallel attempts with the same code both pass here.
 */
export function verifyTotp({ secret, code, at, afterStep }: TotpInput): { step: number } | undefined {
  // otplib throws on malformed codes and on an afterTimeStep beyond its window.
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const epoch = epochSeconds(at);
  const newestStep = Math.floor(epoch / STEP_SECONDS) + DRIFT_STEPS;
  if (afterStep !== null && afterStep >= newestStep) return undefined;

  const result = otplib().verifySync({
    ...PARAMETERS,
    guardrails: guardrails(),
    secret,
    token: code,
    epoch,
    epochTolerance: DRIFT_STEPS * STEP_SECONDS,
    ...(afterStep === null ? {} : { afterTimeStep: afterStep }),
  });
  return result.valid && 'timeStep' in result ? { step: result.timeStep } : undefined;
}

/**
 * The code that an authenticator shows at that moment.
 * @internal The tests' authenticator.
 */
export function totpAt(secret: string, at: Date): string {
  return otplib().generateSync({ ...PARAMETERS, guardrails: guardrails(), secret, epoch: epochSeconds(at) });
}

function epochSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

/** Binds the encryption of a TOTP secret to its user. */
export const secretContext = (userId: number): string => `users.totp_secret:${userId}`;
