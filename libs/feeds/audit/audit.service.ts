import { Injectable } from '@nestjs/common';
import { withAsciiDomain } from '@app/formats/email-domains';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { NO_TIMESTAMP, timestampIn } from '@app/platform/dto/field.decorators';
import { ValidationFailed } from '@app/platform/errors/api-error';
import { substringPattern } from '@app/platform/lists/list-query';
import { EMPTY_PAGE, type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import { type Caller, isAdmin } from '@app/security/access/caller';
import { pathIdentifier } from '@app/security/access/path-identifier';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';
import type { ActorResponse, AuditedActResponse } from './audit.shapes';
import { AuditKinds } from './audit-kinds';
import {
  type ActorType,
  type ActSelection,
  type AuditedActOrder,
  auditedActPage,
  type AuditedActRow,
  type AuditedActSearch,
  type FilterMatches,
  KNOWN_USER,
  type Reader,
  USERS_BY_NAME,
} from './audited-act.queries';

const ACTIONS = ['insert', 'update', 'delete'] as const;

/** Actors of the organisation itself. Managers see their credential and IP address. */
const OWN_ACTORS = new Set<ActorType>(['user', 'serviceKey', 'invitation']);

type Request = ListRequest<AuditedActOrder, AuditedActSearch>;

/** The audit log of customers: only their own part, without values that they may not see. */
@Injectable()
export class AuditService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
    private readonly kinds: AuditKinds,
  ) {}

  async list(caller: Caller, organisationId: number, request: Request): Promise<Page<AuditedActResponse>> {
    const { search, filter } = request;
    const reader: Reader = { organisationId: caller.organisationId, isAdmin: isAdmin(caller) };
    const span = spanOf(search);
    const tables =
      search.kind === undefined ? undefined : this.kinds.tablesOf((kind) => kind === search.kind);
    const actor = await this.actorOf(search.user, organisationId, reader);
    if (actor === 'nobody' || tables?.length === 0) return EMPTY_PAGE;
    const filtered =
      filter === undefined ? undefined : await this.matchesOf(filter, organisationId, reader, actor);
    if (filtered === 'nothing') return EMPTY_PAGE;
    const selection: ActSelection = { organisationId, reader, actor, tables, filtered, ...span };
    return this.paginator.page(request, auditedActPage(selection, request), (row) =>
      actOf(row, organisationId, reader, this.kinds),
    );
  }

  /** What a filter matches in the log of an organisation; undefined if it matches every row. */
  private async matchesOf(
    filter: string,
    organisationId: number,
    reader: Reader,
    actor: ActSelection['actor'],
  ): Promise<FilterMatches | 'nothing' | undefined> {
    const text = filter.toLowerCase();
    const tables = this.kinds.tablesOf((kind) => kind.toLowerCase().includes(text));
    const actions = ACTIONS.filter((action) => action.includes(text));
    if (actions.length === ACTIONS.length) return undefined;
    const values = [
      organisationId,
      reader.organisationId,
      reader.isAdmin,
      substringPattern(withAsciiDomain(filter)),
    ];
    const named = (await this.queries.rows(USERS_BY_NAME, values)).map(({ id }) => id);
    if (actor !== undefined && named.includes(actor.id)) return undefined;
    const users = actor === undefined ? named : [];
    return tables.length + actions.length + users.length === 0 ? 'nothing' : { tables, actions, users };
  }

  /** A reader cannot search for a user that is hidden from the reader. */
  private async actorOf(
    text: string | undefined,
    organisationId: number,
    reader: Reader,
  ): Promise<ActSelection['actor'] | 'nobody'> {
    if (text === undefined) return undefined;
    const id = pathIdentifier(text);
    if (id === null) return 'nobody';
    const user = await this.queries.row(KNOWN_USER, [id, reader.organisationId, reader.isAdmin]);
    if (user === undefined) return 'nobody';
    return { id, isKnown: user.isKnown, isOwn: user.isKnown && user.organisationId === organisationId };
  }
}

/** Throws 400 for an invalid timestamp. */
function spanOf({ from, to }: Request['search']): Pick<ActSelection, 'from' | 'to'> {
  const moments = {
    from: from === undefined ? undefined : timestampIn(from),
    to: to === undefined ? undefined : timestampIn(to),
  };
  const wrong = (['from', 'to'] as const).filter((name) => moments[name] === null);
  if (wrong.length > 0)
    throw new ValidationFailed(Object.fromEntries(wrong.map((name) => [name, [NO_TIMESTAMP]])));
  return { from: moments.from ?? undefined, to: moments.to ?? undefined };
}

function actOf(
  row: AuditedActRow,
  organisationId: number,
  reader: Reader,
  kinds: AuditKinds,
): AuditedActResponse {
  // Only admins see values of the operator organisation, because its users are admins.
  const showsValues =
    reader.isAdmin || (row.organisationId === organisationId && organisationId !== OPERATOR_ORGANISATION);
  const shown = (columns: AuditedActRow['before']) =>
    showsValues ? kinds.fieldsShown(row.table, columns, reader.isAdmin) : null;
  return {
    id: row.id,
    dtStamp: String(row.at),
    actor: actorOf(row, organisationId, reader.isAdmin),
    change: {
      action: row.action,
      kind: kinds.kindOf(row.table),
      id: row.recordId,
      organisationId: row.organisationId,
      before: shown(row.before),
      after: shown(row.after),
    },
  };
}

function actorOf(row: AuditedActRow, organisationId: number, readByAdmin: boolean): ActorResponse {
  // The grantor of a grant sees only the name of a user who acted by it.
  const isGuest = row.grantId !== null && row.actingOrganisationId !== organisationId;
  const isShown = readByAdmin || (OWN_ACTORS.has(row.actorType) && !isGuest);
  return {
    type: row.actorType,
    userId: row.userId,
    username: row.username ?? '',
    credential: isShown ? (row.credential ?? '') : '',
    ip: isShown ? (row.address ?? '') : '',
    ...(row.support !== null && {
      reason: row.support.reason ?? '',
      onBehalfOf: { userId: row.support.userId ?? null, username: row.support.username ?? '' },
    }),
    ...(row.grantId !== null && {
      organisationId: row.actingOrganisationId,
      grantId: row.grantId,
    }),
    ...(row.serviceKeyId !== null && {
      serviceKeyId: row.serviceKeyId,
      name: row.serviceKeyName ?? '',
    }),
  };
}
