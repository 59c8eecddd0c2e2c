import type { PathsObject } from 'openapi3-ts/oas31';

/** The chapters of the document, in their order. */
const TAGS: Readonly<Record<string, string>> = {
  login: 'Logging in and out, two-factor set-up, recovery of a password, registration of an invited person',
  access: 'Who may do what, and why',
  organisations:
    'Customers, resellers and the operator: a tree over parent links, and reseller links beside it',
  brands: 'In whose name the people of an organisation get mails and pages',
  audit: 'Who did what in an organisation',
  events: 'What changed in an organisation, for programs that follow it',
  users:
    'The people of an organisation and what they may do; new ones are invited (`invitations`) and register themselves',
  invitations: 'Mails by which new users register themselves',
  teams: 'Users of an organisation and the apps, domains, mail groups and systems that they work on',
  contacts: 'Where a user wants to be told of notifications',
  'organisation contacts': 'Where an organisation itself wants to be told of notifications',
  sshkeys: 'Public keys of users, and deploy keys of organisations',
  tokens2fa: 'Devices from which a user logs in without a code',
  passkeys: 'Keys in the devices of a user, which log in without a password',
  apikeys: 'Credentials of programs, which act for their user',
  servicekeys: 'Credentials of programs, which act for an organisation without a user',
  webhooks: 'Receivers to which the service posts the events of an organisation',
  logins: 'Where a user is logged in; ending a login there',
  support: 'Logins of staff in the name of a user, and what an organisation lets them do',
  preferences: 'What a user set of the looks of the panel',
  'reference data': 'What other fields refer to, in Dutch, English and French, for forms to choose from',
  documents: 'Invoices and other documents that billing hands over, and the links that mails carry to them',
  notifications: 'What happened in an organisation and who was told',
  grants: 'Which other organisations read or manage an organisation',
  acls: 'Which other organisations may read an organisation',
  entities: 'Apps, domains, mail groups and systems that an organisation may access',
  'other areas': 'Paths of other areas of the panel, which are not here yet',
  operation: 'What the platform asks of a process; outside of the version and of limits',
};

/** The used tags with their texts. Throws for a tag without a text. */
export function tagsOf(paths: PathsObject): { name: string; description: string }[] {
  const used = new Set(
    Object.values(paths).flatMap((path) =>
      Object.values(path as Record<string, { tags?: string[] }>).flatMap(({ tags = [] }) => tags),
    ),
  );
  const unknown = [...used].filter((name) => !(name in TAGS));
  if (unknown.length > 0) throw new Error(`Tags without a text: ${unknown.join(', ')}`);
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
