import { type ConstraintErrors, limitReached } from '@app/platform/errors/api-error';
import { CREDENTIAL_ENDED } from '@app/security/access/credential-refusals';

/** Maximum API keys of a user (docs/limits.md). A trigger of the table counts them. */
export const API_KEY_LIMITS = { ofUser: 50 } as const;

/** Body of PUT. */
export interface ApiKeyInput {
  readonly name: string;
  /** Canonical IP addresses and CIDR ranges, each once; empty for any. */
  readonly whitelist: readonly string[];
}

/** Body of POST. */
export interface NewApiKey extends ApiKeyInput {
  /** Unix seconds; undefined for the default lifetime. */
  readonly expiresAt?: number;
  readonly readOnly: boolean;
}

export const API_KEY_CONSTRAINT_ERRORS: ConstraintErrors = {
  api_keys_of_who_may_log_in: CREDENTIAL_ENDED,
  api_keys_limit_of_user: limitReached(`A user has at most ${API_KEY_LIMITS.ofUser} API keys.`),
};
