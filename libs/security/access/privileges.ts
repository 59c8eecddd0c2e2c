/**
 * The privilege table: docs/rules/rights.md as data. It is the only place that defines rights: the guard
 * decides by it, tests are generated from it, and docs/access.md is printed from it.
 *
 * - `allow`: the request may go on.
 * - `role`: the caller has access to the addressed record but lacks the role (500 ROLE_REQUIRED).
 * - `deny`: the caller has no access (403).
 */
export type Verdict = 'allow' | 'role' | 'deny';

export interface Privilege {
  /**
   * Whether the operation acts on the addressed user. Reading personal records of a user (contacts, keys,
   * devices) counts as acting. A CUSTADMIN must not act on a user who holds ROLE_ADMIN.
   */
  readonly acts: boolean;
  /** ROLE_ADMIN, on any organisation. */
  readonly admin: Verdict;
  /** ROLE_CUSTADMIN on the own organisation; any ROLE_CUSTADMIN for operations without an organisation. */
  readonly custadminOwn: Verdict;
  /** ROLE_CUSTADMIN on an organisation beneath its own. */
  readonly custadminBeneath: Verdict;
  /** ROLE_FINANCE without ROLE_CUSTADMIN in the addressed organisation. Absent: the same as `member`. */
  readonly finance?: Verdict;
  /** Any other user of the addressed organisation; any other user for operations without an organisation. */
  readonly member: Verdict;
  /**
   * Which grants of the addressed organisation cover the operation: `read` both kinds, `manage` those to
   * manage alone. Absent: none (rule grants 22).
   */
  readonly byGrant?: 'read' | 'manage';
  /**
   * The caller is the addressed user. `allow` here wins over every other column;
   * otherwise the admin's column wins.
   */
  readonly self?: Verdict;
  /**
   * Operations that API keys and service keys can never do (rule keys 8, rule keys 30). `person`: the same,
   * with the reason API_KEY_REFUSED.
   */
  readonly apiKey?: 'deny' | 'person';
  /**
   * `byName`: only service keys of the operator do it that name the operation itself, which no group has, and
   * that work from known addresses alone (rule keys 32). A person never does, whatever its role.
   */
  readonly serviceKeys?: 'byName';
  /**
   * What an impersonated login may do, if the user may: a support login (rule support 13, rule
   * support 14), and a login by a link, which may do what a support login with `write` may (rule login-links
   * 28). `read`: by GET and HEAD; `write`: by other methods too, if the login has `write`; `always`: by every
   * method. Absent: nothing, so that a new operation is refused until its row allows it.
   */
  readonly support?: 'read' | 'write' | 'always';
  /** What a login by a link never does, although a support login with `write` may (rule login-links 29). */
  readonly byLink?: 'deny';
}

/** For operations that change something: support logins with `write` and logins by links may do it. */
const supported = (privilege: Privilege): Privilege => ({ ...privilege, support: 'write' });

/** For operations that support logins with `write` may do, and logins by links may not. */
const supportedByStaff = (privilege: Privilege): Privilege => ({ ...supported(privilege), byLink: 'deny' });

/** For operations that every grant covers. */
const readByGrant = (privilege: Privilege): Privilege => ({ ...privilege, byGrant: 'read' });

/** For operations that grants to manage cover. */
const managedByGrant = (privilege: Privilege): Privilege => ({ ...privilege, byGrant: 'manage' });

function withoutSupport({ support: _, ...privilege }: Privilege): Privilege {
  return privilege;
}

const open: Privilege = {
  acts: false,
  admin: 'allow',
  custadminOwn: 'allow',
  custadminBeneath: 'allow',
  member: 'allow',
  support: 'read',
};
const managersRead: Privilege = { ...open, member: 'role' };
const managed: Privilege = withoutSupport({ ...managersRead, acts: true });
const membersRead: Privilege = { ...managersRead, member: 'allow' };
const managedPersonal: Privilege = { ...managed, member: 'deny', self: 'allow' };
const personalRead: Privilege = { ...managedPersonal, support: 'read' };
const selfOnly: Privilege = {
  acts: true,
  admin: 'deny',
  custadminOwn: 'deny',
  custadminBeneath: 'deny',
  member: 'deny',
  self: 'allow',
};
const adminOnly: Privilege = { ...managed, custadminOwn: 'role', custadminBeneath: 'role' };
const adminsRead: Privilege = { ...adminOnly, acts: false, support: 'read' };
/** Managers of the organisation and its ROLE_FINANCE read the documents of its billing. */
const bookkeepersRead: Privilege = { ...managersRead, finance: 'allow' };
/** The register belongs to no organisation, so only admins have access. */
const adminAlone: Privilege = {
  ...managed,
  custadminOwn: 'deny',
  custadminBeneath: 'deny',
  member: 'deny',
};

const OPERATIONS = {
  'session.whoami': open,
  'session.logout': { ...open, support: 'always' },

  // The operation addresses no organisation: callers without ROLE_ADMIN lack the role.
  'access.introspect': supported({ ...adminOnly, acts: false }),
  'access.list': withoutSupport(managersRead),

  'organisations.list': open,
  'organisations.read': readByGrant(open),
  'organisations.create': supported(managed),
  'organisations.update': managedByGrant(supported(managed)),
  'organisations.delete': supported({ ...managed, custadminOwn: 'role' }),
  'organisations.listBeneath': managersRead,
  'organisations.readState': managersRead,
  // An organisation cannot suspend itself.
  'organisations.setEnabled': supportedByStaff({ ...managed, custadminOwn: 'role' }),

  'audit.list': managersRead,
  'events.list': managersRead,

  'servicekeys.list': managersRead,
  'servicekeys.read': managersRead,
  'servicekeys.create': { ...managed, apiKey: 'deny' },
  'servicekeys.update': { ...managed, apiKey: 'deny' },
  // The operation returns a new key.
  'servicekeys.rotate': { ...managed, apiKey: 'deny' },
  'servicekeys.delete': managed,

  'webhooks.list': managersRead,
  'webhooks.read': managersRead,
  'webhooks.create': { ...managed, apiKey: 'deny' },
  'webhooks.update': { ...managed, apiKey: 'deny' },
  'webhooks.delete': { ...managed, apiKey: 'deny' },
  'webhooks.rotate': { ...managed, apiKey: 'deny' },
  'webhooks.test': { ...managed, apiKey: 'deny' },
  'webhooks.listDeliveries': managersRead,
  'webhooks.resend': { ...managed, apiKey: 'deny' },

  'billing.read': adminsRead,
  'billing.update': supported(adminOnly),

  'brands.read': readByGrant(open),
  'brands.update': supported(adminOnly),
  'brands.delete': supported(adminOnly),

  'countries.list': open,
  'organisationTypes.list': open,
  'roles.list': open,
  'notificationGroups.list': open,
  // Only admins see price groups. These operations address no organisation.
  'pricegroups.list': adminsRead,
  'pricegroups.create': supported(adminOnly),
  'pricegroups.update': supported(adminOnly),
  'pricegroups.delete': supported(adminOnly),

  'users.list': readByGrant(open),
  'users.read': readByGrant(open),
  'users.update': supported({ ...managed, self: 'allow' }),
  // Both end the logins of the user, and a support login ends no login of the customer (rule support 19).
  'users.delete': { ...managed, self: 'role' },
  'users.setEnabled': { ...managed, self: 'role' },
  'users.changePassword': { ...selfOnly, apiKey: 'deny' },
  'users.enable2fa': { ...managed, self: 'allow', apiKey: 'deny' },
  'users.disable2fa': { ...managed, self: 'allow', apiKey: 'deny' },
  'recoveryCodes.read': personalRead,
  'recoveryCodes.create': { ...selfOnly, apiKey: 'deny' },
  'passkeys.list': personalRead,
  'passkeys.read': personalRead,
  // Applies to the options and to the passkey.
  'passkeys.create': { ...selfOnly, apiKey: 'deny' },
  'passkeys.update': { ...selfOnly, apiKey: 'deny' },
  'passkeys.delete': { ...managedPersonal, apiKey: 'deny' },
  'users.createMigrated': adminOnly,
  // The operation sets a password, which a key must never do.
  'users.updateMigrated': { ...adminOnly, apiKey: 'deny' },

  'invitations.list': managersRead,
  'invitations.read': managersRead,
  'invitations.create': managed,
  'invitations.update': managed,
  'invitations.delete': supported(managed),
  'invitations.check': managersRead,
  'invitations.resend': managed,

  'contacts.list': personalRead,
  'contacts.read': personalRead,
  'contacts.create': supportedByStaff(managedPersonal),
  'contacts.update': supportedByStaff(managedPersonal),
  'contacts.delete': supportedByStaff(managedPersonal),

  'sshkeys.list': managedByGrant(personalRead),
  'sshkeys.read': managedByGrant(personalRead),
  'sshkeys.create': managedPersonal,
  'sshkeys.update': managedPersonal,
  'sshkeys.delete': managedPersonal,

  'deployKeys.list': managedByGrant(membersRead),
  'deployKeys.read': managedByGrant(membersRead),
  'deployKeys.create': managed,
  'deployKeys.update': managed,
  'deployKeys.delete': managed,

  // The organisation decides who may act in the name of its users; admins read it.
  'supportaccess.read': managersRead,
  'supportaccess.update': { ...managed, admin: 'deny' },
  'supportlogins.create': { ...adminOnly, apiKey: 'deny' },

  // Staff have support logins, which ask for consent.
  'loginlinks.create': { ...adminAlone, serviceKeys: 'byName' },

  'logins.list': personalRead,
  // A support login ends itself by the logout, and no login of the customer (rule support 19).
  'logins.delete': managedPersonal,
  'logins.deleteOthers': managedPersonal,

  'tokens2fa.list': personalRead,
  'tokens2fa.read': personalRead,
  'tokens2fa.delete': managedPersonal,

  'apikeys.list': personalRead,
  'apikeys.read': personalRead,
  'apikeys.create': { ...selfOnly, apiKey: 'deny' },
  'apikeys.update': { ...selfOnly, apiKey: 'deny' },
  // The operation returns a new key.
  'apikeys.rotate': { ...selfOnly, apiKey: 'deny' },
  'apikeys.delete': managedPersonal,

  'preferences.read': { ...selfOnly, support: 'read' },
  'preferences.update': supported(selfOnly),

  'teams.list': managedByGrant(membersRead),
  'teams.read': managedByGrant(membersRead),
  'teams.create': supported(managed),
  'teams.update': supported(managed),
  'teams.delete': supported(managed),
  // Members and records of a team let people into other organisations and onto machines, and stay.
  'teams.updateMembers': managed,
  'teams.updateEntities': managedByGrant(managed),

  'organisationContacts.list': managedByGrant(managersRead),
  'organisationContacts.read': managedByGrant(managersRead),
  'organisationContacts.create': supported(managed),
  'organisationContacts.update': supported(managed),
  'organisationContacts.delete': supported(managed),

  'documents.list': bookkeepersRead,
  'documents.read': bookkeepersRead,
  'documents.put': supported(adminOnly),
  'documents.delete': supported(adminOnly),
  'documents.send': supported(adminOnly),

  'notifications.list': managedByGrant(membersRead),
  'notifications.create': supported(managed),

  'grants.list': managersRead,
  'grants.read': managersRead,
  // The service refuses keys what is to manage (rule grants 39).
  'grants.create': managed,
  'grants.update': managed,
  'grants.delete': managed,
  // The people of the grantee decide which of them use the grant.
  'grants.updateTeams': { ...managed, apiKey: 'person' },

  'acls.list': managersRead,
  'acls.create': managed,
  'acls.delete': managed,

  'systems.authorizedKeys': managersRead,

  'entities.overview': readByGrant(open),
  'entities.register': supported(adminAlone),
  'entities.remove': supported(adminAlone),

  // Served only with TEST_CLOCK=on; it addresses no record.
  'testClock.move': adminOnly,
} as const satisfies Record<string, Privilege>;

/**
 * Whether an operation can be given to a service key, which acts as an admin or as a
 * CUSTADMIN (rule keys 30, rule keys 31).
 */
export function isForServiceKeys(
  { apiKey, admin, custadminOwn, custadminBeneath }: Privilege,
  { asAdmin, beneath }: { readonly asAdmin: boolean; readonly beneath: boolean },
): boolean {
  if (apiKey !== undefined) return false;
  if (asAdmin) return admin === 'allow';
  return custadminOwn === 'allow' || (beneath && custadminBeneath === 'allow');
}

/** Who acts as the user of a login: staff who support the user, or a program that made a link. */
export type Impersonator = 'support' | 'link';

/**
 * Whether an impersonated login may do an operation by a method that reads or, if it may write, by any
 * other.
 */
export const isForImpersonator = (
  { apiKey, support, byLink }: Privilege,
  impersonator: Impersonator,
  reads: boolean,
): boolean =>
  apiKey === undefined &&
  !(impersonator === 'link' && byLink === 'deny') &&
  (reads ? support !== undefined : support === 'write' || support === 'always');

/** The part of an operation's name before the dot: `contacts` of `contacts.list`. */
const groupOf = (operation: string): string => operation.slice(0, operation.indexOf('.'));

/** The words in the list of a service key that stand for the operation. */
export const wordsFor = (operation: Operation): readonly string[] =>
  PRIVILEGES[operation].serviceKeys === 'byName' ? [operation] : [operation, `${groupOf(operation)}.*`];

/** The name of an operation: what a route declares with `@Access`. */
export type Operation = keyof typeof OPERATIONS;

export const PRIVILEGES: Readonly<Record<Operation, Privilege>> = OPERATIONS;
