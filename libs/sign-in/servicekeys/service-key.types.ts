import { type ConstraintErrors, fault, type Fault, limitReached } from '@app/platform/errors/api-error';

/** Most service keys of an organisation (decisions.md 12.1); a trigger of the table counts them. */
const SERVICE_KEY_LIMITS = { ofOrganisation: 50 } as const;

/** Most operations and groups of a key (decisions.md 12.1). */
export const OPERATIONS_LIMIT = 100;

/** A service key as managers see it. */
export interface ServiceKeyDetails {
  readonly id: number;
  readonly name: string;
  /** Operations of the privilege table, and groups of them such as `contacts.*`. */
  readonly operations: readonly string[];
  /** Acts on the organisations beneath its own too. */
  readonly beneath: boolean;
  readonly whitelist: readonly string[];
  /** Unix seconds. */
  readonly createdAt: number;
  /** Unix seconds. */
  readonly expiresAt: number;
  /** Unix seconds, written at most once a minute; null if never used. */
  readonly lastUsedAt: number | null;
}

/** A new key. Its value is stored nowhere. */
export interface CreatedServiceKey extends ServiceKeyDetails {
  /** The value for the `Authorization` header. */
  readonly hash: string;
}

/** Body of PUT. */
export interface ServiceKeyInput {
  readonly name: string;
  readonly operations: readonly string[];
  readonly beneath: boolean | undefined;
  /** Canonical IP addresses and CIDR ranges, each once; empty for any. */
  readonly whitelist: readonly string[] | undefined;
}

/** Body of POST. */
export interface NewServiceKey {
  readonly name: string;
  readonly operations: readonly string[];
  readonly beneath: boolean;
  readonly whitelist: readonly string[];
  /** Unix seconds; undefined for the default lifetime. */
  readonly expiresAt?: number;
}

export const unknownOperation = (name: string): Fault =>
  fault('UNKNOWN_OPERATION', `${JSON.stringify(name)} is no operation and no group of operations.`);

export const operationNotAllowed = (name: string, refused: readonly string[]): Fault =>
  fault(
    'OPERATION_NOT_ALLOWED',
    refused.length === 1 && refused[0] === name
      ? `The operation ${name} may not be given to this key.`
      : `The group ${name} has operations that may not be given to this key: ${refused.join(', ')}.`,
  );

export const SERVICE_KEY_CONSTRAINT_ERRORS: ConstraintErrors = {
  service_keys_limit_of_organisation: limitReached(
    `An organisation has at most ${SERVICE_KEY_LIMITS.ofOrganisation} service keys.`,
  ),
};
