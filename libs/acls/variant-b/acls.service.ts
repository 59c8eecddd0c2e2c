import { Injectable } from '@nestjs/common';
import { Transactions } from '@app/core/database/transactions';
import { NotFound, ValidationFailed } from '@app/core/errors/api-error';
import { fault } from '@app/core/errors/fault';
import { Acl } from '../acl.entity';
import type { Grant, NewGrant } from './acl.types';

/** Shared locks: an organisation that is being deleted meanwhile is waited for, and then is not there. */
const BOTH_ORGANISATIONS = `SELECT id, name FROM organisations
  WHERE id IN ($1, $2) AND deleted_at IS NULL ORDER BY id FOR SHARE`;

/** Gives the existing row's id as well: 16 requests at once get one grant. */
const GRANT = `INSERT INTO acls (organisation_id, grantee_id) VALUES ($1, $2)
  ON CONFLICT ON CONSTRAINT acls_once DO UPDATE SET grantee_id = excluded.grantee_id RETURNING id`;

/**
 * Grants: the users of another organisation may read this one. The grantee need not be in the caller's reach, since
 * the feature is for organisations that have nothing else to do with each other.
 */
@Injectable()
export class AclsService {
  constructor(private readonly transactions: Transactions) {}

  /** Granting what is granted already gives the existing grant (decisions.md section 8). */
  grant(organisationId: number, { granteeId }: NewGrant): Promise<Grant> {
    return this.transactions.run(async (manager) => {
      const found = await manager.query<{ id: number; name: string }[]>(BOTH_ORGANISATIONS, [
        organisationId,
        granteeId,
      ]);
      if (!found.some(({ id }) => id === organisationId)) throw new NotFound('Organisation');
      const grantee = found.find(({ id }) => id === granteeId);
      if (grantee === undefined)
        throw ValidationFailed.on(
          'organisation',
          fault('DOES_NOT_EXIST', 'This organisation does not exist.'),
        );
      const [row] = await manager.query<{ id: number }[]>(GRANT, [organisationId, granteeId]);
      return { id: (row as { id: number }).id, organisationId, grantee };
    });
  }

  /** There is no cache between this and the grantee's next request, on any node. */
  async revoke(organisationId: number, granteeId: number): Promise<void> {
    await this.transactions.run(async (manager) => {
      const { affected } = await manager.delete(Acl, { organisationId, granteeId });
      if (affected === 0) throw new NotFound('Grant');
    });
  }
}
