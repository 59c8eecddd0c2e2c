import {
  type ConstraintErrors,
  type FieldError,
  fieldError,
  limitReached,
} from '@app/platform/errors/api-error';

/** Maximum service keys of an organisation (docs/limits.md). A trigger of the table counts them. */
const SERVICE_KEY_LIMITS = { ofOrganisation: 50 } as const;

/** Maximum operations and groups of a key (rule keys 28). */
export const OPERATIONS_LIMIT = 100;

/** Body of PUT. */
export interface ServiceKeyInput {
  readonly name: string;
  readonly operations: readonly string[];
  readonly beneath: boolean | undefined;
  /** Canonical IP addresses and CIDR ranges, each once; empty for any. */
  readonly whitelist: readonly string[] | undefined;
}

/** Body of POST. */
export interface NewServiceKey extends ServiceKeyInput {
  readonly beneath: boolean;
  readonly whitelist: readonly string[];
  /** Unix seconds; undefined for the default lifetime. */
  readonly expiresAt?: number;
}

export const unknownOperation = (name: string): FieldError =>
  fieldError('UNKNOWN_OPERATION', `${JSON.stringify(name)} is no operation and no group of operations.`);

export const operationNotAllowed = (name: string, refused: readonly string[]): FieldError =>
  fieldError(
    'OPERATION_NOT_ALLOWED',
    refused.length === 1 && refused[0] === name
      ? `The operation ${name} may not be given to this key.`
      : `The group ${name} has operations that may not be given to this key: ${refused.join(', ')}.`,
  );

/** The error for a range that is too wide for a key that needs a whitelist (rule keys 33). */
export const rangeTooWide = (range: string): FieldError =>
  fieldError(
    'RANGE_TOO_WIDE',
    `${JSON.stringify(range)}: this key takes ranges of IPv4 from /8 and of IPv6 from /16.`,
  );

export const SERVICE_KEY_CONSTRAINT_ERRORS: ConstraintErrors = {
  service_keys_limit_of_organisation: limitReached(
    `An organisation has at most ${SERVICE_KEY_LIMITS.ofOrganisation} service keys.`,
  ),
};
