// What docs/limits.md prints: every limit that stands as a constant in the sources, and every amount in the database.
const { readdirSync, readFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const ts = require('typescript');

const root = join(__dirname, '..');
const MIGRATIONS = 'libs/core/database/migrations';

/** Names of amounts, sizes, rates and times. */
const LIMIT_NAME = /^MAX_|_MAX(_|$)|_TIMEOUT$|_INTERVAL$|_TTL$|_DELAY$|^DEFAULT_LIMIT$|_LIMIT$/;

const sourcesBelow = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|cjs)$/.test(entry.name) && !entry.name.includes('.spec.'))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
    .filter((file) => !file.includes('/migrations/'))
    .sort();

/** The words of the doc comment, or comment, right above a statement; what has none shares that of the one above it. */
function wordsOf(source, statement) {
  const ranges = ts.getLeadingCommentRanges(source.text, statement.getFullStart()) ?? [];
  const last = ranges.at(-1);
  if (last === undefined) return undefined;
  return source.text
    .slice(last.pos, last.end)
    .replace(/^\/\*\*?|\*\/$|^\/\//g, '')
    .replace(/^\s*\*\s?/gm, '')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
}

function limitsIn(file) {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.ES2023,
    true,
  );
  let above;
  return source.statements.flatMap((statement) => {
    if (!ts.isVariableStatement(statement)) {
      above = undefined;
      return [];
    }
    above = wordsOf(source, statement) ?? above;
    return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
      const isLimit = ts.isIdentifier(name) && LIMIT_NAME.test(name.text) && initializer !== undefined;
      const value = initializer?.getText(source).replace(/\s+as const$/, '');
      if (!isLimit || !/^['\d(]/.test(value)) return [];
      return [{ name: name.text, value, words: above ?? '', file }];
    });
  });
}

/** The texts of all migrations, oldest first. */
const migrations = () =>
  readdirSync(join(root, MIGRATIONS))
    .sort()
    .map((file) => readFileSync(join(root, MIGRATIONS, file), 'utf8'))
    .join('\n');

function amounts() {
  const limit = /\{ table: '(\w+)', owner: '(\w+)_id', most: (\d+), condition: (.+) \}/g;
  return [...migrations().matchAll(limit)].map(([, table, owner, most, condition]) => {
    const which = condition === 'OPEN' ? 'open ones' : condition.includes('IS NULL') ? 'its own' : 'all';
    return { owner, table, most: Number(most).toLocaleString('en'), which };
  });
}

/** Tables of which the oldest row of a user makes room for a new one. */
function rooms() {
  const room = /AFTER INSERT ON (\w+)\s+FOR EACH ROW EXECUTE FUNCTION make_room\('\w+', '(\d+)'\)/g;
  return [...migrations().matchAll(room)].map(([, table, most]) => ({ table, most }));
}

const cell = (text) => String(text).replaceAll('|', '\\|');
const table = (headings, rows) =>
  [headings, headings.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** The text of docs/limits.md, before prettier. */
exports.limitsDocument = () => {
  const constants = ['libs', 'apps', 'config'].flatMap(sourcesBelow).flatMap(limitsIn);
  return `# Limits

Printed from the sources by \`npm run docs:limits\`: change the constant, never this page. Times are in milliseconds where
the words do not say otherwise. What an operator can set is in the README.

## Amounts

Past one of these: 400 with \`reason\` \`LIMIT_REACHED\`, and nothing is stored. The database counts, under a lock of the
owner; what is there already stays.

${table(
  ['Owner', 'Table', 'Most', 'Which count'],
  amounts().map(({ owner, table: name, most, which }) => [owner, `\`${name}\``, most, which]),
)}

Of these the oldest makes room:

${table(
  ['Table', 'Most of a user'],
  rooms().map(({ table: name, most }) => [`\`${name}\``, most]),
)}

## Rates, sizes and times

${table(
  ['Limit', 'Value', 'What it is', 'File'],
  constants.map(({ name, value, words, file }) => [`\`${name}\``, `\`${value}\``, words, `\`${file}\``]),
)}
`;
};
