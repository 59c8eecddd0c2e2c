import type { Operation } from '@app/security/access/privileges';

/** Impersonated logins: of staff with the consent to read or to write, and by a link. */
export const IMPERSONATED_LOGINS = ['support login', 'support login with write', 'login by a link'] as const;
export type ImpersonatedLogin = (typeof IMPERSONATED_LOGINS)[number];

/**
 * What an impersonated login may do as its user may, written by hand from docs/rules/support.md and
 * login-links.md, and deliberately not from privileges.ts: `reads`, every one of them by GET and HEAD;
 * `writes`, support logins with `write` and logins by links; `staff`, support logins with `write` alone;
 * `always`, every one of them; `never`, none.
 */
type Right = 'reads' | 'writes' | 'staff' | 'always' | 'never';

export const RIGHTS: Readonly<Record<Operation, Right>> = {
  'session.whoami': 'reads',
  // It ends itself (rule support 19).
  'session.logout': 'always',

  'access.introspect': 'writes',
  'access.list': 'never',

  'organisations.list': 'reads',
  'organisations.read': 'reads',
  'organisations.create': 'writes',
  'organisations.update': 'writes',
  'organisations.delete': 'writes',
  'organisations.listBeneath': 'reads',
  'organisations.readState': 'reads',
  // rule support 21, rule login-links 29.
  'organisations.setEnabled': 'staff',

  'audit.list': 'reads',
  'events.list': 'reads',

  // Keys of every kind and webhooks are read alone (rule support 14).
  'servicekeys.list': 'reads',
  'servicekeys.read': 'reads',
  'servicekeys.create': 'never',
  'servicekeys.update': 'never',
  'servicekeys.rotate': 'never',
  'servicekeys.delete': 'never',
  'apikeys.list': 'reads',
  'apikeys.read': 'reads',
  'apikeys.create': 'never',
  'apikeys.update': 'never',
  'apikeys.rotate': 'never',
  'apikeys.delete': 'never',
  'sshkeys.list': 'reads',
  'sshkeys.read': 'reads',
  'sshkeys.create': 'never',
  'sshkeys.update': 'never',
  'sshkeys.delete': 'never',
  'deployKeys.list': 'reads',
  'deployKeys.read': 'reads',
  'deployKeys.create': 'never',
  'deployKeys.update': 'never',
  'deployKeys.delete': 'never',
  'webhooks.list': 'reads',
  'webhooks.read': 'reads',
  'webhooks.create': 'never',
  'webhooks.update': 'never',
  'webhooks.delete': 'never',
  'webhooks.rotate': 'never',
  'webhooks.test': 'never',
  'webhooks.listDeliveries': 'reads',
  'webhooks.resend': 'never',

  // What its user does as an admin alone is refused to it as to the user (rule support 17).
  'billing.read': 'reads',
  'billing.update': 'writes',
  'brands.read': 'reads',
  'brands.update': 'writes',
  'brands.delete': 'writes',
  'pricegroups.list': 'reads',
  'pricegroups.create': 'writes',
  'pricegroups.update': 'writes',
  'pricegroups.delete': 'writes',
  'documents.list': 'reads',
  'documents.read': 'reads',
  'documents.put': 'writes',
  'documents.delete': 'writes',
  'documents.send': 'writes',
  'entities.overview': 'reads',
  'entities.register': 'writes',
  'entities.remove': 'writes',
  'testClock.move': 'never',

  'countries.list': 'reads',
  'organisationTypes.list': 'reads',
  'roles.list': 'reads',
  'notificationGroups.list': 'reads',

  'users.list': 'reads',
  'users.read': 'reads',
  // But no user name and no roles (rule support 14, rule support 15).
  'users.update': 'writes',
  // It ends neither users nor their logins (rule support 19), and changes no second factor and no password.
  'users.delete': 'never',
  'users.setEnabled': 'never',
  'users.changePassword': 'never',
  'users.enable2fa': 'never',
  'users.disable2fa': 'never',
  'logins.list': 'reads',
  'logins.delete': 'never',
  'logins.deleteOthers': 'never',
  'tokens2fa.list': 'reads',
  'tokens2fa.read': 'reads',
  'tokens2fa.delete': 'never',
  'recoveryCodes.read': 'reads',
  'recoveryCodes.create': 'never',
  'passkeys.list': 'reads',
  'passkeys.read': 'reads',
  'passkeys.create': 'never',
  'passkeys.update': 'never',
  'passkeys.delete': 'never',
  'users.createMigrated': 'never',
  'users.updateMigrated': 'never',
  'preferences.read': 'reads',
  'preferences.update': 'writes',

  // It invites nobody, and withdraws (rule support 18).
  'invitations.list': 'reads',
  'invitations.read': 'reads',
  'invitations.create': 'never',
  'invitations.update': 'never',
  'invitations.delete': 'writes',
  'invitations.check': 'reads',
  'invitations.resend': 'never',

  // rule login-links 29. None with System (rule support 20).
  'contacts.list': 'reads',
  'contacts.read': 'reads',
  'contacts.create': 'staff',
  'contacts.update': 'staff',
  'contacts.delete': 'staff',
  'organisationContacts.list': 'reads',
  'organisationContacts.read': 'reads',
  'organisationContacts.create': 'writes',
  'organisationContacts.update': 'writes',
  'organisationContacts.delete': 'writes',

  // Members and records of a team let people in elsewhere (rule support 22).
  'teams.list': 'reads',
  'teams.read': 'reads',
  'teams.create': 'writes',
  'teams.update': 'writes',
  'teams.delete': 'writes',
  'teams.updateMembers': 'never',
  'teams.updateEntities': 'never',

  'notifications.list': 'reads',
  'notifications.create': 'writes',

  // In both variants (rule support 22).
  'grants.list': 'reads',
  'grants.read': 'reads',
  'grants.create': 'never',
  'grants.update': 'never',
  'grants.delete': 'never',
  'grants.updateTeams': 'never',
  'acls.list': 'reads',
  'acls.create': 'never',
  'acls.delete': 'never',

  'supportaccess.read': 'reads',
  'supportaccess.update': 'never',
  'supportlogins.create': 'never',
  'loginlinks.create': 'never',

  'systems.authorizedKeys': 'reads',
};

/** A route as the table is asked about it. */
interface AskedRoute {
  readonly method: string;
  readonly operation: Operation;
}

/** The reason of the 403 to an impersonated login, whatever its user may do; undefined: as its user. */
export function refusalTo(login: ImpersonatedLogin, { method, operation }: AskedRoute): string | undefined {
  const right = RIGHTS[operation];
  const reads = method === 'GET' || method === 'HEAD';
  if (right === 'always' || (reads && right !== 'never')) return undefined;
  if (login === 'support login') return reads ? 'SUPPORT_NOT_ALLOWED' : 'SUPPORT_READ_ONLY';
  if (login === 'support login with write')
    return right === 'writes' || right === 'staff' ? undefined : 'SUPPORT_NOT_ALLOWED';
  return right === 'writes' ? undefined : 'LOG_IN_WITH_PASSWORD';
}
