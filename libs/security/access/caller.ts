import { OPERATOR_ORGANISATION } from '../context/operator';
import { type Arrival, RequestContext } from '../context/request-context';
import type { AccessRow, TokenRow, UsedGrant } from './access.queries';
import type { PresentedCredential } from './access.types';
import { impersonatorOf } from './impersonation';
import type { Impersonator } from './privileges';
import type { Role } from './roles';

/**
 * The context of a request with a valid credential, and its user as read for this request. A service key has
 * no user: it acts as a manager of its organisation, or as an admin.
 */
export class Caller extends RequestContext {
  declare readonly credential: PresentedCredential;
  declare readonly organisationId: number;
  declare readonly customerId: number;
  /** `servicekey:<id>` for a service key. */
  readonly username: string;
  readonly fullName: string;
  readonly roles: readonly Role[];
  /** Whether the roles hold beneath the organisation too. */
  readonly reachesBeneath: boolean;
  /** The operations and groups of a service key; null for a user, whose roles decide. */
  readonly operations: readonly string[] | null;
  /** The staff member who acts in the name of the user, with a support login; otherwise null. */
  readonly staffId: number | null;
  /** Who acts as the user; undefined for the user itself. */
  readonly impersonator: Impersonator | undefined;
  /** The introspected token, if it is valid: see {@link IntrospectsToken}. */
  readonly introspectedToken: TokenRow | undefined;
  /** The grant that allows the request; undefined if the caller's own roles allow it. */
  grant: UsedGrant | undefined;

  constructor(arrival: Arrival, row: AccessRow) {
    super(arrival.requestId, undefined, row.user_id === null ? row.full_name : undefined, arrival);
    this.identify({
      userId: row.user_id,
      organisationId: row.organisation_id,
      customerId: row.customer_id,
      credential: { kind: row.kind, id: row.credential_id },
    });
    this.username = row.username;
    this.fullName = row.full_name;
    this.roles = row.roles;
    this.reachesBeneath = row.reaches_beneath;
    this.operations = row.operations;
    this.staffId = row.staff_id;
    this.impersonator = impersonatorOf(row);
    this.introspectedToken = row.introspectedToken;
  }

  /** The user id, on routes that only users may call. */
  get self(): number {
    if (this.userId === null) throw new Error('A service key is nobody');
    return this.userId;
  }

  /** The person who acts: the staff member behind a support login, otherwise the user. */
  get actorId(): number | null {
    return this.staffId ?? this.userId;
  }

  /**
   * Whether the caller uses the grants that its organisation received. A service key never does, and an
   * impersonated login neither: the organisation of the user agreed to it, the grantor did not (rule
   * grants 27, rule grants 28, rule login-links 30).
   */
  get usesGrants(): boolean {
    return this.userId !== null && this.impersonator === undefined;
  }

  /** The id of the presented login or support login; 0 for a key, because no login has this id. */
  get loginId(): number {
    const { kind, id } = this.credential;
    return kind === 'login' || kind === 'support_login' ? id : 0;
  }

  override get causingCustomerId(): number {
    return isAdmin(this) ? OPERATOR_ORGANISATION : this.customerId;
  }

  /** Adds the organisation only for a service key: the organisation of a user follows from the user. */
  override get actor(): Readonly<Record<string, unknown>> {
    if (this.userId === null) return { ...super.actor, organisationId: this.organisationId };
    return this.grant === undefined ? super.actor : { ...super.actor, grantId: this.grant.id };
  }
}

export const isAdmin = (caller: Pick<Caller, 'roles'>): boolean => caller.roles.includes('ROLE_ADMIN');

export const isCustadmin = (caller: Pick<Caller, 'roles'>): boolean =>
  caller.roles.includes('ROLE_CUSTADMIN');
