import { bulkheadsChapter } from './bulkheads-chapter';
import { customerLimitsChapter } from './customer-limits-chapter';
import type { BoundsOfService } from './described-service';

/** Runs a statement on a migrated database. */
type Query = <Row extends object>(text: string) => Promise<Row[]>;

/** A trigger that counts rows. PostgreSQL stores its arguments in one text, each followed by a null byte. */
const COUNTING_TRIGGERS = `
  SELECT DISTINCT c.relname AS table, p.proname AS function,
    string_to_array(encode(t.tgargs, 'escape'), '\\000') AS arguments
  FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_class c ON c.oid = t.tgrelid
  WHERE p.proname IN ('limit_rows', 'limit_grants_of_customer')
    OR p.proname LIKE 'make\\_room%' OR p.proname LIKE 'keep\\_newest%'
  ORDER BY 1, 3 DESC`;

interface CountingTrigger {
  readonly table: string;
  readonly function: string;
  readonly arguments: readonly string[];
}

/** Which rows count, by the condition of the limit. */
const COUNTED: Readonly<Record<string, string>> = {
  true: 'all',
  'deleted_at IS NULL': 'all',
  'user_id IS NULL': 'its own',
  is_written: 'written by users',
  'next_try_at IS NOT NULL': 'waiting',
  'expires_at > now()': 'not ended',
  '(expires_at IS NULL OR expires_at > now())': 'not ended',
  'accepted_at IS NULL AND deleted_at IS NULL AND expires_at > now()': 'open',
  'ended_at IS NULL AND expires_at > now()': 'open',
  'used_at IS NULL AND ended_at IS NULL AND expires_at > now()': 'open',
};

/** What the functions count whose only argument is the maximum. */
const OF_CUSTOMER: Readonly<Record<string, { readonly owner: string; readonly condition: string }>> = {
  limit_grants_of_customer: { owner: 'grantee, of one customer', condition: 'expires_at > now()' },
};

/** Whose newest row replaces the oldest one, by the function that deletes it. */
const OWNERS: Readonly<Record<string, string>> = {
  make_room: 'user',
  make_room_of_caller: 'user or service key',
  make_room_for_challenge: 'user',
  make_room_for_login: 'user, for logins by links and for others each; the one unused for longest goes',
  make_room_for_network: 'user, for logins by links and for others each',
  make_room_for_link: 'user; only links that undo nothing any more go',
  keep_newest_document_links: 'contact and document',
};

/** The words for something, which must have some. */
function wordsFor(what: string, words: Readonly<Record<string, string>>): string {
  const found = words[what];
  if (found === undefined) throw new Error(`tools/docs/limits-document.ts has no words for: ${what}`);
  return found;
}

const inDigits = (amount: string | undefined): string => Number(amount).toLocaleString('en');

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/**
 * The text of docs/limits.md, before prettier, from the triggers of a migrated database and the bounds of a
 * service.
 */
export async function limitsDocument(
  query: Query,
  { bulkheads, customerLimits }: BoundsOfService,
): Promise<string> {
  const triggers = await query<CountingTrigger>(COUNTING_TRIGGERS);
  const limits = triggers
    .filter((trigger) => trigger.function.startsWith('limit_'))
    .map(({ table, function: name, arguments: given }) => {
      const { owner, condition } = OF_CUSTOMER[name] ?? { owner: given[0] ?? '', condition: given[3] ?? '' };
      const most = name in OF_CUSTOMER ? given[0] : given[1];
      return row(owner.replace(/_id$/, ''), `\`${table}\``, inDigits(most), wordsFor(condition, COUNTED));
    });
  const rooms = triggers
    .filter((trigger) => !trigger.function.startsWith('limit_'))
    .map(({ table, function: name, arguments: given }) =>
      // The last text is empty: it stands behind the last null byte.
      row(`\`${table}\``, inDigits(given.at(-2)), wordsFor(name, OWNERS)),
    );
  return `# Amounts

\`npm run docs\` prints this page from a migrated database and a service. Rates, sizes and times are constants in the code that they limit.
[settings.md](settings.md) has the limits that an operator can set.

A request above one of these amounts gets 400 with \`reason\` \`LIMIT_REACHED\`, and nothing is stored. The database counts under a
lock on the owner. Existing rows stay. The amounts are chosen: they bound what one owner stores, and what a list of it costs.

${[row('Owner', 'Table', 'Maximum', 'Rows that count'), row('---', '---', '---', '---'), ...limits].join('\n')}

In these tables the newest row replaces the oldest:

${[row('Table', 'Maximum', 'Per'), row('---', '---', '---'), ...rooms].join('\n')}

${customerLimitsChapter(customerLimits)}
${bulkheadsChapter(bulkheads)}`;
}
