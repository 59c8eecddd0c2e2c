import { Injectable } from '@nestjs/common';
import { isAdmin, type Caller } from '@app/core/access/caller';
import { pathIdentifier } from '@app/core/access/request-address';
import { OPERATOR_ORGANISATION } from '@app/core/access/role-grants';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { ValidationFailed } from '@app/core/errors/api-error';
import { Paginator } from '@app/core/paging/paginator';
import { EMPTY_PAGE, type ListRequest, type Page } from '@app/core/paging/page';
import { NO_TIMESTAMP, timestampIn } from '@app/core/wire/timestamp-field.decorator';
import { fieldsShown, kindOf, tablesOf } from './audit-kinds';
import {
  auditedActPage,
  KNOWN_USER,
  type ActSelection,
  type AuditedActRow,
  type Reader,
} from './audited-act.queries';
import type { Actor, ActorType, AuditedAct, AuditedActOrder, AuditedActSearch } from './audited-act.types';

const ACTIONS = ['insert', 'update', 'delete', 'refuse'] as const;

/** Actors whose way in belongs to the organisation: who they are is no secret of anybody else's. */
const OWN_WAYS: ReadonlySet<ActorType> = new Set<ActorType>([
  'user',
  'invitation',
  'nameRestoration',
  'stranger',
]);

type Request = ListRequest<AuditedActOrder, AuditedActSearch>;

/** The audit log for customers: their part of it, without what they may not see. */
@Injectable()
export class AuditService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly paginator: Paginator,
  ) {}

  async list(caller: Caller, organisationId: number, request: Request): Promise<Page<AuditedAct>> {
    const { search, filter } = request;
    const reader: Reader = { organisationId: caller.organisationId, isAdmin: isAdmin(caller) };
    const span = spanOf(search);
    const tables = search.kind === undefined ? undefined : tablesOf((kind) => kind === search.kind);
    const actor = await this.actorOf(search.user, organisationId, reader);
    if (actor === 'nobody' || tables?.length === 0) return EMPTY_PAGE;
    const text = filter?.toLowerCase() ?? '';
    const filtered = {
      tables: tablesOf((kind) => kind.toLowerCase().includes(text)),
      actions: ACTIONS.filter((action) => action.includes(text)),
    };
    const selection: ActSelection = { organisationId, reader, actor, tables, filtered, ...span };
    return this.paginator.page(request, auditedActPage(selection, request), (row) =>
      actOf(row, organisationId, reader),
    );
  }

  /** Whom the reader may not know, it cannot look for either. */
  private async actorOf(
    text: string | undefined,
    organisationId: number,
    reader: Reader,
  ): Promise<ActSelection['actor'] | 'nobody'> {
    if (text === undefined) return undefined;
    const id = pathIdentifier(text);
    if (id === null) return 'nobody';
    const values = [id, reader.organisationId, reader.isAdmin];
    const user = await this.queries.row<{ organisationId: number }>(KNOWN_USER, values);
    return user === undefined ? 'nobody' : { id, isOwn: user.organisationId === organisationId };
  }
}

/** 400 on what is no moment. */
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

function actOf(row: AuditedActRow, organisationId: number, { isAdmin: readByAdmin }: Reader): AuditedAct {
  // What is personal to an admin is shown to admins alone, and the operator's organisation has admins.
  const showsValues =
    readByAdmin || (row.organisationId === organisationId && organisationId !== OPERATOR_ORGANISATION);
  const shown = (columns: AuditedActRow['before']) =>
    showsValues ? fieldsShown(row.table, columns, readByAdmin) : null;
  return {
    id: row.id,
    at: row.at,
    actor: actorIn(row, readByAdmin),
    action: row.action,
    kind: kindOf(row.table),
    recordId: row.recordId,
    organisationId: row.organisationId,
    before: shown(row.before),
    after: shown(row.after),
  };
}

function actorIn(
  { actorType, userId, username, credential, address }: AuditedActRow,
  readByAdmin: boolean,
): Actor {
  const isShown = readByAdmin || OWN_WAYS.has(actorType);
  return {
    type: actorType,
    userId,
    username: username ?? '',
    credential: isShown ? (credential ?? '') : '',
    address: isShown ? (address ?? '') : '',
  };
}
