import { Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import { isAdmin, isCustadmin, type Caller } from '@app/core/access/caller';
import { OPERATOR_ORGANISATION } from '@app/core/access/role-grants';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { insertReturningId } from '@app/core/database/insert-returning-id';
import { Transactions } from '@app/core/database/transactions';
import { Deletions } from '@app/core/deletion/deletions';
import { NotFound, ValidationFailed } from '@app/core/errors/api-error';
import { fault } from '@app/core/errors/fault';
import { Paginator } from '@app/core/paging/paginator';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Organisation } from './organisation.entity';
import { FEW_USERS, ORGANISATION_FIELDS } from './organisation.columns';
import { AdminOnlyFields } from './admin-only-fields';
import { assertFieldsWritable, withoutForeignNulls } from './organisation-field-rights';
import {
  IS_WITHIN,
  LINKS_BY_ID,
  ORGANISATION_BY_ID,
  organisationPage,
  subOrganisationPage,
  type Scope,
  type UsersRead,
} from './organisation.queries';
import { OrganisationUsers } from './organisation-users';
import { SecondFactorDemands } from './second-factor-demand';
import { TreeChanges } from './tree-changes';
import type {
  NewOrganisation,
  OrganisationChanges,
  OrganisationForReader,
  OrganisationOrder,
  OrganisationSearch,
  SubOrganisation,
  SubOrganisationOrder,
} from './organisation.types';
import { OperatorOrganisationStays, OrganisationInUse } from './organisations.errors';
import { OrganisationsShapes } from './shapes/organisations.shapes';

/** How many names an error message lists at most. */
const MAX_NAMES = 5;

/** The rules of organisations: who sees which, who may set what, and how the tree may change. */
@Injectable()
export class OrganisationsService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly deletions: Deletions,
    private readonly treeChanges: TreeChanges,
    private readonly shapes: OrganisationsShapes,
    private readonly secondFactorDemands: SecondFactorDemands,
    private readonly adminOnly: AdminOnlyFields,
    private readonly users: OrganisationUsers,
  ) {}

  async list(
    caller: Caller,
    request: ListRequest<OrganisationOrder, OrganisationSearch>,
  ): Promise<Page<OrganisationForReader>> {
    const readByAdmin = isAdmin(caller);
    if (!readByAdmin && ORGANISATION_FIELDS[request.orderBy].shownTo !== 'all') {
      throw ValidationFailed.on('orderBy', fault('ADMIN_ONLY', 'Only an admin can order by this field.'));
    }
    // Nothing that a reader is not shown may be found by searching for it either.
    const selectsNothing =
      request.selectsNothing || (!readByAdmin && request.search.externalId !== undefined);
    const read = (users: UsersRead): Promise<Page<OrganisationForReader>> =>
      this.paginator.page(
        { ...request, selectsNothing },
        organisationPage(scopeOf(caller), request, users),
        (organisation) => ({ organisation: this.users.completed(organisation), readByAdmin }),
      );
    if (!this.isShownUsers(caller)) return read('none');
    if (request.isPlain !== true) return read('many');
    const page = await read('few');
    return page.items.some(({ organisation }) => hasMoreThanFew(organisation)) ? read('many') : page;
  }

  async read(caller: Caller, id: number): Promise<OrganisationForReader> {
    const { none, few, many } = ORGANISATION_BY_ID;
    const read = await this.queries.quickRow(this.isShownUsers(caller) ? few : none, [id]);
    const organisation =
      read !== undefined && hasMoreThanFew(read) ? await this.queries.row(many, [id]) : read;
    if (organisation === undefined) throw new NotFound('Organisation');
    return { organisation: this.users.completed(organisation), readByAdmin: isAdmin(caller) };
  }

  listBeneath(id: number, request: ListRequest<SubOrganisationOrder>): Promise<Page<SubOrganisation>> {
    return this.paginator.page(request, subOrganisationPage(id, request), (organisation) =>
      this.users.completed(organisation),
    );
  }

  async create(caller: Caller, request: NewOrganisation): Promise<OrganisationForReader> {
    const writer = { caller, resellerId: null, adminOnly: this.adminOnly.fields };
    const input = withoutForeignNulls(request, writer);
    assertFieldsWritable(input, writer);
    // Whoever is not an admin stays able to reach what it creates.
    const resellerId = input.resellerId ?? (isAdmin(caller) ? undefined : caller.organisationId);
    const parentId = input.parentId ?? OPERATOR_ORGANISATION;
    const id = await this.treeChanges.run(caller, () =>
      this.transactions.run(async (manager) => {
        await assertResellerInReach(manager, caller, input.resellerId);
        return insertReturningId(manager, Organisation, { ...columnsOf({ ...input, resellerId }), parentId });
      }),
    );
    return this.read(caller, id);
  }

  /** Changes what the input has; what it leaves out stays. */
  async update(caller: Caller, id: number, request: OrganisationChanges): Promise<void> {
    const work = () => this.updateAtOnce(caller, id, request);
    await ((await this.changesLinks(id, request)) ? this.treeChanges.run(caller, work) : work());
  }

  private async updateAtOnce(caller: Caller, id: number, request: OrganisationChanges): Promise<void> {
    await this.transactions.run(async (manager) => {
      const before = await manager.findOneBy(Organisation, { id });
      if (before === null) throw new NotFound('Organisation');
      const writer = { caller, resellerId: before.resellerId, adminOnly: this.adminOnly.fields };
      const input = withoutForeignNulls(request, writer);
      assertFieldsWritable(input, writer);
      if (input.resellerId !== undefined && input.resellerId !== before.resellerId) {
        await assertResellerInReach(manager, caller, input.resellerId);
        await assertResellerInReach(manager, caller, before.resellerId);
      }
      const columns = columnsOf(withoutUnchangedLinks(input, before));
      const { affected } = await manager.update(Organisation, { id }, columns);
      if (affected === 0) throw new NotFound('Organisation');
      if (input.required2fa === true && !before.required2fa) {
        await this.secondFactorDemands.announce(manager, id, caller);
      }
    });
  }

  /** Who is not is spared reading them. */
  private isShownUsers(caller: Caller): boolean {
    return this.shapes.usersShownTo === 'all' || isAdmin(caller);
  }

  /** With its users, and all that goes with them: nothing to get in with is left behind. */
  async delete(caller: Caller, id: number): Promise<void> {
    if (id === OPERATOR_ORGANISATION) throw new OperatorOrganisationStays();
    await this.treeChanges.run(caller, () =>
      this.transactions.run(async (manager) => {
        await assertNotInUse(manager, id);
        const { affected } = await manager.update(
          Organisation,
          { id, deletedAt: IsNull() },
          { deletedAt: () => 'now()' },
        );
        if (affected === 0) throw new NotFound('Organisation');
        await this.deletions.organisationDeleted(manager, id);
      }),
    );
  }

  /** Old clients repeat the links in every PUT: what leaves the tree as it is does not wait for who changes it. */
  private async changesLinks(id: number, { parentId, resellerId }: OrganisationChanges): Promise<boolean> {
    if (parentId === undefined && resellerId === undefined) return false;
    const links = await this.queries.row(LINKS_BY_ID, [id]);
    return (
      (parentId !== undefined && parentId !== links?.parentId) ||
      (resellerId !== undefined && resellerId !== links?.resellerId)
    );
  }
}

/** Whether an organisation that was read with few users has others. */
const hasMoreThanFew = ({ users }: { readonly users: readonly unknown[] }): boolean =>
  users.length > FEW_USERS;

/** A link can only lead to an organisation that the caller reaches, and only be taken from such a one. */
async function assertResellerInReach(
  manager: EntityManager,
  caller: Caller,
  resellerId: number | null | undefined,
): Promise<void> {
  if (isAdmin(caller) || resellerId === null || resellerId === undefined) return;
  const [row] = await manager.query<{ within: boolean }[]>(IS_WITHIN, [caller.organisationId, resellerId]);
  if (row?.within !== true) {
    throw ValidationFailed.on(
      'resellerOrganisation',
      fault('DOES_NOT_EXIST', 'This organisation does not exist or is out of reach.'),
    );
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
    ...(nextInvoiceRun !== undefined && {
      nextInvoiceRun: nextInvoiceRun === null ? null : new Date(nextInvoiceRun * 1000),
    }),
    ...(defaultAgreements !== undefined && { defaultAgreements: defaultAgreements ?? {} }),
  };
}

/** Names what stands in the way; the tree triggers refuse the same, should it come in between. */
async function assertNotInUse(manager: EntityManager, id: number): Promise<void> {
  const beneath = await manager.query<{ name: string }[]>(
    `SELECT o.name FROM organisation_closure c JOIN organisations o ON o.id = c.descendant_id
     WHERE c.ancestor_id = $1 ORDER BY o.id LIMIT ${MAX_NAMES + 1}`,
    [id],
  );
  const users = await manager.query<{ name: string }[]>(
    `SELECT username AS name FROM users
     WHERE organisation_id = $1 AND enabled AND deleted_at IS NULL ORDER BY id LIMIT ${MAX_NAMES + 1}`,
    [id],
  );
  const reasons = [
    ...(beneath.length > 0 ? [`organisations lie beneath it (${namesOf(beneath)})`] : []),
    ...(users.length > 0 ? [`it still has enabled users (${namesOf(users)})`] : []),
  ];
  if (reasons.length > 0) throw new OrganisationInUse(reasons);
}

const namesOf = (rows: readonly { name: string }[]): string =>
  rows
    .slice(0, MAX_NAMES)
    .map((row) => row.name)
    .join(', ') + (rows.length > MAX_NAMES ? ', …' : '');
