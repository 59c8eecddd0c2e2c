import { deletedOfOrganisation, userCredentials } from '@app/lifecycle/table-rules';
import { SSH_KEY_CONSTRAINT_ERRORS } from './ssh-key.types';

/** SQL for the fingerprint of the blob as ssh-keygen prints it: hex pairs, separated by colons. */
const FINGERPRINT = `rtrim(regexp_replace(md5(blob), '(..)', '\\1:', 'g'), ':')`;
const KEY_DIGEST = `sha256(convert_to(type || ' ', 'UTF8') || blob)`;
const WRONG_KEY = `fingerprint <> ${FINGERPRINT} OR key_digest <> ${KEY_DIGEST}`;

export const SSH_KEY_RULES = userCredentials('ssh_keys', {
  part: 'sshKeys',
  personalTexts: 'description comment fingerprint',
  otherTexts: 'type',
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
    hidden: 'id organisation_id key_digest',
  },
  checks: [
    {
      name: 'SSH keys',
      finds: 'SSH keys whose fingerprint or digest is not that of the key',
      wrong: `SELECT 'SSH key ' || id AS example FROM ssh_keys WHERE ${WRONG_KEY}`,
      repair: [
        `UPDATE ssh_keys SET fingerprint = ${FINGERPRINT}, key_digest = ${KEY_DIGEST} WHERE ${WRONG_KEY}`,
      ],
    },
  ],
  afterRestore: 'they stay as in the backup: they open no account, and the systems read them anew',
});
