import { type ConstraintErrors, limitReached } from '@app/platform/errors/api-error';
import { CREDENTIAL_ENDED } from '@app/security/access/credential-refusals';
import type { PublicKey } from './public-key';

/** Body of POST and PUT. */
export interface SshKeyInput {
  readonly key: PublicKey;
  /** Undefined at a creation: made from the key. */
  readonly description: string | undefined;
}

/** Maximum keys of one owner (docs/limits.md). Triggers of the table count them. */
export const SSH_KEY_LIMITS = { ofUser: 100, ofOrganisation: 200 } as const;

export const SSH_KEY_CONSTRAINT_ERRORS: ConstraintErrors = {
  ssh_keys_of_who_may_log_in: CREDENTIAL_ENDED,
  ssh_keys_key_unique: { field: 'content', reason: 'ALREADY_TAKEN', message: 'This key is already in use.' },
  ssh_keys_limit_of_user: limitReached(`A user has at most ${SSH_KEY_LIMITS.ofUser} SSH keys.`),
  ssh_keys_limit_of_organisation: limitReached(
    `An organisation has at most ${SSH_KEY_LIMITS.ofOrganisation} deploy keys.`,
  ),
};
