import type { EntityKind } from '@app/records/entities/entity.types';
import type { OrganisationRelation } from '@app/security/access/access-evaluation';
import { isAdmin, isCustadmin } from '@app/security/access/caller';
import type { Role } from '@app/security/access/roles';

/** Actions on a record of the register. */
export const RECORD_ACTIONS = ['read', 'manage'] as const;
export type RecordAction = (typeof RECORD_ACTIONS)[number];

/** The role for work on the records of each kind. */
const ROLE_OF_KIND: Readonly<Record<EntityKind, Role>> = {
  app: 'ROLE_APP',
  domain: 'ROLE_DOMAIN',
  mailgroup: 'ROLE_MAIL',
  system: 'ROLE_SYSTEM',
};

/** The relation of a user to a record and to the organisation that owns it. */
interface RecordRelation extends OrganisationRelation {
  readonly held: boolean;
  readonly ownerSuspended: boolean;
}

const WAYS = {
  admin: 'The user holds ROLE_ADMIN.',
  custadminOwn: 'The user holds ROLE_CUSTADMIN in the organisation that owns the record.',
  custadminBeneath:
    'The user holds ROLE_CUSTADMIN, and the organisation that owns the record lies beneath its own.',
  roleInOwn: 'The user belongs to the organisation that owns the record, and has the role of its kind.',
  team: 'A team of the user holds the record.',
  grant: 'The organisation that owns the record granted access to that of the user.',
  grantToManage: 'The user manages the organisation that owns the record by a grant.',
} as const;

const OBSTACLES = {
  OWNER_SUSPENDED: 'The organisation that owns the record is suspended, or one above it with all beneath.',
  SECOND_FACTOR_REQUIRED:
    'The user manages the organisation that owns the record by a grant, and has not passed the second factor that it demands.',
  ROLE_REQUIRED: 'The user lacks the role of the kind of the record.',
  ACCESS_DENIED: 'Neither a role, nor a team, nor a grant lets the user do this with the record.',
} as const;

/** Why the record may be used or not. */
type RecordDecision =
  | { readonly isAllowed: true; readonly because: string }
  | { readonly isAllowed: false; readonly reason: keyof typeof OBSTACLES; readonly because: string };

/**
 * Decides what a user may do to a record of the register (rule other-services 39, rule other-services 40). A
 * team that holds a record of another organisation only shows it: a grant to manage lets its users do more
 * (rule grants 60, rule grants 61).
 */
export function decideOnRecord(
  action: RecordAction,
  kind: EntityKind,
  user: { readonly roles: readonly Role[] },
  relation: RecordRelation,
): RecordDecision {
  const { own, beneath, granted, held, ownerSuspended } = relation;
  if (isAdmin(user)) return by('admin');
  if (isCustadmin(user) && own) return by('custadminOwn');
  if (isCustadmin(user) && beneath) return by('custadminBeneath');
  if (ownerSuspended) return not('OWNER_SUSPENDED');
  const hasRole = user.roles.includes(ROLE_OF_KIND[kind]);
  if (hasRole && own) return by('roleInOwn');
  if (action === 'read' && held) return by('team');
  if (action === 'read' && granted !== false) return by('grant');
  if (granted === 'manage') return by('grantToManage');
  if (granted === 'unproven') return not('SECOND_FACTOR_REQUIRED');
  return not(own ? 'ROLE_REQUIRED' : 'ACCESS_DENIED');
}

/** Whether the decision comes from a grant. */
export const isByGrant = ({ because }: Pick<RecordDecision, 'because'>): boolean =>
  [WAYS.grant, WAYS.grantToManage, OBSTACLES.SECOND_FACTOR_REQUIRED].some((text) => text === because);

const by = (way: keyof typeof WAYS): RecordDecision => ({ isAllowed: true, because: WAYS[way] });
const not = (reason: keyof typeof OBSTACLES): RecordDecision => ({
  isAllowed: false,
  reason,
  because: OBSTACLES[reason],
});
