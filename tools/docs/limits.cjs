// Prints docs/limits.md: every amount that the database limits.
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const MIGRATIONS = join(__dirname, '../../libs/migrations');

/** The SQL of the first release, then of all later migrations. */
const migrations = () =>
  readdirSync(MIGRATIONS, { recursive: true })
    .filter((file) => /\.sql$|\d{13}-.*\.ts$/.test(file))
    .sort()
    .map((file) => readFileSync(join(MIGRATIONS, file), 'utf8'))
    .join('\n');

/** Which rows count, by the condition of the limit. */
const WHICH = {
  true: 'all',
  'deleted_at IS NULL': 'all',
  'user_id IS NULL': 'its own',
  is_written: 'written by users',
  'next_try_at IS NOT NULL': 'waiting',
  'expires_at > now()': 'not ended',
  '(expires_at IS NULL OR expires_at > now())': 'not ended',
};

function amounts() {
  const limit = /INSERT ON (\w+)[^;]*?limit_rows\('(\w+)_id', '(\d+)', '\w+',\s+'([^']+)'\)/g;
  return [...migrations().matchAll(limit)].map(([, table, owner, most, condition]) => {
    const which = WHICH[condition] ?? 'open';
    return { owner, table, most: Number(most).toLocaleString('en'), which };
  });
}

/** Tables where a new row of a user, or of a service key, replaces the oldest one. */
function rooms() {
  const room = /AFTER INSERT ON (\w+)\s+FOR EACH ROW EXECUTE FUNCTION make_room\w*\((?:'\w+', )?'(\d+)'\)/g;
  return [...migrations().matchAll(room)].map(([, table, most]) => ({ table, most }));
}

const cell = (text) => String(text).replaceAll('|', '\\|');
const table = (headings, rows) =>
  [headings, headings.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** The text of docs/limits.md, before prettier. */
exports.limitsDocument = () => `# Amounts

\`npm run docs\` prints this page from the migrations. Rates, sizes and times are constants in the code that they limit.
[settings.md](settings.md) has the limits that an operator can set.

A request above one of these amounts gets 400 with \`reason\` \`LIMIT_REACHED\`, and nothing is stored. The database counts under a
lock on the owner. Existing rows stay.

${table(
  ['Owner', 'Table', 'Maximum', 'Rows that count'],
  amounts().map(({ owner, table: name, most, which }) => [owner, `\`${name}\``, most, which]),
)}

In these tables the newest row replaces the oldest:

${table(
  ['Table', 'Maximum per user or service key'],
  rooms().map(({ table: name, most }) => [`\`${name}\``, Number(most).toLocaleString('en')]),
)}
`;
