import { limitReached, type ConstraintErrors } from '@app/core/errors/constraint-errors';
import { SSH_KEY_LIMITS } from './sshkeys.limits';

export const SSH_KEY_CONSTRAINT_ERRORS: ConstraintErrors = {
  ssh_keys_key_unique: { field: 'content', reason: 'ALREADY_TAKEN', message: 'This key is already in use.' },
  ssh_keys_limit_of_user: limitReached(`A user has at most ${SSH_KEY_LIMITS.ofUser} SSH keys.`),
  ssh_keys_limit_of_organisation: limitReached(
    `An organisation has at most ${SSH_KEY_LIMITS.ofOrganisation} deploy keys.`,
  ),
};
