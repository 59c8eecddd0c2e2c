import { Injectable } from '@nestjs/common';
import { isAdmin, isCustadmin, type Caller } from '@app/core/access/caller';
import type { RowCursor } from '@app/core/database/row-cursor';
import { prepared, PreparedQueries } from '@app/core/database/prepared-queries';
import type { Page, RestOfPage } from '@app/core/paging/page';
import type { EntityOfOrganisation } from './entity-of-organisation.types';

/** Most entities that are read at once; an overview of more is written bit by bit, so that memory stays bounded. */
const MAX_AT_ONCE = 1000;
/** And bytes: a mail group may have a thousand domains. */
const MAX_BYTES_AT_ONCE = 2_000_000;

/**
 * The entities of organisation $1 by kind and id; where the caller is more than a grantee of it ($2, or CUSTADMIN
 * ($3) of organisation $4 above it) also those of organisations that granted access to it and, for a CUSTADMIN, of
 * those beneath it.
 */
const ENTITIES_IN_REACH = `
  WITH wide AS (
    SELECT $2::boolean OR ($3::boolean AND EXISTS (
      SELECT 1 FROM organisation_closure WHERE ancestor_id = $4 AND descendant_id = $1)) AS yes
  ), reached AS (
    SELECT $1::integer AS id
    UNION SELECT organisation_id FROM acls, wide WHERE wide.yes AND grantee_id = $1
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

/** What an organisation may access. */
@Injectable()
export class EntitiesService {
  constructor(private readonly queries: PreparedQueries) {}

  /**
   * Everything, ordered by kind and id: the overview is no list with a limit. Whoever reads the organisation by a
   * grant alone sees its own entities: the grants that it got itself were not given to the reader, and a CUSTADMIN's
   * role reaches only what lies beneath its own organisation.
   */
  async overview(caller: Caller, organisationId: number): Promise<Page<EntityOfOrganisation>> {
    const values = [
      organisationId,
      isAdmin(caller) || caller.organisationId === organisationId,
      isAdmin(caller) || isCustadmin(caller),
      caller.organisationId,
    ];
    const { rows: items, isCut } = await this.queries.rowsWithin<EntityOfOrganisation>(
      MAX_BYTES_AT_ONCE,
      FIRST_ENTITIES,
      values,
    );
    if (!isCut && items.length <= MAX_AT_ONCE) return { items };
    const cursor = await this.queries.cursor<EntityOfOrganisation>(ALL_ENTITIES, values, {
      aim: 'all-rows',
      reader: caller.userId,
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
