// Prints docs/limits.md: every amount that the database limits.
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const MIGRATIONS = join(__dirname, '../../libs/migrations');

/** The texts of all migrations, oldest first. */
const migrations = () =>
  readdirSync(MIGRATIONS)
    .sort()
    .map((file) => readFileSync(join(MIGRATIONS, file), 'utf8'))
    .join('\n');

/** Which rows count, by the condition of the limit. */
const WHICH = {
  OPEN: 'open ones',
  "'is_written'": 'those that users write',
  "'next_try_at IS NOT NULL'": 'those that wait',
  "'expires_at > now()'": 'those that have not ended',
};

function amounts() {
  const limit = /\{ table: '(\w+)', owner: '(\w+)_id', most: (\d+), condition: (.+) \}/g;
  return [...migrations().matchAll(limit)].map(([, table, owner, most, condition]) => {
    const which = WHICH[condition] ?? (condition.includes('user_id IS NULL') ? 'its own' : 'all');
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
  ['Owner', 'Table', 'Most', 'Which count'],
  amounts().map(({ owner, table: name, most, which }) => [owner, `\`${name}\``, most, which]),
)}

In these tables the newest row replaces the oldest:

${table(
  ['Table', 'Most of a user or service key'],
  rooms().map(({ table: name, most }) => [`\`${name}\``, Number(most).toLocaleString('en')]),
)}
`;
