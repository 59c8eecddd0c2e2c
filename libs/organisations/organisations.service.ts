import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isAdmin, isCustadmin, type Caller } from '@app/core/access/caller';
import { OPERATOR_ORGANISATION } from '@app/core/access/role-grants';
import { Sql } from '@app/core/database/sql';
import { Transactions } from '@app/core/database/transactions';
import { NotFound, RequestRefused, ValidationFailed } from '@app/core/errors/api-error';
import { Lists } from '@app/core/paging/lists';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Organisation } from './organisation.entity';
import { refuseForeignFields } from './organisation.field-rules';
import {
  IS_WITHIN,
  ORGANISATION_BY_ID,
  organisationPage,
  subOrganisationPage,
  type Scope,
} from './organisation.queries';
import type {
  OrganisationChanges,
  OrganisationDetails,
  OrganisationForReader,
  OrganisationOrder,
  OrganisationSearch,
  SubOrganisation,
  SubOrganisationOrder,
} from './organisation.values';
import './organisations.errors';

/** Fields that only admins are shown: nobody else may order or search by them, that would show them too. */
const ADMIN_ORDERS: ReadonlySet<OrganisationOrder> = new Set([
  'externalId',
  'paymentPeriod',
  'prePaymentRequired',
  'discount',
  'resellerKickback',
  'defaultResellerKickback',
]);

/** How many names an error message lists at most. */
const MOST_NAMES = 5;

/** The rules of organisations: who sees which, who may set what, and how the tree may change. */
@Injectable()
export class OrganisationsService {
  constructor(
    private readonly sql: Sql,
    private readonly lists: Lists,
    private readonly transactions: Transactions,
  ) {}

  async list(
    caller: Caller,
    request: ListRequest<OrganisationOrder, OrganisationSearch>,
  ): Promise<Page<OrganisationForReader>> {
    const readByAdmin = isAdmin(caller);
    if (!readByAdmin && ADMIN_ORDERS.has(request.orderBy)) {
      throw ValidationFailed.on('orderBy', 'Only an admin can order by this field.');
    }
    // Nothing that a reader is not shown may be found by searching for it either.
    const selectsNothing =
      request.selectsNothing || (!readByAdmin && request.search.externalId !== undefined);
    return this.lists.page(
      { ...request, selectsNothing },
      organisationPage(scopeOf(caller), request),
      (organisation: OrganisationDetails) => ({ organisation, readByAdmin }),
    );
  }

  async read(caller: Caller, id: number): Promise<OrganisationForReader> {
    const organisation = await this.sql.row<OrganisationDetails>(ORGANISATION_BY_ID, [id]);
    if (organisation === undefined) throw new NotFound('Organisation');
    return { organisation, readByAdmin: isAdmin(caller) };
  }

  listBeneath(id: number, request: ListRequest<SubOrganisationOrder>): Promise<Page<SubOrganisation>> {
    return this.lists.page(request, subOrganisationPage(id, request));
  }

  async create(caller: Caller, input: OrganisationChanges): Promise<OrganisationForReader> {
    refuseForeignFields(input, { caller, resellerId: null });
    // Whoever is not an admin stays able to reach what it creates.
    const resellerId = input.resellerId ?? (isAdmin(caller) ? undefined : caller.organisationId);
    await this.refuseResellerOutOfReach(caller, input.resellerId);
    const id = await this.transactions.run(async (manager) => {
      const { identifiers } = await manager.insert(Organisation, {
        ...columnsOf({ ...input, resellerId }),
        parentId: input.parentId ?? OPERATOR_ORGANISATION,
      });
      return (identifiers[0] as { id: number }).id;
    });
    return this.read(caller, id);
  }

  /** Changes what the input has; what it leaves out stays. */
  async update(caller: Caller, id: number, input: OrganisationChanges): Promise<void> {
    await this.transactions.run(async (manager) => {
      const before = await manager.findOneBy(Organisation, { id });
      if (before === null) throw new NotFound('Organisation');
      refuseForeignFields(input, { caller, resellerId: before.resellerId });
      if (input.resellerId !== undefined && input.resellerId !== before.resellerId) {
        await this.refuseResellerOutOfReach(caller, input.resellerId);
        await this.refuseResellerOutOfReach(caller, before.resellerId);
      }
      const columns = columnsOf(withoutUnchangedLinks(input, before));
      const { affected } = await manager.update(Organisation, { id }, columns);
      if (affected === 0) throw new NotFound('Organisation');
    });
  }

  async delete(id: number): Promise<void> {
    if (id === OPERATOR_ORGANISATION) {
      throw new RequestRefused('The operator organisation can not be deleted', 'OPERATOR_ORGANISATION');
    }
    await this.transactions.run(async (manager) => {
      await refuseWhileInUse(manager, id);
      await manager.update(Organisation, { id }, { deletedAt: () => 'now()' });
      await manager.query(
        `UPDATE users SET deleted_at = now() WHERE organisation_id = $1 AND deleted_at IS NULL`,
        [id],
      );
      await manager.query(
        `UPDATE invitations SET deleted_at = now()
         WHERE organisation_id = $1 AND accepted_at IS NULL AND deleted_at IS NULL`,
        [id],
      );
      await manager.query(`DELETE FROM contacts WHERE organisation_id = $1`, [id]);
      await manager.query(`DELETE FROM acls WHERE organisation_id = $1 OR grantee_id = $1`, [id]);
      await manager.query(
        `DELETE FROM ssh_keys
         WHERE organisation_id = $1 OR user_id IN (SELECT id FROM users WHERE organisation_id = $1)`,
        [id],
      );
    });
  }

  /** A link can only lead to an organisation that the caller reaches, and only be taken from such a one. */
  private async refuseResellerOutOfReach(
    caller: Caller,
    resellerId: number | null | undefined,
  ): Promise<void> {
    if (isAdmin(caller) || resellerId === null || resellerId === undefined) return;
    const row = await this.sql.row<{ within: boolean }>(IS_WITHIN, [caller.organisationId, resellerId]);
    if (row?.within !== true) {
      throw ValidationFailed.on(
        'resellerOrganisation',
        'This organisation does not exist or is out of reach.',
      );
    }
  }
}

/** The organisations that a caller may read one by one, and so those that its list shows. */
function scopeOf(caller: Caller): Scope {
  if (isAdmin(caller)) return { kind: 'all' };
  return {
    kind: 'reach',
    of: caller.organisationId,
    beneath: isCustadmin(caller),
    granted: caller.hasGrants,
  };
}

/** A link that is set to what it is leaves the tree alone, and with it the lock that all changes share. */
function withoutUnchangedLinks(input: OrganisationChanges, before: Organisation): OrganisationChanges {
  const { parentId, resellerId, ...rest } = input;
  return {
    ...rest,
    ...(parentId !== before.parentId && { parentId }),
    ...(resellerId !== before.resellerId && { resellerId }),
  };
}

/** The columns that the fields of a request set; undefined leaves a column as it is. */
function columnsOf(input: OrganisationChanges): Partial<Organisation> {
  const { nextInvoiceRun, defaultAgreements, countryCode, ...same } = input;
  return {
    ...same,
    ...(countryCode !== undefined && { countryCode: countryCode?.toUpperCase() ?? null }),
    ...(nextInvoiceRun !== undefined && { nextInvoiceRun: new Date(nextInvoiceRun * 1000) }),
    ...(defaultAgreements !== undefined && { defaultAgreements: defaultAgreements ?? {} }),
  };
}

/** Names what stands in the way; the tree triggers refuse the same, should it come in between. */
async function refuseWhileInUse(manager: EntityManager, id: number): Promise<void> {
  const beneath = await manager.query<{ name: string }[]>(
    `SELECT o.name FROM organisation_closure c JOIN organisations o ON o.id = c.descendant_id
     WHERE c.ancestor_id = $1 ORDER BY o.id LIMIT ${MOST_NAMES + 1}`,
    [id],
  );
  const users = await manager.query<{ name: string }[]>(
    `SELECT username AS name FROM users
     WHERE organisation_id = $1 AND enabled AND deleted_at IS NULL ORDER BY id LIMIT ${MOST_NAMES + 1}`,
    [id],
  );
  const reasons = [
    ...(beneath.length > 0 ? [`organisations lie beneath it (${namesOf(beneath)})`] : []),
    ...(users.length > 0 ? [`it still has enabled users (${namesOf(users)})`] : []),
  ];
  if (reasons.length > 0) {
    throw new RequestRefused(`The organisation can not be deleted: ${reasons.join(' and ')}`, 'IN_USE');
  }
}

const namesOf = (rows: readonly { name: string }[]): string =>
  rows
    .slice(0, MOST_NAMES)
    .map((row) => row.name)
    .join(', ') + (rows.length > MOST_NAMES ? ', …' : '');
