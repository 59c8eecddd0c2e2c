import { PRIVILEGES, type Privilege, type Verdict } from './privileges';

const WORDS: Readonly<Record<Verdict, string>> = { allow: 'yes', role: 'role', deny: '403' };

const HEADINGS = [
  'Operation',
  'Admin',
  'CUSTADMIN own',
  'CUSTADMIN beneath',
  'FINANCE',
  'Other user',
  'Granted',
  'Self',
  'API key',
];

const INTRODUCTION = `# Who may do what

Printed from \`libs/core/access/privileges.ts\` by \`npm run docs:access\`: change that file, never this one.

- **yes**: allowed. **role**: 500 \`Insufficient role\` (reason \`ROLE_REQUIRED\`). **403**: no access.
- _Admin_: ROLE_ADMIN, on every organisation. _CUSTADMIN own_ and _beneath_: ROLE_CUSTADMIN on its own organisation, and
  on those beneath it over parent and reseller links, to any depth. _FINANCE_: ROLE_FINANCE on its own organisation; empty: as any other user of it. _Other user_: any other user of the addressed
  organisation. _Granted_: a user of an organisation that the addressed one granted access to. Everybody else gets 403.
- _Self_: the caller is the addressed user. A "yes" there wins over all other columns; otherwise an admin's column counts
  for an admin. Empty: being the addressed user makes no difference.
- _API key_: 403 where a key may not do it whoever it belongs to; otherwise a key may do what its user may. With a
  read-only key every method but GET and HEAD is 403 (reason \`API_KEY_READ_ONLY\`), in whatever row.
- Operations that address no organisation (\`organisations.list\`, \`organisations.create\`, \`session.*\`, reference data) take the columns
  _CUSTADMIN own_ and _Other user_ for everybody who is no admin.
- A CUSTADMIN never acts on a user who holds ROLE_ADMIN (403), though it may read it.
- Checked in this order: 401 the credential, 404 what is addressed, 403 access, 500 role, 400 the body.
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
  WORDS[privilege.admin],
  WORDS[privilege.custadminOwn],
  WORDS[privilege.custadminBeneath],
  privilege.finance === undefined ? '' : WORDS[privilege.finance],
  WORDS[privilege.member],
  WORDS[privilege.granted],
  privilege.self === undefined ? '' : WORDS[privilege.self],
  privilege.apiKey === undefined ? '' : WORDS[privilege.apiKey],
];
