import { deletedOfOrganisation, userCredentials } from '@app/lifecycle/table-rules';
import { SSH_KEY_CONSTRAINT_ERRORS } from './ssh-key.types';

export const SSH_KEY_RULES = userCredentials('ssh_keys', {
  part: 'sshKeys',
  constraintErrors: SSH_KEY_CONSTRAINT_ERRORS,
  about: 'Public keys that the person logs in to systems with.',
  exported: `id, description,
    type || ' ' || translate(encode(blob, 'base64'), E'\\n', '') || ' ' || comment AS content, fingerprint,
    created_at AS "createdAt", key_changed_at AS "changedAt"`,
  addedAt: 'greatest(created_at, key_changed_at)',
  withOrganisation: deletedOfOrganisation('ssh_keys'),
  audited: {
    kind: 'sshkeys',
    shown: 'user_id description type bits comment fingerprint created_at',
    hidden: 'id organisation_id key_digest second_factor_passed',
  },
  afterRestore: 'they stay as in the backup: they open no account, and the systems read them anew',
});
