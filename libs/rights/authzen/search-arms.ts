import { SqlParameters } from '@app/platform/lists/list-query';
import { groupOf } from '@app/security/access/privileges';
import { OPERATOR_ORGANISATION, type Role } from '@app/security/access/roles';
import type { Action } from './action-table';
import type { UsedGrant } from '@app/security/access/access.queries';
import type { EvaluatedRow, ResourceState } from './authzen.queries';
import { isEntityKind, type ResourceType } from './authzen.types';
import { ROLE_OF_KIND } from './register-rights';
import {
  ACTING_ON,
  type UnionBranch,
  branchesOf,
  heldByTeamsOf,
  holdersOf,
  IS_ADMIN,
  IS_NOT_SUSPENDED,
  ITSELF,
  type PerRelation,
} from './search.queries';

type Relation = Pick<EvaluatedRow, 'beneath' | 'used_grant'> & { readonly own: boolean };

export const NO_RELATION: Relation = { own: false, beneath: false, used_grant: null };
const byGrant = (access: UsedGrant['access'], lacksSecondFactor = false): Relation => ({
  ...NO_RELATION,
  used_grant: { id: 0, access, lacksSecondFactor },
});
const RELATIONS: PerRelation<Relation> = {
  own: { ...NO_RELATION, own: true },
  beneath: { ...NO_RELATION, beneath: true },
  ...{ read: byGrant('read'), manage: byGrant('manage'), unproven: byGrant('manage', true) },
};

export const perRelation = <Value>(of: (relation: Relation) => Value): PerRelation<Value> => ({
  own: of(RELATIONS.own),
  beneath: of(RELATIONS.beneath),
  read: of(RELATIONS.read),
  manage: of(RELATIONS.manage),
  unproven: of(RELATIONS.unproven),
});

/** A resource that exists. */
export interface Target {
  readonly type: ResourceType;
  readonly id: number;
  readonly state: ResourceState;
}

/** An id that no user has. */
const NOBODY = 0;
const NOWHERE = 0;

const ROW: EvaluatedRow = {
  ...{ kind: 'login', credential_id: 0, whitelist: null, read_only: false, stale: false },
  ...{ user_id: NOBODY, organisation_id: NOWHERE, username: '', full_name: '', roles: [], operations: null },
  ...{ reaches_beneath: true, staff_id: null },
  ...{ addressed_organisation_id: null, beneath: false, used_grant: null, addressed_username: null },
  ...{ addressed_user_id: null, addressed_user_roles: null, missing_record: null, on_standby: false },
  ...{ held: false, owner_suspended: false },
};

const inRelation = (organisationId: number, { own, ...relation }: Relation): Partial<EvaluatedRow> => ({
  addressed_organisation_id: own ? organisationId : NOWHERE,
  ...relation,
});

/** SQL condition for the resources that the subject may act on; undefined if there are none. */
export function conditionOnResource(
  type: ResourceType,
  action: Action,
  subject: EvaluatedRow,
  relation: Relation,
  parameters: SqlParameters,
): string | undefined {
  const judged = { ...subject, ...inRelation(subject.organisation_id, relation) };
  const allows = (facts: Partial<EvaluatedRow>): boolean => action.judge({ ...judged, ...facts }).isAllowed;
  if (isEntityKind(type))
    return conditionOnRecord(type, (suspended) => allows({ owner_suspended: suspended }));
  if (type !== 'user') return allows({}) ? 'true' : undefined;
  const others = conditionOnUsers((roles, username) =>
    allows({ addressed_user_id: NOBODY, addressed_user_roles: roles, addressed_username: username }),
  );
  const condition = withItself(others, relation.own || relation === NO_RELATION, subject, allows, parameters);
  return condition && `x.deleted_at IS NULL AND ${condition}`;
}

/**
 * SQL condition for the users that may be acted on. It depends on their roles and on whether their names are e-mail addresses.
 */
function conditionOnUsers(allows: (roles: readonly Role[], username: string) => boolean): string | undefined {
  const byName = ['a@b.example', 'a'].map((username) =>
    conditionOnRoles(['ROLE_ADMIN', 'ROLE_CUSTADMIN'], (roles) => allows(roles, username)),
  );
  const [named, unnamed] = byName;
  if (named === unnamed) return named;
  const terms = byName.map((condition, index) =>
    condition === undefined ? [] : [`${condition} AND x.username ${index === 0 ? '' : 'NOT '}LIKE '%@%'`],
  );
  return `(${terms.flat().join(' OR ')})`;
}

/** Adds the subject itself to the users that it may act on, or removes it. */
function withItself(
  others: string | undefined,
  isAmongThem: boolean,
  { user_id: userId, roles }: EvaluatedRow,
  allows: (facts: Partial<EvaluatedRow>) => boolean,
  parameters: SqlParameters,
): string | undefined {
  if (!isAmongThem || userId === null) return others;
  const isAllowed = allows({ addressed_user_id: userId, addressed_user_roles: roles });
  if (isAllowed ? others === 'true' : others === undefined) return others;
  const itself = parameters.add(userId);
  if (isAllowed) return others === undefined ? `x.id = ${itself}` : `(${others} OR x.id = ${itself})`;
  return `${others} AND x.id <> ${itself}`;
}

/** SQL condition for the allowed records of a kind, except those of suspended owners if only these are refused. */
function conditionOnRecord(
  kind: ResourceType,
  allows: (isOwnerSuspended: boolean) => boolean,
): string | undefined {
  if (!allows(false)) return undefined;
  return `x.kind = '${kind}'${allows(true) ? '' : ` AND ${IS_NOT_SUSPENDED}`}`;
}

/** The records that the subject reaches through its teams. */
export function branchesOfHeld(
  type: ResourceType,
  action: Action,
  subject: EvaluatedRow,
  parameters: SqlParameters,
): UnionBranch[] {
  if (!isEntityKind(type) || subject.user_id === null) return [];
  const judged = { ...subject, ...inRelation(subject.organisation_id, NO_RELATION), held: true };
  const condition = conditionOnRecord(
    type,
    (suspended) => action.judge({ ...judged, owner_suspended: suspended }).isAllowed,
  );
  return condition === undefined
    ? []
    : [heldByTeamsOf(parameters.add(subject.user_id), `'${type}'`, condition)];
}

/** The organisation of all admins, and of all service keys that act as admins. */
const OPERATOR = `SELECT ${OPERATOR_ORGANISATION} AS id`;

const COUNTING_USER = 'x.enabled AND x.deleted_at IS NULL';

/** The users who may do the action to the resource. */
export function branchesOfUsers(
  action: Action,
  { type, id, state }: Target,
  parameters: SqlParameters,
): UnionBranch[] {
  const { organisationId, userRoles, username } = state;
  const isUser = type === 'user';
  const resource = {
    ...{
      addressed_user_id: isUser ? id : null,
      addressed_user_roles: userRoles,
      addressed_username: username,
    },
    owner_suspended: state.ownerSuspended,
  };
  const allows = (relation: Relation, roles: readonly Role[], facts: Partial<EvaluatedRow> = {}): boolean =>
    action.judge({
      ...{ ...ROW, ...resource, roles, ...subjectIn(organisationId, relation) },
      ...facts,
    }).isAllowed;
  const roles: readonly Role[] = ['ROLE_CUSTADMIN', isEntityKind(type) ? ROLE_OF_KIND[type] : 'ROLE_FINANCE'];
  const itself = isUser ? parameters.add(id) : '';
  const other = isUser ? ` AND x.id <> ${itself}` : '';
  const among = (relation: Relation, facts?: Partial<EvaluatedRow>): string | undefined => {
    const condition = conditionOnRoles(roles, (held) => allows(relation, held, facts));
    return condition && `NOT ${IS_ADMIN} AND ${condition} AND ${COUNTING_USER}${other}`;
  };
  const arms = branchesOf(ACTING_ON, perRelation(among));
  if (allows(NO_RELATION, ['ROLE_ADMIN'])) {
    arms.push({ organisations: OPERATOR, conditions: [`${IS_ADMIN} AND ${COUNTING_USER}${other}`] });
  }
  if (isUser && allows(RELATIONS.own, userRoles ?? [], { user_id: id })) {
    arms.push({ organisations: ITSELF, conditions: [`x.id = ${itself} AND ${COUNTING_USER}`] });
  }
  const holding = isEntityKind(type) ? among(NO_RELATION, { held: true }) : undefined;
  if (holding !== undefined) arms.push(holdersOf(`'${type}'`, parameters.add(id), holding));
  return arms;
}

const subjectIn = (organisationId: number, { own, ...relation }: Relation): Partial<EvaluatedRow> => ({
  organisation_id: own ? organisationId : NOWHERE,
  addressed_organisation_id: organisationId,
  ...relation,
});

/** SQL condition for the allowed combinations of these roles; undefined if none is allowed. */
function conditionOnRoles(
  roles: readonly Role[],
  allows: (roles: readonly Role[]) => boolean,
): string | undefined {
  const subsets = subsetsOf(roles);
  const deciding = roles.filter((role) =>
    subsets.some((subset) => !subset.includes(role) && allows(subset) !== allows([...subset, role])),
  );
  const allowed = subsetsOf(deciding).filter(allows);
  if (allowed.length === 0) return undefined;
  const terms = allowed.map((subset) =>
    deciding.map((role) => `${subset.includes(role) ? '' : 'NOT '}x.roles @> ARRAY['${role}']`),
  );
  return deciding.length === 0 ? 'true' : `(${terms.map((term) => term.join(' AND ')).join(' OR ')})`;
}

const subsetsOf = (roles: readonly Role[]): Role[][] =>
  roles.reduce<Role[][]>(
    (subsets, role) => [...subsets, ...subsets.map((subset) => [...subset, role])],
    [[]],
  );

/** The service keys that may do the action to the resource. */
export function branchesOfKeys(
  action: Action,
  { type, id, state }: Target,
  parameters: SqlParameters,
): UnionBranch[] {
  const { operation } = action;
  if (operation === null) return [];
  const { organisationId, userRoles } = state;
  const allows = (relation: Relation, role: Role): boolean =>
    action.judge({
      ...{ ...ROW, kind: 'service_key', user_id: null, roles: [role], operations: [operation] },
      ...{ addressed_user_id: type === 'user' ? id : null, addressed_user_roles: userRoles },
      ...subjectIn(organisationId, relation),
    }).isAllowed;
  const names = parameters.add([operation, `${groupOf(operation)}.*`]);
  const counts = `x.operations && ${names}::text[] AND x.expires_at > now()`;
  const asManager = (relation: Relation, condition: string): string | undefined =>
    allows(relation, 'ROLE_CUSTADMIN') ? `NOT x.as_admin AND ${condition}${counts}` : undefined;
  // A service key never uses grants.
  const arms = branchesOf(ACTING_ON, {
    own: asManager(RELATIONS.own, ''),
    beneath: asManager(RELATIONS.beneath, 'x.reaches_beneath AND '),
    ...{ read: undefined, manage: undefined, unproven: undefined },
  });
  if (allows(NO_RELATION, 'ROLE_ADMIN')) {
    arms.push({ organisations: OPERATOR, conditions: [`x.as_admin AND ${counts}`] });
  }
  return arms;
}
