import { deletedOfOrganisation, userTable } from '@app/lifecycle/table-rules';
import { SSH_KEY_CONSTRAINT_ERRORS } from './ssh-key.types';

export const SSH_KEY_RULES = userTable('ssh_keys', {
  part: 'sshKeys',
  constraintErrors: SSH_KEY_CONSTRAINT_ERRORS,
  about: 'Public keys that the person logs in to systems with.',
  exported: `id, description,
    type || ' ' || translate(encode(blob, 'base64'), E'\\n', '') || ' ' || comment AS content, fingerprint,
    created_at AS "createdAt", key_changed_at AS "changedAt"`,
  addedAt: 'greatest(created_at, key_changed_at)',
  withOrganisation: deletedOfOrganisation('ssh_keys'),
});
