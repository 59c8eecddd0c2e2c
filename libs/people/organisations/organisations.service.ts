import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { Deletions } from '@app/lifecycle/deletions';
import { UserEvents } from '@app/lifecycle/user-events';
import { DatabaseReads, rowIn } from '@app/platform/database/pg-reads/database-reads';
import { insertReturningId, Transactions, type TransactionUse } from '@app/platform/database/transactions';
import { assertNameFits } from '@app/platform/dto/text-rules';
import { assertFound, fieldError, found, NotFound, ValidationFailed } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import { type Caller, isAdmin, isCustadmin } from '@app/security/access/caller';
import { assertByPerson } from '@app/security/access/for-people';
import { grantDoesNotCover } from '@app/security/access/granted-access';
import { assertActsItself } from '@app/security/access/impersonation';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';
import {
  FEW_USERS,
  jsonNameOf,
  ORGANISATION_FIELDS,
  type OrganisationForReader,
  type OrganisationOrder,
  type SubOrganisation,
  type SubOrganisationOrder,
} from './organisation.columns';
import { Organisation } from './organisation.entity';
import {
  IS_WITHIN,
  MAX_SCANNED,
  ORGANISATION_BY_ID,
  organisationPage,
  type OrganisationReading,
  PLACE_BY_ID,
  REACH_EXTENT,
  type ReachExtent,
  type Scope,
  subOrganisationPage,
} from './organisation.queries';
import {
  operatorOrganisationNotDeletable,
  organisationInUse,
  type OrganisationSearch,
} from './organisation.types';
import { OrganisationBounds } from './organisation-bounds';
import type { NewOrganisation, OrganisationChanges } from './organisation-changes.types';
import { assertFieldsWritable, withoutForeignNulls } from './organisation-field-rights';
import { USED_GRANTORS, usedGrantorsValues } from './organisation-grants';
import { assertTypeGivable, NEW, resellerGiven } from './organisation-type';
import { OrganisationsShapes } from './shapes/organisations.shapes';
import { keepingSuspensions } from './suspended-links';
import {
  namesPlace,
  readToChange,
  treeChangeOf,
  TreeChanges,
  UNDER_TREE_LOCK,
  withoutUnchangedLinks,
} from './tree-changes';

type OrganisationListRequest = ListRequest<OrganisationOrder, OrganisationSearch>;

/** Maximum names in an error message. */
const MAX_NAMES = 5;

/** The rules of organisations: visibility, rights to set fields, changes of the tree. */
@Injectable()
export class OrganisationsService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly deletions: Deletions,
    private readonly treeChanges: TreeChanges,
    private readonly shapes: OrganisationsShapes,
    private readonly userEvents: UserEvents,
    private readonly bounds: OrganisationBounds,
  ) {}

  async list(caller: Caller, request: OrganisationListRequest): Promise<Page<OrganisationForReader>> {
    return { ...(await this.pageOf(caller, request)), isReduced: !isAdmin(caller) };
  }

  private async pageOf(
    caller: Caller,
    request: OrganisationListRequest,
  ): Promise<Page<OrganisationForReader>> {
    const readByAdmin = isAdmin(caller);
    if (!readByAdmin && ORGANISATION_FIELDS[request.orderBy].shownTo !== 'all') {
      throw ValidationFailed.on(
        'orderBy',
        fieldError('ADMIN_ONLY', 'Only an admin can order by this field.'),
      );
    }
    // A search by a field that the reader may not see finds nothing.
    const mode = !readByAdmin && request.search.externalId !== undefined ? 'nothing' : request.mode;
    const scope = await this.scopeOf(caller, request);
    const read = (reading: OrganisationReading): Promise<Page<OrganisationForReader>> =>
      this.paginator.page(
        { ...request, mode },
        organisationPage(scope, request, reading),
        (organisation) => ({ organisation, readByAdmin }),
      );
    if (!this.isShownUsers(caller)) return read('withoutUsers');
    if (request.mode === 'stream') return read('full');
    const page = await read('summary');
    return page.items.some(({ organisation }) => hasMoreThanFew(organisation))
      ? this.paginator.withLargeRecordPermit(caller.client, () => read('full'))
      : page;
  }

  async read(caller: Caller, id: number): Promise<OrganisationForReader> {
    const { full, summary, withoutUsers } = ORGANISATION_BY_ID;
    const read = await this.queries.row(this.isShownUsers(caller) ? summary : withoutUsers, [id]);
    const organisation =
      read !== undefined && hasMoreThanFew(read)
        ? await this.paginator.withLargeRecordPermit(caller.client, () => this.queries.row(full, [id]))
        : read;
    if (organisation === undefined) throw new NotFound('Organisation');
    return { organisation, readByAdmin: isAdmin(caller) };
  }

  /** Empty for a service key that does not reach beneath. */
  async listBeneath(
    caller: Caller,
    id: number,
    request: ListRequest<SubOrganisationOrder>,
  ): Promise<Page<SubOrganisation>> {
    const mode = caller.reachesBeneath ? request.mode : 'nothing';
    const { beneath = 0 } = request.filter === undefined ? {} : await this.extentOf(id);
    const isLarge = beneath > MAX_SCANNED;
    return this.paginator.page({ ...request, mode }, subOrganisationPage({ of: id, isLarge }, request));
  }

  /** The organisations that the reader's list shows. */
  private async scopeOf(
    caller: Caller,
    { filter, search }: Pick<OrganisationListRequest, 'filter' | 'search'>,
  ): Promise<Scope> {
    if (isAdmin(caller)) return { kind: 'all' };
    const of = caller.organisationId;
    const beneath = isCustadmin(caller) && caller.reachesBeneath;
    const extent = await this.extentOf(of);
    const isSearched = filter !== undefined || Object.keys(search).length > 0;
    const isLarge = isSearched && beneath && extent.beneath > MAX_SCANNED;
    const granted = caller.usesGrants && extent.hasGrants ? await this.grantorsTo(caller, beneath) : [];
    return { kind: 'reach', of, beneath, granted, isLarge };
  }

  /** The organisations whose grants the caller uses, but those that it lists as lying beneath its own. */
  private async grantorsTo(caller: Caller, beneath: boolean): Promise<number[]> {
    const used = await this.queries.rows(USED_GRANTORS, usedGrantorsValues(caller, beneath));
    return used.map(({ grantor }) => grantor);
  }

  private async extentOf(id: number): Promise<ReachExtent> {
    return (await this.queries.row(REACH_EXTENT, [id])) ?? { beneath: 0, hasGrants: false };
  }

  async create(caller: Caller, request: NewOrganisation): Promise<OrganisationForReader> {
    const writer = { caller, resellerId: null };
    const input = withoutForeignNulls(request, writer);
    assertFieldsWritable(input, writer);
    assertTypeGivable(caller, input.organisationType, NEW);
    const isReseller = resellerGiven(caller, input.organisationType, NEW);
    // The reseller link keeps the new organisation in reach of a creator without ROLE_ADMIN.
    const resellerId = input.resellerId ?? (isAdmin(caller) ? undefined : caller.organisationId);
    const parentId = input.parentId ?? OPERATOR_ORGANISATION;
    const make = () =>
      this.transactions.run(caller, async (manager) => {
        await assertResellerInReach(manager, caller, input.resellerId);
        const row = { ...rowOf({ ...input, resellerId }), parentId, isReseller };
        const id = await insertReturningId(manager, Organisation, row);
        const { summary, withoutUsers } = ORGANISATION_BY_ID;
        const statement = this.isShownUsers(caller) ? summary : withoutUsers;
        return found(await rowIn(manager, statement, [id]), 'Organisation');
      });
    const organisation = await this.bounds.made(caller, () => this.treeChanges.run(caller, make));
    return { organisation, readByAdmin: isAdmin(caller) };
  }

  /** Changes the given fields. */
  async update(caller: Caller, id: number, request: OrganisationChanges): Promise<void> {
    const work = (use?: TransactionUse) => this.updateAtOnce(caller, id, request, use);
    const inTree = () => this.treeChanges.run(caller, () => work(UNDER_TREE_LOCK));
    const change = await this.treeChangeOf(caller, id, request);
    if (change === undefined) await work();
    else if (change === 'type') await inTree();
    else await this.bounds.moved(caller, inTree);
  }

  private async updateAtOnce(
    caller: Caller,
    id: number,
    request: OrganisationChanges,
    use?: TransactionUse,
  ): Promise<void> {
    const work = async (manager: EntityManager): Promise<void> => {
      const before = await readToChange(manager, caller, id, request);
      const writer = { caller, resellerId: before.resellerId };
      const input = withoutForeignNulls(request, writer);
      assertFieldsWritable(input, writer);
      const links = withoutUnchangedLinks(input, before);
      const movesIt = links.parentId !== undefined || links.resellerId !== undefined;
      const changesDemand = (input.required2fa ?? before.required2fa) !== before.required2fa;
      const changesType = (input.organisationType ?? before.organisationType) !== before.organisationType;
      if (caller.grant !== undefined && (movesIt || changesDemand || changesType)) throw grantDoesNotCover();
      assertTypeGivable(caller, input.organisationType, before);
      await assertNameFits(input.name, () => Promise.resolve(before.name));
      const isReseller = resellerGiven(caller, input.organisationType, before);
      const columns = { ...rowOf(links), isReseller };
      if (input.resellerId !== undefined && input.resellerId !== before.resellerId) {
        await assertResellerInReach(manager, caller, input.resellerId);
        await assertResellerInReach(manager, caller, before.resellerId);
      }
      const change = () => manager.update(Organisation, { id }, columns);
      await assertFound(
        movesIt && !isAdmin(caller) ? keepingSuspensions(manager, caller, id, change) : change(),
        'Organisation',
      );
      if (!changesDemand) return;
      assertActsItself(caller);
      if (before.required2fa) assertByPerson(caller, 'take the demand of a second factor away');
      await this.announceDemand(manager, caller, {
        id,
        name: input.name ?? before.name,
        isLifted: before.required2fa,
      });
    };
    await this.transactions.run(caller, work, use);
  }

  /** Announces that the organisation demands a second factor from now on, or no longer. */
  private async announceDemand(
    manager: EntityManager,
    { actorId, credential }: Caller,
    { id: organisationId, name, isLifted }: { id: number; name: string; isLifted: boolean },
  ): Promise<void> {
    await this.userEvents.announce(
      manager,
      isLifted
        ? { kind: 'secondFactorDemandLifted', organisationId, name, actorId }
        : {
            kind: 'secondFactorDemanded',
            organisationId,
            keptLoginId: credential.kind === 'login' ? credential.id : undefined,
          },
    );
  }

  /** Skips reading the users for callers who may not see them. */
  private isShownUsers(caller: Caller): boolean {
    return this.shapes.usersShownTo === 'all' || isAdmin(caller);
  }

  /** Also deletes its users and all their credentials. */
  async delete(caller: Caller, id: number): Promise<void> {
    if (id === OPERATOR_ORGANISATION) throw operatorOrganisationNotDeletable();
    const work = async (manager: EntityManager): Promise<void> => {
      await assertNotInUse(manager, id);
      await assertFound(
        manager.update(Organisation, { id, deletedAt: IsNull() }, { deletedAt: () => 'now()' }),
        'Organisation',
      );
      await this.deletions.organisationDeleted(manager, id);
    };
    await this.treeChanges.run(caller, () => this.transactions.run(caller, work, UNDER_TREE_LOCK));
  }

  /**
   * Old clients repeat links and type in every PUT. A request that leaves the tree unchanged
   * must not wait for its lock.
   */
  private async treeChangeOf(
    caller: Caller,
    id: number,
    request: OrganisationChanges,
  ): Promise<'link' | 'type' | undefined> {
    const place = namesPlace(request) ? await this.queries.row(PLACE_BY_ID, [id]) : undefined;
    return place && treeChangeOf(caller, request, place);
  }
}

/** Whether an organisation has more users than the summary returns. */
const hasMoreThanFew = ({ users }: { readonly users: readonly unknown[] }): boolean =>
  users.length > FEW_USERS;

/** A caller may link to, or unlink from, only organisations in its reach. */
async function assertResellerInReach(
  manager: EntityManager,
  caller: Caller,
  resellerId: number | null | undefined,
): Promise<void> {
  if (isAdmin(caller) || resellerId === null || resellerId === undefined) return;
  const { organisationId, reachesBeneath } = caller;
  const values = [organisationId, resellerId, reachesBeneath];
  const [row] = await manager.query<{ within: boolean }[]>(IS_WITHIN, values);
  if (row?.within !== true) {
    throw ValidationFailed.on(
      jsonNameOf('resellerId'),
      fieldError('DOES_NOT_EXIST', 'This organisation does not exist or is out of reach.'),
    );
  }
}

/** The columns to set; undefined leaves a column unchanged. */
function rowOf(input: OrganisationChanges): Partial<Organisation> {
  const { nextInvoiceRun, defaultAgreements, ...same } = input;
  return {
    ...same,
    ...(nextInvoiceRun !== undefined && {
      nextInvoiceRun: nextInvoiceRun === null ? null : new Date(nextInvoiceRun * 1000),
    }),
    ...(defaultAgreements !== undefined && { defaultAgreements: defaultAgreements ?? {} }),
  };
}

const NAMES_BENEATH = `
  SELECT o.name FROM organisation_closure c JOIN organisations o ON o.id = c.descendant_id
  WHERE c.ancestor_id = $1 ORDER BY o.id LIMIT ${MAX_NAMES + 1}`;

const NAMES_OF_ENABLED_USERS = `
  SELECT username AS name FROM users
  WHERE organisation_id = $1 AND enabled AND deleted_at IS NULL ORDER BY id LIMIT ${MAX_NAMES + 1}`;

/**
 * Names the records that prevent the deletion. The tree triggers refuse records added
 * later in the transaction.
 */
async function assertNotInUse(manager: EntityManager, id: number): Promise<void> {
  const beneath = await manager.query<{ name: string }[]>(NAMES_BENEATH, [id]);
  const users = await manager.query<{ name: string }[]>(NAMES_OF_ENABLED_USERS, [id]);
  const reasons = [
    ...(beneath.length > 0 ? [`organisations lie beneath it (${namesOf(beneath)})`] : []),
    ...(users.length > 0 ? [`it still has enabled users (${namesOf(users)})`] : []),
  ];
  if (reasons.length > 0) throw organisationInUse(reasons);
}

const namesOf = (rows: readonly { name: string }[]): string =>
  rows
    .slice(0, MAX_NAMES)
    .map((row) => row.name)
    .join(', ') + (rows.length > MAX_NAMES ? ', …' : '');
