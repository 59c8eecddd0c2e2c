import { Injectable } from '@nestjs/common';
import type { MailDomain } from '@app/people/teams/team.types';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import type { Statement } from '@app/platform/database/pg-reads/statement';
import { type Page, Paginator } from '@app/platform/lists/paginator';
import { type Caller, isAdmin, isCustadmin } from '@app/security/access/caller';
import { isUsedBy } from '@app/security/access/used-grant';
import type { EntityKind } from './entity.types';

/** An entity with its organisation, as the overview shows it. */
export interface EntityOfOrganisation {
  readonly kind: EntityKind;
  readonly id: number;
  readonly name: string;
  readonly organisationId: number;
  readonly organisationName: string;
  readonly domains: readonly MailDomain[] | null;
}

/** Maximum entities in memory. A larger overview is streamed. */
const MAX_AT_ONCE = 1000;
/** Maximum bytes in memory, because a mail group may have a thousand domains. */
const MAX_BYTES_AT_ONCE = 2_000_000;

/**
 * The entities of organisation $1 by kind and id. Admins and its own users ($2) also get the entities of
 * organisations whose grants to organisation $1 they use as user $5 (a CUSTADMIN or an admin: $6); a manager
 * above it uses none of them (rule grants 21). Admins and CUSTADMINs ($3) of the organisation or of one above
 * it ($4) also get the entities of organisations beneath. $5 is null for who uses no grants.
 */
const ENTITIES_IN_REACH = `
  WITH wide AS (
    SELECT $2::boolean OR ($3::boolean AND EXISTS (
      SELECT 1 FROM organisation_closure WHERE ancestor_id = $4 AND descendant_id = $1)) AS yes
  ), reached AS (
    SELECT $1::integer AS id
    UNION SELECT g.organisation_id FROM acls g WHERE $2 AND $5::integer IS NOT NULL AND g.grantee_id = $1
      AND ${isUsedBy('g', { id: '$5', isCustadmin: '$6::boolean' })}
    UNION SELECT descendant_id FROM organisation_closure, wide WHERE wide.yes AND $3 AND ancestor_id = $1
  )
  SELECT e.kind, e.object_id AS id, e.name, e.organisation_id AS "organisationId", o.name AS "organisationName",
    e.domains
  FROM reached
  JOIN organisations o ON o.id = reached.id AND o.deleted_at IS NULL
  JOIN entities e ON e.organisation_id = o.id
  ORDER BY e.kind, e.object_id`;

const ALL_ENTITIES: Statement = { text: ENTITIES_IN_REACH };
const FIRST_ENTITIES: Statement<EntityOfOrganisation> = {
  text: `${ENTITIES_IN_REACH} LIMIT ${MAX_AT_ONCE + 1}`,
};

/**
 * No user has the id 0. A service key that acts as an admin passes it, and sees the
 * same entities as an admin.
 */
const NOBODY = 0;

@Injectable()
export class EntitiesService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
  ) {}

  /**
   * All entities by kind and id, without a limit. A user by a grant sees only the organisation's
   * own entities: grants are not transitive, and the role of a CUSTADMIN covers only the
   * organisations beneath its own.
   */
  async overview(caller: Caller, organisationId: number): Promise<Page<EntityOfOrganisation>> {
    const values = [
      organisationId,
      isAdmin(caller) || caller.organisationId === organisationId,
      isAdmin(caller) || (isCustadmin(caller) && caller.reachesBeneath),
      caller.organisationId,
      granteeIdOf(caller),
      isAdmin(caller) || (isCustadmin(caller) && caller.organisationId === organisationId),
    ];
    const { rows: items, isCut } = await this.paginator.withListPermit(caller.client, () =>
      this.queries.rowsWithin(MAX_BYTES_AT_ONCE, MAX_AT_ONCE + 1, FIRST_ENTITIES, values),
    );
    if (!isCut && items.length <= MAX_AT_ONCE) return { items };
    return { items: [], rest: await this.queries.cursor(ALL_ENTITIES, values, caller.client) };
  }
}

function granteeIdOf(caller: Caller): number | null {
  if (caller.usesGrants) return caller.self;
  return isAdmin(caller) ? NOBODY : null;
}
