import type { MailDomain } from '@app/people/teams/team.types';
import type { EntityKind } from './entity.types';
import { Injectable } from '@nestjs/common';
import { type Caller, isAdmin, isCustadmin } from '@app/security/access/access.decorators';
import { isUsedBy } from '@app/security/access/used-grant';
import type { RowCursor } from '@app/platform/database/pg-reads/row-cursor';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { type Page, Paginator, type RestOfPage } from '@app/platform/lists/paginator';

/** An entity with its organisation, as the overview shows it. */
export interface EntityOfOrganisation {
  readonly kind: EntityKind;
  readonly id: number;
  readonly name: string;
  readonly organisationId: number;
  readonly organisationName: string;
  readonly domains: readonly MailDomain[] | null;
}

/** Most entities in memory; a larger overview is streamed. */
const MAX_AT_ONCE = 1000;
/** Most bytes in memory: a mail group may have a thousand domains. */
const MAX_BYTES_AT_ONCE = 2_000_000;

/**
 * The entities of organisation $1 by kind and id. A caller who is more than a grantee ($2, or CUSTADMIN ($3) of
 * organisation $4 above it) also gets those of organisations whose grants it uses, as user $5 and perhaps as CUSTADMIN ($6) or
 * admin, and of those that let the whole organisation read; a CUSTADMIN also those of the organisations beneath it. Grants give a
 * service key nothing.
 */
const ENTITIES_IN_REACH = `
  WITH wide AS (
    SELECT $2::boolean OR ($3::boolean AND EXISTS (
      SELECT 1 FROM organisation_closure WHERE ancestor_id = $4 AND descendant_id = $1)) AS yes
  ), reached AS (
    SELECT $1::integer AS id
    UNION SELECT g.organisation_id FROM acls g, wide WHERE wide.yes AND $5::integer IS NOT NULL AND g.grantee_id = $1
      AND ${isUsedBy('g', { id: '$5', isCustadmin: '$6::boolean' })}
    UNION SELECT descendant_id FROM organisation_closure, wide WHERE wide.yes AND $3 AND ancestor_id = $1
  )
  SELECT e.kind, e.object_id AS id, e.name, e.organisation_id AS "organisationId", o.name AS "organisationName",
    e.domains
  FROM reached
  JOIN organisations o ON o.id = reached.id AND o.deleted_at IS NULL
  JOIN entities e ON e.organisation_id = o.id
  ORDER BY e.kind, e.object_id`;

const ALL_ENTITIES = prepared(ENTITIES_IN_REACH);
const FIRST_ENTITIES = prepared(`${ENTITIES_IN_REACH} LIMIT ${MAX_AT_ONCE + 1}`);

/** The id of no user: a service key that acts as an admin sees what admins see. */
const NOBODY = 0;

@Injectable()
export class EntitiesService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
  ) {}

  /**
   * All entities by kind and id, without a limit. A grantee sees the organisation's own entities only: grants do not pass
   * on, and the role of a CUSTADMIN covers only the organisations beneath its own.
   */
  async overview(caller: Caller, organisationId: number): Promise<Page<EntityOfOrganisation>> {
    const values = [
      organisationId,
      isAdmin(caller) || caller.organisationId === organisationId,
      isAdmin(caller) || (isCustadmin(caller) && caller.reachesBeneath),
      caller.organisationId,
      caller.userId ?? (isAdmin(caller) ? NOBODY : null),
      isAdmin(caller) || (isCustadmin(caller) && caller.organisationId === organisationId),
    ];
    const { rows: items, isCut } = await this.paginator.slow(caller.client, () =>
      this.queries.rowsWithin<EntityOfOrganisation>(MAX_BYTES_AT_ONCE, FIRST_ENTITIES, values),
    );
    if (!isCut && items.length <= MAX_AT_ONCE) return { items };
    const cursor = await this.queries.cursor<EntityOfOrganisation>(ALL_ENTITIES, values, {
      aim: 'all-rows',
      reader: caller.client,
    });
    return { items: [], rest: restOf(cursor) };
  }
}

const restOf = (cursor: RowCursor<EntityOfOrganisation>): RestOfPage<EntityOfOrganisation> => ({
  async *[Symbol.asyncIterator]() {
    try {
      while (!cursor.isAtEnd) yield await cursor.next();
    } finally {
      await cursor.close();
    }
  },
  close: () => cursor.close(),
});
