import type { Operation } from '../access/privileges';
import type { ServedRoute } from '../access/route-table';

/** One line on every operation, for the list of operations. */
const SUMMARY_OF_OPERATION: Readonly<Record<Operation, string>> = {
  'session.whoami': 'Tell whose credential this is',
  'session.logout': 'End the presented login',
  'access.explain': 'Tell what the guard would answer a request, and why',
  'organisations.list': 'List the organisations in reach',
  'organisations.read': 'Read an organisation',
  'organisations.create': 'Create an organisation',
  'organisations.update': 'Change an organisation: what is absent stays',
  'organisations.delete': 'Delete an organisation',
  'organisations.listBeneath': 'List the organisations beneath one, to any depth',
  'organisations.readState': 'Tell whether the users of an organisation are let in, and what keeps them out',
  'organisations.setEnabled': 'Disable (suspend) or enable an organisation',
  'audit.list': 'List who did what to an organisation, and what its users did',
  'billing.read': 'Read what billing keeps of an organisation',
  'billing.update': 'Change what billing keeps of an organisation: what is absent stays',
  'countries.list': 'List the countries',
  'organisationTypes.list': 'List the types of organisations',
  'roles.list': 'List the roles of users',
  'notificationGroups.list': 'List the groups of notifications',
  'pricegroups.list': 'List the price groups',
  'pricegroups.create': 'Create a price group',
  'pricegroups.update': 'Rename a price group',
  'pricegroups.delete': 'Delete a price group that no organisation has',
  'users.list': 'List the users of an organisation',
  'users.read': 'Read a user',
  'users.update': 'Change a user: what is absent stays',
  'users.delete': 'Delete a user',
  'users.setEnabled': 'Enable or disable a user',
  'users.changePassword': 'Change the own password',
  'users.enable2fa': 'Ask a user to set up two-factor login',
  'users.disable2fa': 'Switch off two-factor login of a user',
  'recoveryCodes.read': 'Tell how many recovery codes a user has left',
  'recoveryCodes.create': 'Make ten recovery codes in place of those before; they are shown this once',
  'users.createMigrated': 'Create a user who comes from the previous panel',
  'users.updateMigrated': 'Change a user of the previous panel',
  'invitations.list': 'List the invitations of an organisation',
  'invitations.read': 'Read an invitation',
  'invitations.create': 'Invite a person to an organisation',
  'invitations.update': 'Change an invitation: what is absent stays',
  'invitations.delete': 'Withdraw an invitation',
  'invitations.check': 'Tell whether an invitation is still available',
  'invitations.resend': 'Mail an invitation again, with a new link',
  'contacts.list': 'List the contacts of a user',
  'contacts.read': 'Read a contact of a user',
  'contacts.create': 'Add a contact to a user',
  'contacts.update': 'Change a contact of a user',
  'contacts.delete': 'Delete a contact of a user',
  'sshkeys.list': 'List the SSH keys of a user',
  'sshkeys.read': 'Read an SSH key of a user',
  'sshkeys.create': 'Add an SSH key to a user',
  'sshkeys.update': 'Change an SSH key of a user',
  'sshkeys.delete': 'Delete an SSH key of a user',
  'deployKeys.list': 'List the deploy keys of an organisation',
  'deployKeys.read': 'Read a deploy key of an organisation',
  'deployKeys.create': 'Add a deploy key to an organisation',
  'deployKeys.update': 'Change a deploy key of an organisation',
  'deployKeys.delete': 'Delete a deploy key of an organisation',
  'logins.list': 'List the logins of a user',
  'logins.delete': 'End a login of a user',
  'logins.deleteOthers': 'End all logins of a user but the presented one',
  'tokens2fa.list': 'List the trusted devices of a user',
  'tokens2fa.read': 'Read a trusted device of a user',
  'tokens2fa.delete': 'End the trust in a device of a user',
  'apikeys.list': 'List the API keys of a user',
  'apikeys.read': 'Read an API key',
  'apikeys.create': 'Create an API key; its hash is shown this once',
  'apikeys.update': 'Change name and whitelist of an API key',
  'apikeys.rotate': 'Make a new API key like another, which ends soon; the hash is shown this once',
  'apikeys.delete': 'Delete an API key',
  'preferences.read': 'Read the own preferences',
  'preferences.update': 'Change the own preferences',
  'teams.list': 'List the teams of an organisation',
  'teams.read': 'Read a team',
  'teams.create': 'Create a team',
  'teams.update': 'Change a team',
  'teams.delete': 'Delete a team',
  'teams.updateMembers': 'Add a user to a team',
  'teams.updateEntities': 'Put an entity into a team',
  'organisationContacts.list': 'List the contacts of an organisation',
  'organisationContacts.read': 'Read a contact of an organisation',
  'organisationContacts.create': 'Add a contact to an organisation',
  'organisationContacts.update': 'Change a contact of an organisation',
  'organisationContacts.delete': 'Delete a contact of an organisation',
  'documents.list': 'List the documents of an organisation',
  'documents.read': 'Read what is known of a document',
  'documents.put': 'Hand a document over, or one of its files anew',
  'documents.delete': 'Delete a document with its files and links',
  'documents.send': 'Mail every contact with the group Finance a link to a document of its own',
  'notifications.list': 'List the notifications of an organisation',
  'notifications.create': 'Create a notification of an organisation',
  'acls.list': 'List the grants of an organisation, given and received',
  'acls.create': 'Grant another organisation read access',
  'acls.delete': 'Take back the access of another organisation',
  'entities.overview': 'List the entities that an organisation may access',
  'entities.register': 'Take an entity into the register, or bring it up to date',
  'entities.remove': 'Take an entity out of the register and out of all teams',
  'testClock.move': 'Let time pass in a database of tests',
};

const DOCUMENT = '/v1/organisations/:organisationId/documents/:documentId';
const TEAM = '/v1/organisations/:organisationId/teams/:teamId';

/** The line of a route where its operation has more than one route. */
const SUMMARY_OF_ROUTE: Readonly<Record<string, string>> = {
  'PUT /v1/entities/apps/:entityId': 'Take an app into the register, or bring it up to date',
  'DELETE /v1/entities/apps/:entityId': 'Take an app out of the register and out of all teams',
  'PUT /v1/entities/domains/:entityId': 'Take a domain into the register, or bring it up to date',
  'DELETE /v1/entities/domains/:entityId': 'Take a domain out of the register and out of all teams',
  'PUT /v1/entities/mailgroups/:entityId': 'Take a mail group into the register, or bring it up to date',
  'DELETE /v1/entities/mailgroups/:entityId': 'Take a mail group out of the register and out of all teams',
  'PUT /v1/entities/systems/:entityId': 'Take a system into the register, or bring it up to date',
  'DELETE /v1/entities/systems/:entityId': 'Take a system out of the register and out of all teams',
  [`GET ${DOCUMENT}/pdf`]: 'Download the PDF of a document',
  [`GET ${DOCUMENT}/xml`]: 'Download the XML of a document',
  'PATCH /v1/organisations/:organisationId': 'Change an organisation, exactly as PUT does',
  'PATCH /v1/organisations/:organisationId/billing':
    'Change what billing keeps of an organisation, exactly as PUT does',
  'POST /v1/organisations/:organisationId/userandcontact': 'Create a user with an e-mail contact',
  'GET /v1/organisations/:organisationId/notifications/crm':
    'List the notifications of group Crm of an organisation',
  [`DELETE ${TEAM}/users/:userId`]: 'Take a user out of a team',
  [`POST ${TEAM}/apps`]: 'Put an app into a team',
  [`POST ${TEAM}/domains`]: 'Put a domain into a team',
  [`POST ${TEAM}/mailgroups`]: 'Put a mail group into a team',
  [`POST ${TEAM}/systems`]: 'Put a system into a team',
  [`DELETE ${TEAM}/apps/:objectId`]: 'Take an app out of a team',
  [`DELETE ${TEAM}/domains/:objectId`]: 'Take a domain out of a team',
  [`DELETE ${TEAM}/mailgroups/:objectId`]: 'Take a mail group out of a team',
  [`DELETE ${TEAM}/systems/:objectId`]: 'Take a system out of a team',
};

/** One line on every path that asks for no credential, with the method where its methods do different things. */
const SUMMARY_OF_PUBLIC_PATH: Readonly<Record<string, string>> = {
  '/health/live': 'Tell that the process runs',
  '/health/ready': 'Tell whether the process can serve requests',
  '/v1/login': 'Log in, or without a body tell the login of the presented credential',
  '/v1/softlogin': 'Log in with the code of a recovery mail',
  '/v1/enable2faandget2fasecret': 'Begin two-factor set-up and show its secret',
  '/v1/activate2fa': 'Finish two-factor set-up with a right code, and log in',
  '/v1/cancel2faActivation': 'Give up a two-factor set-up that is not finished',
  '/v1/resetting/send_email': 'Mail a link to reset the password',
  '/v1/resetting/:token': 'Set a new password with the token of a recovery mail',
  '/v1/registerInvitation': 'Register without a token (deprecated)',
  'GET /v1/registerInvitation/:token': 'Show an invited person what the registration needs',
  '/v1/registerInvitation/:token': 'Register with the token of an invitation mail',
  '/v1/downloadpdf/:id/:contactId/:hash': 'Download a document as PDF with the link of a mail',
  '/v1/downloadxml/:id/:contactId/:hash': 'Download a document as XML with the link of a mail',
  '/v1/domains/check': 'Check a domain: not here, 501 by any method',
};

/** What a client of an operation should know beyond who may do it. */
const NOTES: Readonly<Partial<Record<Operation, string>>> = {
  'access.explain':
    'Nothing is done and nothing is written down. It judges access alone: what the body would be refused for, rate limits and amounts are not looked at. ' +
    'Who is no admin asks about its own reach: a user, credential or target outside of it is 404, whether it exists or not. ' +
    'An admin who asks about an unknown credential is told 401.',
  'organisations.create':
    'An organisation created by who is no admin gets the organisation of its creator as its reseller, unless another one in reach is named.',
  'organisations.update':
    'Changes what is present and keeps what is absent, with PUT and PATCH alike. `null` clears a nullable field, and is refused where the field is not nullable.',
  'organisations.delete':
    'Refused while organisations lie beneath it or while it has enabled users; the message names which.',
  'organisations.setEnabled':
    'From the next request on, no credential, password, recovery or invitation of the organisation is accepted; its users are not changed, and enabling lets them in as they were. ' +
    'What holds beneath holds for organisations that are created or moved there later. Each suspension ends by itself: enabling one leaves those above and beneath it.',
  'audit.list':
    'A page costs the same however long the log is, ordered by `id` and narrowed by user, kind and time; `filter` looks at kinds, actions and names of users of the organisation. ' +
    '`orderType=DESC` begins with the newest.',
  'users.update':
    'Changes what is present and keeps what is absent. Who may not manage the organisation changes itself alone: its names, language and user name. ' +
    'A CUSTADMIN who addresses a user with ROLE_ADMIN gets 403; who is no admin and sends the own `defaultRoles` gets 500 with `ROLE_REQUIRED`.',
  'users.setEnabled': 'Disabling ends the logins of the user for good; enabling again revives its API keys.',
  'users.delete': 'The user name is free again. The last enabled admin can not be deleted.',
  'users.changePassword': 'Ends the other logins of the user, not its API keys.',
  'users.enable2fa': 'From the next login on, the user has to set two-factor login up.',
  'users.disable2fa':
    'Takes the secret and the trusted devices away too. Who is no admin can not do it on itself where the organisation requires two-factor login.',
  'invitations.create': 'Mails a link with a token to the address.',
  'invitations.resend':
    'The link of the mail before ends; the new one has the whole time, also where the invitation had expired.',
  'invitations.update':
    'Changes what is present and keeps what is absent. Another address, or an invitation that had expired, gets a new token by mail.',
  'contacts.update': 'Without `preferences` the enabled groups stay as they are.',
  'teams.update': 'Without `autoAddSshkey` it stays as it is.',
  'preferences.update': 'Changes what is present and keeps what is absent.',
  'billing.update': 'Changes what is present and keeps what is absent, with PUT and PATCH alike.',
  'pricegroups.update': 'The one named default keeps its name.',
  'documents.put':
    'The body is the file itself, of the type that `Content-Type` says and that its first bytes show: PDF and XML of a document are handed over one by one. ' +
    'A file replaces the one of its type; links that were mailed lead to the new one.',
  'documents.delete': 'The identifier may be used again.',
  'documents.send':
    'Writes a notification of group Finance. A link opens both files, for a year, until its contact or the document goes, or the contact becomes another address.',
  'session.logout': 'An API key is not affected by it.',
  'acls.create': 'Granting what is granted already answers the existing grant.',
};

const NOTE_OF_PUBLIC_PATH: Readonly<Record<string, string>> = {
  '/v1/login':
    'Without a body, or with `{}`, and with a credential: the login information of that credential, whose value is `hash`. With a body, the body counts.',
  '/v1/downloadpdf/:id/:contactId/:hash':
    'Whoever has the link has the document: it is answered as an attachment.',
  '/v1/downloadxml/:id/:contactId/:hash':
    'Whoever has the link has the document: it is answered as an attachment.',
  '/v1/resetting/send_email':
    'Answers the same in the same time whether the user exists or not. The mail is written in the language of the user.',
  '/v1/resetting/:token': 'Ends the logins and the trusted devices of the user, not its API keys.',
};

/** What a client should know of a route. */
export const noteOf = (route: Pick<ServedRoute, 'operation' | 'path'>): readonly string[] => {
  const note = route.operation === undefined ? NOTE_OF_PUBLIC_PATH[route.path] : NOTES[route.operation];
  return note === undefined ? [] : [note];
};

/** The line of a route, or undefined for a public one that nobody wrote a line for, which a test refuses. */
export function summaryOf({ method, operation, path }: Pick<ServedRoute, 'method' | 'operation' | 'path'>) {
  if (operation === undefined) {
    return SUMMARY_OF_PUBLIC_PATH[`${method} ${path}`] ?? SUMMARY_OF_PUBLIC_PATH[path];
  }
  return SUMMARY_OF_ROUTE[`${method} ${path}`] ?? SUMMARY_OF_OPERATION[operation];
}
