import { Injectable } from '@nestjs/common';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { listOf } from '@app/core/lists/long-list';
import type { MailDomain } from './mail-domain.types';
import {
  DOMAINS_OF_GROUP,
  ENTITIES_AFTER,
  ENTITIES_COUNT,
  MAX_DOMAINS_AT_ONCE,
  MAX_ENTITIES_AT_ONCE,
  MAX_MEMBERS_AT_ONCE,
  MEMBERS_AFTER,
  MEMBERS_COUNT,
} from './team.columns';
import type { TeamDetails, TeamEntityDetails } from './team.types';

/** The members and entities of a team, of which those beyond the first are read as they are written. */
@Injectable()
export class TeamContents {
  constructor(private readonly queries: PreparedQueries) {}

  /** The team that was read with the first of each. */
  completed(team: TeamDetails): TeamDetails {
    const { id } = team;
    const withDomains = (entity: TeamEntityDetails): TeamEntityDetails => this.withDomains(entity);
    return {
      ...team,
      users: listOf(team.users, {
        held: MAX_MEMBERS_AT_ONCE,
        after: async (last) =>
          (await this.queries.rows(MEMBERS_AFTER, [id, last.id])).map(({ item }) => item),
        count: async () => (await this.queries.row(MEMBERS_COUNT, [id]))?.count ?? 0,
      }),
      entities: listOf(team.entities.map(withDomains), {
        held: MAX_ENTITIES_AT_ONCE,
        after: async ({ kind, objectId }) =>
          (await this.queries.rows(ENTITIES_AFTER, [id, kind, objectId])).map(({ item }) =>
            withDomains(item),
          ),
        count: async () => (await this.queries.row(ENTITIES_COUNT, [id]))?.count ?? 0,
      }),
    };
  }

  private withDomains(entity: TeamEntityDetails): TeamEntityDetails {
    const { domains, objectId } = entity;
    if (domains === null || domains.length <= MAX_DOMAINS_AT_ONCE) return entity;
    const all = async (): Promise<readonly MailDomain[]> =>
      (await this.queries.row(DOMAINS_OF_GROUP, [objectId]))?.domains ?? [];
    const lastHeld = domains[MAX_DOMAINS_AT_ONCE - 1];
    return {
      ...entity,
      domains: listOf(domains, {
        held: MAX_DOMAINS_AT_ONCE,
        // A mail group holds a thousand at most: all others are one batch.
        after: async (last) => (last === lastHeld ? (await all()).slice(MAX_DOMAINS_AT_ONCE) : []),
        count: async () => (await all()).length,
      }),
    };
  }
}
