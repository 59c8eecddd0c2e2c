import type { AuditedChange } from './audit-reading';

/** Version of the Open Cybersecurity Schema Framework (https://schema.ocsf.io). */
const OCSF_VERSION = '1.8.0';

const PRODUCT = { name: 'account-api', vendor_name: 'account-api' };

const SEVERITY = { informational: 1, low: 2 } as const;
const STATUS = { success: 1, failure: 2 } as const;

/** A class with its category, and activities by their names. */
interface OcsfClass {
  readonly uid: number;
  readonly name: string;
  readonly category: number;
  readonly activities: Readonly<Record<string, number>>;
}

const OTHER = 99;

const ACCOUNT_CHANGE = {
  uid: 3001,
  name: 'Account Change',
  category: 3,
  activities: {
    Create: 1,
    Enable: 2,
    'Password Change': 3,
    'Password Reset': 4,
    Disable: 5,
    Delete: 6,
    'MFA Factor Enable': 10,
    'MFA Factor Disable': 11,
  },
} as const satisfies OcsfClass;

const AUTHENTICATION = {
  uid: 3002,
  name: 'Authentication',
  category: 3,
  activities: { Logon: 1, Logoff: 2 },
} as const satisfies OcsfClass;

const API_ACTIVITY = {
  uid: 6003,
  name: 'API Activity',
  category: 6,
  activities: { Create: 1, Update: 3, Delete: 4 },
} as const satisfies OcsfClass;

/**
 * A change as an OCSF event: users are accounts, logins and refused credentials are authentications, all else is API
 * activity. What OCSF has no field for is in `unmapped`.
 */
export function ocsfEventOf(change: AuditedChange): object {
  if (change.table === 'users') {
    return {
      ...baseOf(change, ACCOUNT_CHANGE, accountActivity(change)),
      actor: actorOf(change),
      src_endpoint: endpointOf(change),
      user: { uid: String(change.recordId), ...named(valueAt(change, 'username')) },
    };
  }
  if (change.table === 'logins') {
    const activity = change.action === 'insert' ? 'Logon' : change.action === 'delete' ? 'Logoff' : 'Update';
    return {
      ...baseOf(change, AUTHENTICATION, activity),
      ...authenticated(change, { uid: `${valueAt(change, 'user_id') as number}` }),
      session: { uid: String(change.recordId) },
    };
  }
  if (change.action === 'refuse' && change.actorUserId === null) {
    // Of an unknown name the log has a keyed digest.
    const digest = valueAt(change, 'name_digest');
    const unknown = { name: 'unknown', ...(digest !== undefined && { uid_alt: digest }) };
    return {
      ...baseOf(change, AUTHENTICATION, 'Logon'),
      ...authenticated(change, change.recordId === 0 ? unknown : { uid: String(change.recordId) }),
    };
  }
  const activities = { insert: 'Create', update: 'Update', delete: 'Delete', refuse: 'Refuse' } as const;
  return {
    ...baseOf(change, API_ACTIVITY, activities[change.action]),
    actor: actorOf(change),
    src_endpoint: endpointOf(change),
    api: {
      operation: `${change.action} ${change.table}`,
      ...(change.requestId !== null && { request: { uid: change.requestId } }),
    },
    resources: [{ uid: String(change.recordId), type: change.table }],
  };
}

const authenticated = (change: AuditedChange, user: object) => ({
  actor: actorOf(change),
  src_endpoint: endpointOf(change),
  service: { name: PRODUCT.name },
  user,
});

function baseOf(change: AuditedChange, { uid, name, category, activities }: OcsfClass, activity: string) {
  const activityId = activities[activity] ?? OTHER;
  const isRefused = change.action === 'refuse';
  const reason = isRefused ? valueAt(change, 'reason') : undefined;
  const count = Number(valueAt(change, 'count') ?? 1);
  return {
    class_uid: uid,
    class_name: name,
    category_uid: category,
    activity_id: activityId,
    activity_name: activity,
    type_uid: uid * 100 + activityId,
    time: change.at.getTime(),
    severity_id: isRefused ? SEVERITY.low : SEVERITY.informational,
    status_id: isRefused ? STATUS.failure : STATUS.success,
    ...(reason !== undefined && { status_code: reason, count }),
    metadata: {
      version: OCSF_VERSION,
      product: PRODUCT,
      log_name: 'audit_log',
      uid: String(change.id),
      ...(change.requestId !== null && { correlation_uid: change.requestId }),
    },
    unmapped: {
      action: change.action,
      table: change.table,
      organisationId: change.organisationId,
      credentialKind: change.actorCredentialKind,
      credentialId: change.actorCredentialId,
      before: change.before,
      after: change.after,
    },
  };
}

function accountActivity(change: AuditedChange): string {
  const { action, before, after, actorCredentialKind } = change;
  if (action === 'insert') return 'Create';
  if (action === 'delete' || Boolean(after?.['deleted_at'])) return 'Delete';
  if (after?.['enabled'] !== undefined) return after['enabled'] === true ? 'Enable' : 'Disable';
  if (after?.['password_hash'] !== undefined)
    return actorCredentialKind === 'reset_token' ? 'Password Reset' : 'Password Change';
  if (after?.['second_factor'] === 'enabled') return 'MFA Factor Enable';
  if (before?.['second_factor'] === 'enabled') return 'MFA Factor Disable';
  return 'Update';
}

/** A user, a service key, or what acted without either. */
function actorOf({
  actorUserId,
  actorUsername,
  actorCredentialKind,
  actorCredentialId,
  actorName,
}: AuditedChange) {
  if (actorUserId !== null) return { user: { uid: String(actorUserId), ...named(actorUsername) } };
  return {
    app_name: actorName ?? actorCredentialKind ?? 'past the service',
    ...(actorCredentialId !== null && { app_uid: String(actorCredentialId) }),
  };
}

/** Refusals have a network in place of an address. */
function endpointOf({ address }: AuditedChange) {
  if (address === null) return { name: PRODUCT.name };
  return address.includes('/') ? { name: address } : { ip: address };
}

const named = (name: unknown) => (typeof name === 'string' && name !== '' ? { name } : {});

const valueAt = ({ before, after }: AuditedChange, column: string): unknown =>
  after?.[column] ?? before?.[column];
