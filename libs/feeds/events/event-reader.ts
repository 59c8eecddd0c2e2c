import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';
import { AuditKinds } from '@app/feeds/audit/audit-kinds';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import type { Statement } from '@app/platform/database/pg-reads/statement';
import { type EventRow, FEED, FEED_BENEATH, SETTLED, SWEEP, UNSETTLED } from './event.queries';
import type {
  AccountEvent,
  AudienceEvent,
  EventKind,
  EventSnapshot,
  EventVerb,
  FeedPage,
  FeedRequest,
  SweptEvents,
} from './event.types';

/** Reads events in an order that never skips a transaction that commits late. */
@Injectable()
export class EventReader {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly kinds: AuditKinds,
  ) {}

  /** The feed of one organisation. Reads in the transaction of the manager, if given. */
  async feed(
    organisationId: number,
    { after, limit, beneath }: FeedRequest,
    manager?: EntityManager,
  ): Promise<FeedPage> {
    const read = <Row extends QueryResultRow>(statement: Statement<Row>, values: unknown[]): Promise<Row[]> =>
      manager?.query<Row[]>(statement.text, values) ?? this.queries.rows(statement, values);
    const [found] = await read(SETTLED, []);
    const settled = found?.settled ?? 0;
    const rows = await read(beneath ? FEED_BENEATH : FEED, [organisationId, after, settled, limit]);
    const events = rows.map((row) => eventOf(row, this.kinds));
    return { events, next: events.at(-1)?.id ?? after };
  }

  /**
   * At most `limit` events of all organisations after a position, once for each organisation of their
   * audience. Call it in the transaction (READ COMMITTED) that stores the new position and the results.
   */
  async after(position: number, limit: number, manager: EntityManager): Promise<SweptEvents> {
    const settled = await this.settled(manager);
    const rows = await manager.query<EventRow[]>(SWEEP.text, [position, settled, limit]);
    const ids = new Set(rows.map(({ id }) => id));
    const last = rows.at(-1)?.id ?? position;
    return {
      events: rows.map((row) => audienceEventOf(row, this.kinds)),
      position: ids.size < limit ? Math.max(position, settled) : last,
    };
  }

  /** The last event that no open transaction can precede. */
  async settled(manager: EntityManager): Promise<number> {
    const [{ settled }] = await manager.query<[{ settled: number }]>(SETTLED.text);
    return settled;
  }

  /** The events of an organisation that are committed by now. */
  async snapshot(organisationId: number, manager: EntityManager): Promise<EventSnapshot> {
    const settled = await this.settled(manager);
    const rows = await manager.query<{ id: number }[]>(UNSETTLED.text, [organisationId, settled]);
    return { settled, unsettledEventIds: rows.map(({ id }) => id) };
  }
}

const audienceEventOf = (row: EventRow, kinds: AuditKinds): AudienceEvent => ({
  toOrganisationId: row.toOrganisationId,
  isBeneath: row.isBeneath,
  event: eventOf(row, kinds),
});

const VERBS: Readonly<Record<EventRow['action'], EventVerb>> = {
  insert: 'created',
  update: 'updated',
  delete: 'deleted',
};

/** Parts of a team with the field that shows them: adding a member changes the team. */
const TEAM_FIELDS: Readonly<Record<string, string>> = { team_members: 'users', team_entities: 'entities' };

/** Tables whose records are known by their organisation, which has at most one. */
const ONE_EACH: readonly string[] = ['suspensions', 'brands'];

/** Tables whose records have no creation of their own: the first change makes them. */
const MADE_BY_CHANGES: readonly string[] = ['brands'];

function eventOf(row: EventRow, kinds: AuditKinds): AccountEvent {
  const { id, at, organisationId, table } = row;
  const known = { id, at, organisationId, actor: { type: row.actorType, id: row.actorId ?? 0 } };
  const teamField = TEAM_FIELDS[table];
  if (teamField !== undefined) {
    return { ...known, kind: 'teams', verb: 'updated', recordId: row.teamId ?? 0, changed: [teamField] };
  }
  const isMadeByChange = MADE_BY_CHANGES.includes(table) && row.action === 'insert';
  const verb = row.isEnded ? 'deleted' : isMadeByChange ? 'updated' : VERBS[row.action];
  return {
    ...known,
    kind: kinds.kindOf(table) as EventKind,
    verb,
    recordId:
      table === 'acls' ? (row.granteeId ?? 0) : ONE_EACH.includes(table) ? organisationId : row.recordId,
    changed: verb === 'deleted' ? [] : kinds.namesShown(table, row.columns).sort(),
  };
}
