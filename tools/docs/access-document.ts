import {
  type Impersonator,
  isForImpersonator,
  isForServiceKeys,
  type Privilege,
  PRIVILEGES,
  type Verdict,
} from '../../libs/security/access/privileges';

const WORDS: Readonly<Record<Verdict, string>> = { allow: 'yes', role: 'role', deny: '403' };

const HEADINGS = [
  'Operation',
  'Admin',
  'Own',
  'Beneath',
  'FINANCE',
  'Other',
  'Grant',
  'Self',
  'API key',
  'Support',
  'S. write',
  'Link',
  'Key own',
  'Key beneath',
];

const INTRODUCTION = `# Who may do what

\`npm run docs\` prints this page from \`libs/security/access/privileges.ts\`. Change that file, not this page.

- **yes**: allowed. **role**: 500 \`Insufficient role\` (reason \`ROLE_REQUIRED\`). **403**: no access.
- _Admin_: ROLE_ADMIN, on every organisation. _Own_ and _Beneath_: ROLE_CUSTADMIN on its own organisation, and
  on those beneath it over parent and reseller links, to any depth. _FINANCE_: ROLE_FINANCE on its own organisation; if empty, the column
  _Other_ counts. _Other_: any other user of the addressed organisation. All others get 403.
- _Grant_: which grants of the addressed organisation cover it ([agencies.md](agencies.md)): **read** those to \`read\` and to \`manage\`,
  **manage** those to \`manage\` alone. Empty: none, 403 with the reason \`GRANT_DOES_NOT_COVER\`, which also answers parent, reseller, type and
  \`required2fa\` of the organisation, and records of others in its teams.
- _Self_: the caller is the addressed user. A "yes" in this column wins over all others. Another word counts for all callers except
  admins, for whom the column _Admin_ counts. If it is empty, the other columns count.
- _API key_: 403 means that no key may do it; otherwise a key has the rights of its user. A read-only key gets 403
  (reason \`API_KEY_READ_ONLY\`) for every method except GET and HEAD, in every row.
- _Support_, _S. write_ (support logins with \`write\`) and _Link_: 403 means that no such support login, or no login by a link,
  may do it; otherwise it has the rights of its user. The reason is
  \`SUPPORT_READ_ONLY\` for a support login without \`write\` and a method other than GET and HEAD,
  otherwise \`SUPPORT_NOT_ALLOWED\`, and \`LOG_IN_WITH_PASSWORD\` for a login by a link. None of them may set a user name, roles
  (\`defaultRoles\`), \`required2fa\`, a field that API keys may not set, or a contact that has or gets the group System, and none uses
  a grant.
- _Key own_ and _Key beneath_, for service keys: what a key with the operation may do on its organisation, and on those beneath it if it has
  \`beneath\`; without \`beneath\` it gets 403 there. **operator**: only a key of the operator organisation that an admin made,
  which may do it on every organisation. **by name**: only such a key that names the operation itself and has a whitelist; a group of
  operations does not include it. Without the operation every row is 403 (reason \`OPERATION_NOT_GRANTED\`) except
  \`session.*\`, which every key may do. _Self_ never applies to a service key, and grants give it nothing.
- Operations that address no organisation (\`organisations.list\`, \`organisations.create\`, \`session.*\`, reference data) use the columns
  _Own_ and _Other_ for all callers except admins.
- A CUSTADMIN can read a user who holds ROLE_ADMIN, but cannot act on it (403).
- Order of checks: 401 for the credential, 404 for the addressed records, 403 for access, 500 for the role, 400 for the body.
`;

/** The privilege table as the text of docs/access.md. */
export function accessDocument(): string {
  const rows = Object.entries(PRIVILEGES).map(([operation, privilege]) => [
    `\`${operation}\``,
    ...cellsOf(privilege),
  ]);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  return `${INTRODUCTION}\n${[line(HEADINGS), line(rule), ...rows.map(line)].join('\n')}\n`;
}

const cellsOf = (privilege: Privilege): string[] => [
  privilege.serviceKeys === 'byName' ? '403' : WORDS[privilege.admin],
  WORDS[privilege.custadminOwn],
  WORDS[privilege.custadminBeneath],
  privilege.finance === undefined ? '' : WORDS[privilege.finance],
  WORDS[privilege.member],
  privilege.byGrant ?? '',
  privilege.self === undefined ? '' : WORDS[privilege.self],
  privilege.serviceKeys === 'byName' ? '403' : privilege.apiKey === undefined ? '' : '403',
  privilege.support === 'always' || privilege.support === 'read' ? '' : '403',
  isShutTo(privilege, 'support') ? '403' : '',
  isShutTo(privilege, 'link') ? '403' : '',
  serviceKeyCell(privilege, privilege.custadminOwn),
  serviceKeyCell(privilege, privilege.custadminBeneath),
];

/** Whether an impersonated login that may write does neither by it, reading nor writing. */
const isShutTo = (privilege: Privilege, impersonator: Impersonator): boolean =>
  !isForImpersonator(privilege, impersonator, privilege.support === 'read');

function serviceKeyCell(privilege: Privilege, verdict: Verdict): string {
  if (isForServiceKeys(privilege, { asAdmin: false, beneath: true })) return WORDS[verdict];
  if (privilege.serviceKeys === 'byName') return 'by name';
  return isForServiceKeys(privilege, { asAdmin: true, beneath: true }) ? 'operator' : '403';
}
