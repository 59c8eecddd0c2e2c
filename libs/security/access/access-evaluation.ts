import { AccessDenied, type ApiError, NotFound, RoleRequired } from '@app/platform/errors/api-error';
import { type AccessRow, leadingRecord, type RouteAddress, type UsedGrant } from './access.queries';
import { type Caller, isAdmin, isCustadmin } from './caller';
import { addressRefusal } from './credential-refusals';
import { keyRefused } from './for-people';
import { decideByGrant, grantDoesNotCover, grantNeedsSecondFactor } from './granted-access';
import { impersonatorOf, refusalOfImpersonator } from './impersonation';
import { isForImpersonator, type Operation, type Privilege, type Verdict, wordsFor } from './privileges';
import type { Role } from './roles';
import type { GuardedRoute } from './route-table';

/** The parts of a request that its access depends on. */
interface AccessQuestion {
  readonly route: GuardedRoute;
  readonly method: string;
  /** Read only if the credential has a whitelist. Undefined means that the whitelist allows it. */
  readonly clientAddress: () => string | undefined;
}

interface Evaluation {
  /** Undefined if the request may go on. */
  readonly refusal: ApiError | undefined;
  /** Absent if an earlier check refused. */
  readonly decision?: Decision;
}

/**
 * Decides on a request, in the order of rule rights 23: 401 for the credential, 404 for an addressed
 * record, then 403 or the 500 of a missing role from the privilege table. `row` is the result of the access
 * query, which found a valid credential. The guard throws the refusal.
 */
export function evaluateAccess(question: AccessQuestion, row: AccessRow): Evaluation {
  const early =
    addressRefusal(row, question.clientAddress) ??
    missingTarget(question.route.address, row) ??
    methodRefusalOf(question, row);
  if (early !== undefined) return { refusal: early };
  const { operation, privilege } = question.route;
  const impersonator = impersonatorOf(row);
  if (
    impersonator !== undefined &&
    !isForImpersonator(privilege, impersonator, READING.has(question.method))
  ) {
    return { refusal: refusalOfImpersonator(impersonator) };
  }
  if (!isGranted(operation, row.operations)) return { refusal: operationNotGranted() };
  const caller = {
    userId: row.user_id,
    roles: row.roles,
    credential: { kind: row.kind, id: row.credential_id },
  };
  const decision = decide(privilege, caller, relationOf(row), addressedUserOf(row));
  // Nobody impersonates a user where another organisation has let the user in (rule login-links 30).
  if (impersonator !== undefined && decision.by === 'byGrant') {
    return { refusal: refusalOfImpersonator(impersonator) };
  }
  return { refusal: refusalOf(decision, privilege), decision };
}

/**
 * Whether the caller would have access if the missing record of the path were there. A repeated request may
 * have deleted it: then the stored response is for this caller.
 */
export const lacksRecordAlone = (question: AccessQuestion, row: AccessRow): boolean =>
  typeof row.missing_record === 'number' &&
  evaluateAccess(question, { ...row, missing_record: null }).refusal === undefined;

function refusalOf({ verdict, by }: Decision, { apiKey }: Privilege): ApiError | undefined {
  if (verdict === 'allow') return undefined;
  if (by === 'apiKey' && apiKey === 'person') return keyRefused('do this');
  if (by === 'grantCoverage') return grantDoesNotCover();
  if (by === 'grantSecondFactor') return grantNeedsSecondFactor();
  return verdict === 'deny' ? new AccessDenied() : new RoleRequired();
}

/** Whether a service key may do the operation. A user has no list of operations. */
const isGranted = (operation: Operation, operations: readonly string[] | null): boolean =>
  operations === null ||
  ALWAYS_GRANTED.has(operation) ||
  wordsFor(operation).some((word) => operations.includes(word));

/** Operations of every service key. Its logout ends nothing. */
const ALWAYS_GRANTED: ReadonlySet<Operation> = new Set<Operation>(['session.whoami', 'session.logout']);

const operationNotGranted = (): ApiError =>
  new AccessDenied('The service key is not for this operation', 'OPERATION_NOT_GRANTED');

/** An index that no record has. */
const NONE = -1;

/** 404 for the first missing record of the path, starting with the organisation. */
function missingTarget(address: RouteAddress, row: AccessRow): ApiError | undefined {
  if (address.organisation && row.addressed_organisation_id === null) return new NotFound('Organisation');
  const missing = address.records[row.missing_record ?? NONE];
  const userIsMissing = address.user && row.addressed_user_id === null;
  if (userIsMissing && missing?.isBeforeUser !== true) return new NotFound('User');
  if (missing !== undefined) return new NotFound(missing.name);
  // Organisation deleted, or record created after the access query: respond 404.
  const leading = leadingRecord(address);
  return leading && row.addressed_organisation_id === null ? new NotFound(leading.name) : undefined;
}

/** Methods that only read. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** 403 for a write with a read-only API key or support login, even if its user may write. */
export function methodRefusal(
  method: string,
  { read_only: isReadOnly, kind }: Pick<AccessRow, 'read_only' | 'kind'>,
  reading = READING,
): ApiError | undefined {
  if (!isReadOnly || reading.has(method)) return undefined;
  return kind === 'support_login'
    ? new AccessDenied('This support login only reads: GET and HEAD', 'SUPPORT_READ_ONLY')
    : new AccessDenied('This API key only reads: GET and HEAD', 'API_KEY_READ_ONLY');
}

/**
 * Applies {@link methodRefusal} to a route of the service; every support login may
 * call routes marked `always`.
 */
const methodRefusalOf = (
  { method, route: { privilege } }: AccessQuestion,
  row: AccessRow,
): ApiError | undefined =>
  row.kind === 'support_login' && privilege.support === 'always' ? undefined : methodRefusal(method, row);

/** The relation of the caller's organisation to the addressed one, if any. */
export const relationOf = ({
  addressed_organisation_id: id,
  organisation_id: ownId,
  beneath = false,
  used_grant: grant = null,
}: AccessRow): OrganisationRelation | undefined =>
  typeof id === 'number' ? { own: id === ownId, beneath, grant } : undefined;

const addressedUserOf = ({
  addressed_user_id: id,
  addressed_user_roles: roles,
}: AccessRow): AddressedUser | undefined => (typeof id === 'number' ? { id, roles: roles ?? [] } : undefined);

/** The relations of the caller's organisation to the addressed one. Several can hold at once. */
export interface OrganisationRelation {
  readonly own: boolean;
  /** Beneath the caller's organisation over parent and reseller links, to any depth. */
  readonly beneath: boolean;
  /** The grant of the addressed organisation that the caller uses, if any. */
  readonly grant: UsedGrant | null;
}

/** The parts of the addressed user that access depends on. */
export interface AddressedUser {
  readonly id: number;
  readonly roles: readonly Role[];
}

/** The source of a verdict: a column of the privilege table, or a rule that precedes the columns. */
export type DecidedBy =
  | keyof Omit<Privilege, 'acts' | 'byLink'>
  /** The grant does not cover it. */
  | 'grantCoverage'
  /** The organisation demands a second factor, and the credential has passed none. */
  | 'grantSecondFactor'
  /** A CUSTADMIN must not act on a user who holds ROLE_ADMIN. */
  | 'adminAddressed'
  /** The caller has no relation to the organisation. */
  | 'noRelation';

export interface Decision {
  readonly verdict: Verdict;
  readonly by: DecidedBy;
}

/** Applies the privilege table to one operation of one caller. */
export function decide(
  privilege: Privilege,
  caller: Pick<Caller, 'roles' | 'userId' | 'credential'>,
  organisation: OrganisationRelation | undefined,
  user: AddressedUser | undefined,
): Decision {
  if (privilege.apiKey !== undefined && caller.credential.kind !== 'login') return DENIED_TO_KEYS;
  if (privilege.serviceKeys === 'byName' && caller.credential.kind !== 'service_key') return DENIED_TO_PEOPLE;
  const isSelf = user !== undefined && user.id === caller.userId;
  const self = isSelf ? privilege.self : undefined;
  if (self === 'allow') return { verdict: self, by: 'self' };
  if (isAdmin(caller)) return { verdict: privilege.admin, by: 'admin' };
  // Users reach themselves, so this comes before the relations of the organisation.
  if (self !== undefined) return { verdict: self, by: 'self' };
  const other = isSelf ? undefined : user;
  const by = columnOf(privilege, caller, organisation);
  const byGrant = by === 'byGrant' ? decideByGrant(privilege, organisation?.grant ?? null) : undefined;
  if (byGrant?.verdict === 'deny') return byGrant;
  // A CUSTADMIN must not act on a user who holds ROLE_ADMIN: 403 before the 500 of a missing role.
  if (
    other?.roles.includes('ROLE_ADMIN') === true &&
    privilege.acts &&
    (isCustadmin(caller) || byGrant !== undefined)
  )
    return DENIED_ON_ADMINS;
  if (by === 'byGrant' || by === 'noRelation') return byGrant ?? { verdict: 'deny', by };
  return { verdict: privilege[by] ?? 'deny', by };
}

const DENIED_TO_KEYS: Decision = { verdict: 'deny', by: 'apiKey' };
const DENIED_TO_PEOPLE: Decision = { verdict: 'deny', by: 'serviceKeys' };
const DENIED_ON_ADMINS: Decision = { verdict: 'deny', by: 'adminAddressed' };

function columnOf(
  privilege: Privilege,
  caller: Pick<Caller, 'roles'>,
  organisation: OrganisationRelation | undefined,
): 'custadminOwn' | 'custadminBeneath' | 'finance' | 'member' | 'byGrant' | 'noRelation' {
  const custadmin = isCustadmin(caller);
  if (organisation === undefined || organisation.own) {
    if (custadmin) return 'custadminOwn';
    return privilege.finance !== undefined && caller.roles.includes('ROLE_FINANCE') ? 'finance' : 'member';
  }
  if (custadmin && organisation.beneath) return 'custadminBeneath';
  return organisation.grant === null ? 'noRelation' : 'byGrant';
}
