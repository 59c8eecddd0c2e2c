import {
  columnsOf,
  jsonList,
  jsonObject,
  type OrderOf,
  type RowOf,
  shown,
} from '@app/platform/lists/columns';
import { ListQuery } from '@app/platform/lists/list-query';
import type { ListRequest } from '@app/platform/lists/paginator';
import type { Caller } from '@app/security/access/caller';
import { isInForce } from '@app/security/access/used-grant';
import { Acl } from './acl.entity';
import type { GrantParty } from './grant.types';
import { isManagedByReader, nameOf, readerValues } from './grant-parties';

const party = (id: string) => shown<GrantParty>(jsonObject<GrantParty>({ id, name: nameOf(id) }));

const TEAMS = jsonList(
  jsonObject<GrantParty>({ id: 't.id', name: 't.name' }),
  'FROM acl_teams held JOIN teams t ON t.id = held.team_id WHERE held.acl_id = a.id',
  't.id',
);

export const GRANT_COLUMNS = columnsOf(Acl, 'a', {
  ordered: ['id'],
  codes: ['access'],
  // The orders of rule grants 15 are without this one.
  shown: ['onlyTeams'],
  seconds: ['createdAt', 'expiresAt'],
  sql: {
    organisation: party('a.organisation_id'),
    grantee: party('a.grantee_id'),
    // Null for readers who do not manage the grantee.
    teams: shown<readonly GrantParty[] | null>(
      `CASE WHEN ${isManagedByReader('a.grantee_id')} THEN ${TEAMS} END`,
    ),
  },
});

/** A grant, limited to what its reader may see. */
export type GrantDetails = RowOf<typeof GRANT_COLUMNS>;

export type GrantOrder = OrderOf<typeof GRANT_COLUMNS>;

/** The grant with the id $7. */
export const GRANT_BY_ID = GRANT_COLUMNS.select(`a.id = $7 AND ${isInForce('a')}`);

/** The sides of a list of grants: given or received by the organisation. */
export const GRANT_DIRECTIONS = ['given', 'received'] as const;
type GrantDirection = (typeof GRANT_DIRECTIONS)[number];

/** A page of the grants that the organisation gave or received, with their number. */
export function grantPage(
  reader: Caller,
  organisationId: number,
  direction: GrantDirection | undefined,
  request: Omit<ListRequest<GrantOrder>, 'search'>,
) {
  const list = new ListQuery(GRANT_COLUMNS, request, readerValues(reader)).where(isInForce('a'));
  if (direction === undefined) list.withEither(['a.organisation_id', 'a.grantee_id'], organisationId);
  else list.with(direction === 'given' ? 'a.organisation_id' : 'a.grantee_id', organisationId);
  return list
    .filteredBy(`fold_case(${nameOf('a.organisation_id')})`, `fold_case(${nameOf('a.grantee_id')})`)
    .withTotal();
}
