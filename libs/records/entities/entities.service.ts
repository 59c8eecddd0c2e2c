import { Injectable } from '@nestjs/common';
import type { MailDomain } from '@app/people/teams/team.types';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import type { Statement } from '@app/platform/database/pg-reads/statement';
import { type Page, Paginator } from '@app/platform/lists/paginator';
import { isSuspended } from '@app/security/access/access.queries';
import { type Caller, isAdmin, isCustadmin } from '@app/security/access/caller';
import { grantUserValues, isInForce, usedGrantors } from '@app/security/access/used-grant';
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
 * The entities of organisation $1 by kind and id. Its own users also get the entities of organisations whose
 * grants to organisation $1 they use ($5 to $7: user, kind and id of the credential), and admins ($8) those
 * of all its grants; a manager above it uses none of them (rule grants 29). Admins and CUSTADMINs ($3) of
 * the organisation or of one above it ($4) also get the entities of organisations beneath. $2: admins and
 * its own users.
 */
const ENTITIES_IN_REACH = `
  WITH wide AS (
    SELECT $2::boolean OR ($3::boolean AND EXISTS (
      SELECT 1 FROM organisation_closure WHERE ancestor_id = $4 AND descendant_id = $1)) AS yes
  ), reached AS (
    SELECT $1::integer AS id
    UNION SELECT g.organisation_id FROM acls g WHERE $2 AND $8::boolean AND g.grantee_id = $1
      AND ${isInForce('g')} AND NOT ${isSuspended('g.organisation_id')}
    UNION ${usedGrantors({
      id: '$5::integer',
      organisation: '$1',
      credential: '$6::text',
      credentialId: '$7::integer',
    })} AND $2 AND NOT $8
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
      ...grantUserValues(caller),
      isAdmin(caller),
    ];
    const { rows: items, isCut } = await this.paginator.withListPermit(caller.client, () =>
      this.queries.rowsWithin(MAX_BYTES_AT_ONCE, MAX_AT_ONCE + 1, FIRST_ENTITIES, values),
    );
    if (!isCut && items.length <= MAX_AT_ONCE) return { items };
    return { items: [], rest: await this.queries.cursor(ALL_ENTITIES, values, caller.client) };
  }
}
