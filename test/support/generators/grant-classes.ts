import type { Operation } from '@app/security/access/privileges';
import type { ClassName } from './grant-table';

/**
 * The class of every operation on an organisation. An operation without a class does not compile: write down
 * its rule.
 */
export const CLASS_OF: Readonly<Record<Exclude<Operation, OutsideOperation>, ClassName>> = {
  'organisations.read': 'read',
  'users.list': 'read',
  'users.read': 'read',
  'entities.overview': 'read',
  'brands.read': 'read',

  'teams.list': 'list',
  'teams.read': 'list',
  'invitations.list': 'list',
  'invitations.read': 'list',
  'invitations.check': 'list',
  'organisationContacts.list': 'list',
  'organisationContacts.read': 'list',
  'notifications.list': 'list',
  'sshkeys.list': 'list',
  'sshkeys.read': 'list',
  'deployKeys.list': 'list',
  'deployKeys.read': 'list',
  'systems.authorizedKeys': 'list',

  'organisations.update': 'write',
  'teams.create': 'write',
  'teams.update': 'write',
  'teams.delete': 'write',
  'teams.updateEntities': 'write',
  'organisationContacts.create': 'write',
  'organisationContacts.update': 'write',
  'organisationContacts.delete': 'write',
  'notifications.create': 'write',

  'invitations.create': 'write of people',
  'invitations.update': 'write of people',
  'invitations.delete': 'write of people',
  'invitations.resend': 'write of people',
  'users.update': 'write of people',
  'users.delete': 'write of people',
  'users.setEnabled': 'write of people',
  // Into which team is a matter of the body's rules: rule grants 48 forbids those that work for a third
  // organisation.
  'teams.updateMembers': 'write',

  'contacts.list': 'contacts of people',
  'contacts.read': 'contacts of people',
  'contacts.create': 'contacts of people',
  'contacts.update': 'contacts of people',
  'contacts.delete': 'contacts of people',

  'servicekeys.list': 'keys and secrets',
  'servicekeys.read': 'keys and secrets',
  'servicekeys.create': 'keys and secrets',
  'servicekeys.update': 'keys and secrets',
  'servicekeys.rotate': 'keys and secrets',
  'servicekeys.delete': 'keys and secrets',
  'webhooks.list': 'keys and secrets',
  'webhooks.read': 'keys and secrets',
  'webhooks.create': 'keys and secrets',
  'webhooks.update': 'keys and secrets',
  'webhooks.delete': 'keys and secrets',
  'webhooks.rotate': 'keys and secrets',
  'webhooks.test': 'keys and secrets',
  'webhooks.listDeliveries': 'keys and secrets',
  'webhooks.resend': 'keys and secrets',
  'sshkeys.create': 'keys and secrets',
  'sshkeys.update': 'keys and secrets',
  'sshkeys.delete': 'keys and secrets',
  'deployKeys.create': 'keys and secrets',
  'deployKeys.update': 'keys and secrets',
  'deployKeys.delete': 'keys and secrets',
  'users.enable2fa': 'keys and secrets',
  'users.disable2fa': 'keys and secrets',
  'recoveryCodes.read': 'keys and secrets',
  'passkeys.list': 'keys and secrets',
  'passkeys.read': 'keys and secrets',
  'passkeys.delete': 'keys and secrets',
  'tokens2fa.list': 'keys and secrets',
  'tokens2fa.read': 'keys and secrets',
  'tokens2fa.delete': 'keys and secrets',
  'logins.list': 'keys and secrets',
  'logins.delete': 'keys and secrets',
  'logins.deleteOthers': 'keys and secrets',
  'apikeys.list': 'keys and secrets',
  'apikeys.read': 'keys and secrets',
  'apikeys.delete': 'keys and secrets',

  'audit.list': 'feeds',
  'events.list': 'feeds',
  'access.list': 'feeds',

  'documents.list': 'documents',
  'documents.read': 'documents',

  'organisations.listBeneath': 'tree',
  'organisations.readState': 'tree',
  'organisations.setEnabled': 'end of the organisation',
  'organisations.delete': 'end of the organisation',

  'grants.list': 'grants',
  'grants.read': 'grants',
  'grants.create': 'grants',
  'grants.update': 'grants',
  'grants.delete': 'grants',
  'grants.updateTeams': 'grants',
  'acls.list': 'grants',
  'acls.create': 'grants',
  'acls.delete': 'grants',
  'supportaccess.read': 'grants',
  'supportaccess.update': 'grants',

  'users.changePassword': 'of oneself alone',
  'recoveryCodes.create': 'of oneself alone',
  'passkeys.create': 'of oneself alone',
  'passkeys.update': 'of oneself alone',
  'apikeys.create': 'of oneself alone',
  'apikeys.update': 'of oneself alone',
  'apikeys.rotate': 'of oneself alone',
  'preferences.read': 'of oneself alone',
  'preferences.update': 'of oneself alone',

  'billing.read': 'of the operator',
  'billing.update': 'of the operator',
  'brands.update': 'of the operator',
  'brands.delete': 'of the operator',
  'documents.put': 'of the operator',
  'documents.delete': 'of the operator',
  'documents.send': 'of the operator',
  'users.createMigrated': 'of the operator',
  'users.updateMigrated': 'of the operator',
  'supportlogins.create': 'of the operator',
  'loginlinks.create': 'of no person',
};

/**
 * Operations that address no organisation: grants say nothing of them, and the answer is that of whoever asks
 * at home.
 */
export const OUTSIDE = {
  'session.whoami': 'everybody',
  'session.logout': 'everybody',
  'organisations.list': 'everybody',
  'countries.list': 'everybody',
  'organisationTypes.list': 'everybody',
  'roles.list': 'everybody',
  'notificationGroups.list': 'everybody',
  'organisations.create': 'CUSTADMINs',
  'access.introspect': 'admins',
  'pricegroups.list': 'admins',
  'pricegroups.create': 'admins',
  'pricegroups.update': 'admins',
  'pricegroups.delete': 'admins',
  // rule documents 22: ROLE_ADMIN; others 403.
  'entities.register': 'admins alone',
  'entities.remove': 'admins alone',
  // Served with TEST_CLOCK=on alone.
  'testClock.move': 'admins',
} as const satisfies Partial<Record<Operation, string>>;
export type OutsideOperation = keyof typeof OUTSIDE;

/**
 * What no API key does, whoever its user is: rule keys 9, rule keys 27, rule events 18, rule support 1,
 * rule passkeys 8, rule grants 76.
 */
export const KEYS_NEVER: readonly Operation[] = [
  'apikeys.create',
  'apikeys.update',
  'apikeys.rotate',
  'passkeys.create',
  'passkeys.update',
  'passkeys.delete',
  'recoveryCodes.create',
  'servicekeys.create',
  'servicekeys.update',
  'servicekeys.rotate',
  'supportlogins.create',
  'users.changePassword',
  'users.enable2fa',
  'users.disable2fa',
  'users.updateMigrated',
  'webhooks.create',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.rotate',
  'webhooks.test',
  'webhooks.resend',
  'grants.updateTeams',
];

/** What the body adds to an operation that a grant covers. */
export interface BeyondCase {
  readonly what: string;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the organisation; names of records in it as the world has them. */
  readonly path: string;
  readonly body?: object;
  readonly isOfVariantA?: boolean;
}

const ORGANISATION = { name: 'Bakkerij', taxNumber: 'NL001' };
const PERSON = { firstName: 'Jan', lastName: 'Peeters', language: 'nl' };
const CONTACT = { type: 'email', name: 'new@agency.example' };

/**
 * 403 GRANT_DOES_NOT_COVER, whoever manages by the grant: rule grants 34, rule grants 40, rule grants 41,
 * rule grants 44 (no contact that has or gets the group System).
 */
export const BEYOND: readonly BeyondCase[] = [
  // The parent is for admins: 400 ADMIN_ONLY, as its CUSTADMIN is answered.
  { what: 'reseller', method: 'PATCH', path: '', body: { ...ORGANISATION, resellerOrganisation: 1 } },
  {
    what: 'required2fa',
    method: 'PATCH',
    path: '',
    body: { ...ORGANISATION, required2fa: true },
    isOfVariantA: true,
  },
  {
    what: 'roles of a user',
    method: 'PATCH',
    path: '/users/:userId',
    body: { ...PERSON, username: ':username', defaultRoles: 'ROLE_APP' },
  },
  {
    what: 'name of a user',
    method: 'PATCH',
    path: '/users/:userId',
    body: { ...PERSON, username: 'new@agency.example' },
  },
  {
    what: 'roles of an invitation',
    method: 'POST',
    path: '/invitations',
    body: { firstName: 'Jan', lastName: 'Peeters', email: 'new@agency.example', autoRoles: 'ROLE_APP' },
  },
  {
    what: 'a new contact with System',
    method: 'POST',
    path: '/contacts',
    body: { ...CONTACT, preferences: 'Crm,System' },
  },
  {
    what: 'a contact that gets System',
    method: 'PUT',
    path: '/contacts/:contactId',
    body: { ...CONTACT, preferences: 'System' },
  },
  {
    what: 'a contact that loses System',
    method: 'PUT',
    path: '/contacts/:systemContactId',
    body: { ...CONTACT, preferences: 'Crm' },
  },
  { what: 'the end of a contact with System', method: 'DELETE', path: '/contacts/:systemContactId' },
  {
    what: "a user's new contact with System",
    method: 'POST',
    path: '/users/:userId/contacts',
    body: { ...CONTACT, preferences: 'System' },
  },
  {
    what: "a user's contact that loses System",
    method: 'PUT',
    path: '/users/:userId/contacts/:userSystemContactId',
    body: { ...CONTACT, preferences: '' },
  },
  {
    what: "the end of a user's contact with System",
    method: 'DELETE',
    path: '/users/:userId/contacts/:userSystemContactId',
  },
];
