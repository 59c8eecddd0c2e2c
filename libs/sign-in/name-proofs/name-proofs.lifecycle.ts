import { deletedRows } from '@app/lifecycle/deletions';
import { type CredentialRules, userTable } from '@app/lifecycle/table-rules';
import { endNameProofs } from './name-proof-ends';
import { NameProofs } from './name-proofs';

const FORGET = `UPDATE name_proofs SET name = '' WHERE user_id = ANY ($1::integer[]) AND name <> ''`;

/** The name may be the address of somebody who has nothing to do with the user. */
const FORGET_DIGESTS = `UPDATE name_proofs SET name_digest = NULL
  WHERE name_digest IS NOT NULL AND created_at < now() - interval '24 hours'`;

/**
 * Rows of deleted users stay without the name: they still count for their organisation,
 * and for a day for the name.
 */
export const nameProofRules: CredentialRules = {
  table: 'name_proofs',
  audited: {
    kind: 'nameProofs',
    shown: 'user_id created_at expires_at ended_at',
    hidden: 'id organisation_id token_digest',
  },
  afterRestore: { ends: 'nameProofLinks', by: 'end' },
  made: (provider) =>
    userTable('name_proofs', {
      part: 'nameProofs',
      about: 'Links that were mailed to prove a new user name, in the last months.',
      exported: `id, name, created_at AS "createdAt", expires_at AS "expiresAt", ended_at AS "endedAt"`,
      withUsers: async (manager, userIds) => {
        await endNameProofs(manager, userIds);
        await manager.query(FORGET, [userIds]);
      },
      withOrganisation: deletedRows(
        `UPDATE name_proofs SET ended_at = coalesce(ended_at, now()), name = '' WHERE organisation_id = $1`,
      ),
      handle: (manager, event) => provider(NameProofs).handle(manager, event),
      erase: 'the name leaves the row when the user is deleted',
      cleanUp: [FORGET_DIGESTS, `DELETE FROM name_proofs WHERE expires_at < now() - interval '90 days'`],
    }),
};
