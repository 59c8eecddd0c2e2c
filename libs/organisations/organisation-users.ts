import { Injectable } from '@nestjs/common';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { listOf } from '@app/core/lists/long-list';
import { MAX_USERS_AT_ONCE, USERS_AFTER, USERS_COUNT } from './organisation.columns';
import type { OrganisationUser } from './organisation.types';

/** The users of an organisation, of which those beyond the first are read as they are written. */
@Injectable()
export class OrganisationUsers {
  constructor(private readonly queries: PreparedQueries) {}

  /** The organisation that was read with its first users. In place: a page has a thousand of them, of many fields. */
  completed<Read extends { readonly id: number; readonly users: readonly OrganisationUser[] }>(
    organisation: Read,
  ): Read {
    const { id, users } = organisation;
    const all = listOf(users, {
      held: MAX_USERS_AT_ONCE,
      after: async (last) => (await this.queries.rows(USERS_AFTER, [id, last.id])).map(({ item }) => item),
      count: async () => (await this.queries.row(USERS_COUNT, [id]))?.count ?? 0,
    });
    return Object.assign(organisation, { users: all });
  }
}
