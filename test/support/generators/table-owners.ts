import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const LIBS = join(__dirname, '../../../libs');

/** Keywords that the name of a table follows. */
const WRITTEN = /\b(?:INSERT INTO|DELETE FROM|UPDATE)\s+(?:ONLY\s+)?([a-z0-9_]+)\b/g;
const MENTIONED = /\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\s+(?:ONLY\s+)?([a-z0-9_]+)\b/g;
/** Writes by the class of an entity. */
const WRITTEN_BY_CLASS = /\b\w*[mM]anager\.(?:insert|update|delete|upsert|softDelete)\(\s*(\w+)/g;
const REPOSITORY = /@InjectRepository\((\w+)\)/g;
/** Tables that a call names. */
const NAMED_IN_CALL =
  /\b(?:userTable|organisationTable|userCredentials|organisationCredentials|(?:insert|retire)Key)\(\s*(?:manager,\s*)?'(\w+)'/g;

/** A file of the libs, tests and migrations left out. */
export interface SourceFile {
  /** Below `libs`. */
  readonly path: string;
  /** The folder of its domain, or the room of `libs` that has no domains. */
  readonly domain: string;
  readonly text: string;
}

/** Rooms with a folder for each domain (docs/architecture.md). */
const ROOMS_OF_DOMAINS: ReadonlySet<string> = new Set([
  'people',
  'sign-in',
  'feeds',
  'records',
  'rights',
  'edge',
]);

function domainOf(path: string): string {
  const [room = '', folder = ''] = path.split('/');
  return ROOMS_OF_DOMAINS.has(room) ? folder : room;
}

export const SOURCE_FILES: readonly SourceFile[] = readdirSync(LIBS, { recursive: true, encoding: 'utf8' })
  .map((path) => relative(LIBS, join(LIBS, path)))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.startsWith('migrations/'))
  .map((path) => ({ path, domain: domainOf(path), text: readFileSync(join(LIBS, path), 'utf8') }));

/** The table of each entity class, and the domain whose folder holds the class. */
export const ENTITIES: ReadonlyMap<string, { readonly table: string; readonly domain: string }> = new Map(
  SOURCE_FILES.flatMap(({ domain, text }) =>
    [...text.matchAll(/^@Entity\('(\w+)'[^]*?^export class (\w+)/gm)].map(
      ([, table = '', name = '']) => [name, { table, domain }] as const,
    ),
  ),
);

const tablesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, table]) => table ?? '');

/** Tables that a file writes, with SQL or through an entity. */
export const tablesWrittenBy = ({ text }: SourceFile): string[] => [
  ...tablesIn(text, WRITTEN),
  ...tablesIn(text, NAMED_IN_CALL),
  ...[...tablesIn(text, WRITTEN_BY_CLASS), ...tablesIn(text, REPOSITORY)].flatMap((name) => {
    const table = ENTITIES.get(name)?.table;
    return table === undefined ? [] : [table];
  }),
];

/** Tables that a file names in SQL. */
export const tablesMentionedBy = ({ text }: SourceFile): string[] => tablesIn(text, MENTIONED);

/** Tables whose rules (`TableRules`) a file declares. */
export const tablesRuledBy = ({ text }: SourceFile): string[] =>
  text.includes("from '@app/lifecycle/table-rules';")
    ? tablesIn(
        text,
        /(?:\b(?:userTable|organisationTable|userCredentials|organisationCredentials)\(\s*|\btable: )'(\w+)'/g,
      )
    : [];
