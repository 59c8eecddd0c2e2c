import type { GrantedAccess } from '@app/core/access/access.decorators';
import type { Caller } from '@app/core/access/caller';
import {
  decide,
  type AddressedUser,
  type Decision,
  type OrganisationRelation,
} from '@app/core/access/decide';
import {
  AccessDenied,
  NotFound,
  RoleRequired,
  Unauthorised,
  type ApiError,
} from '@app/core/errors/api-error';
import { AddressList } from '@app/core/network/address-list';
import type { AccessRow, RouteAddress } from './access.queries';
import type { GuardedRoute } from './route-access';

/** A request as far as access depends on it. */
export interface AccessQuestion {
  readonly route: GuardedRoute;
  readonly method: string;
  /** The path's identifiers in the order of the route's parameters; null names nothing. */
  readonly identifiers: readonly (number | null)[];
  /** Asked for only where the credential has a list; undefined: from an address that the list has. */
  readonly clientAddress: () => string | undefined;
}

/** Which of the checks had the last word, in their order. */
export type AccessStep = 'credential' | 'address' | 'target' | 'method' | 'privilege';

/** What access comes to, and by which way. */
export interface Evaluation {
  readonly step: AccessStep;
  /** What the request is refused with; undefined: it goes on. */
  readonly refusal: ApiError | undefined;
  /** Absent where an earlier check refused. */
  readonly decision?: Decision;
  readonly access?: GrantedAccess;
}

/**
 * The one judgement on every request, in the order of decisions.md section 2: 401 for the credential, 404 for what is
 * addressed, 403 and the 500 of a missing role from the privilege table. `row` is what the access query found; none
 * where no credential counts. The guard throws the refusal, an explanation tells it.
 */
export function evaluateAccess(question: AccessQuestion, row: AccessRow | undefined): Evaluation {
  if (row === undefined) return { step: 'credential', refusal: unknownCredential() };
  const early =
    refusedBy('address', addressRefusal(row, question.clientAddress)) ??
    refusedBy('target', missingTarget(question.route.address, row)) ??
    refusedBy('method', methodRefusal(question.method, row));
  if (early !== undefined) return early;
  const { route, identifiers } = question;
  const [caller, organisation] = [callerOf(row), relationOf(row)];
  const decision = decide(route.privilege, caller, organisation, addressedUserOf(row));
  const refusal =
    decision.verdict === 'deny'
      ? new AccessDenied()
      : decision.verdict === 'role'
        ? new RoleRequired()
        : undefined;
  if (refusal !== undefined) return { step: 'privilege', refusal, decision };
  const ids = Object.fromEntries(route.parameters.map((name, index) => [name, identifiers[index] as number]));
  return { step: 'privilege', refusal, decision, access: { caller, organisation, ids } };
}

const refusedBy = (step: AccessStep, refusal: ApiError | undefined): Evaluation | undefined =>
  refusal && { step, refusal };

/** 401 for a credential that was presented and does not count. */
export const unknownCredential = (): ApiError =>
  new Unauthorised('The credential is unknown, expired or revoked');

/** 403 from an address that the list of the key lacks. */
export function addressRefusal(
  { whitelist }: Pick<AccessRow, 'whitelist'>,
  clientAddress: () => string | undefined,
): ApiError | undefined {
  if (whitelist === null || whitelist.length === 0) return undefined;
  const address = clientAddress();
  if (address === undefined || AddressList.of(whitelist).includes(address)) return undefined;
  return new AccessDenied('The API key does not accept calls from this address', 'ADDRESS_REFUSED');
}

/** 404 for the first thing of the path that does not exist, from the organisation downwards. */
function missingTarget(address: RouteAddress, row: AccessRow): ApiError | undefined {
  if (address.organisation && row.addressed_organisation_id === null) return new NotFound('Organisation');
  if (address.user && row.addressed_user_id === null) return new NotFound('User');
  if (row.missing_record === null) return undefined;
  return new NotFound(address.records[row.missing_record]?.name ?? 'Resource');
}

/** Methods that change nothing. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** 403 where a read-only API key would do more than read, whatever its user may do. */
function methodRefusal(method: string, { read_only: isReadOnly }: AccessRow): ApiError | undefined {
  if (!isReadOnly || READING.has(method)) return undefined;
  return new AccessDenied('This API key only reads: GET and HEAD', 'API_KEY_READ_ONLY');
}

const callerOf = (row: AccessRow): Caller => ({
  credential: { kind: row.kind, id: row.credential_id },
  userId: row.user_id,
  organisationId: row.organisation_id,
  username: row.username,
  firstName: row.first_name,
  lastName: row.last_name,
  roles: row.roles,
  hasGrants: row.has_grants,
});

/** How the caller's organisation relates to the addressed one, where one is addressed. */
export const relationOf = (row: AccessRow): OrganisationRelation | undefined =>
  row.addressed_organisation_id === null
    ? undefined
    : {
        own: row.addressed_organisation_id === row.organisation_id,
        beneath: row.beneath,
        granted: row.granted,
      };

const addressedUserOf = (row: AccessRow): AddressedUser | undefined =>
  row.addressed_user_id === null
    ? undefined
    : { id: row.addressed_user_id, roles: row.addressed_user_roles ?? [] };
