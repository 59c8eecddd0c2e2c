import { type AuditedTable, inUnixSeconds } from '@app/lifecycle/audited-table';
import type { TableRules } from '@app/lifecycle/table-rules';
import type { AuditedColumns } from './audit-entry.entity';

const camelCase = (column: string): string =>
  column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The name of a column in the API: `dtCreated` of `created_at`, `autoRoles` of `auto_roles`. */
const nameIn = (column: string): string => camelCase(column.replace(/^(\w+)_at$/, 'dt_$1'));

const columnsIn = (text = ''): readonly string[] => (text === '' ? [] : text.split(' '));

interface NamedColumns {
  /** The names in the API of the columns that managers see, and of those that admins see. */
  readonly managers: ReadonlyMap<string, string>;
  readonly admins: ReadonlyMap<string, string>;
}

function namedColumns({ shown, adminOnly, names = {} }: AuditedTable): NamedColumns {
  const namesOf = (columns: readonly string[]): ReadonlyMap<string, string> =>
    new Map(columns.map((column) => [column, names[column] ?? nameIn(column)]));
  return {
    managers: namesOf(columnsIn(shown)),
    admins: namesOf([...columnsIn(shown), ...columnsIn(adminOnly)]),
  };
}

/** How customers see changes of each table, as the rules of the tables declare it. */
export class AuditKinds {
  readonly tables: ReadonlyMap<string, AuditedTable>;
  private readonly columns: ReadonlyMap<string, NamedColumns>;

  constructor(rules: readonly TableRules[]) {
    this.tables = new Map(
      rules.flatMap(({ table, audited }) => (audited === undefined ? [] : [[table, audited] as const])),
    );
    this.columns = new Map([...this.tables].map(([table, audited]) => [table, namedColumns(audited)]));
  }

  /** The kind of a table; an unlisted table keeps its own name. */
  kindOf(table: string): string {
    return this.tables.get(table)?.kind ?? camelCase(table);
  }

  /** The tables whose kind passes a test. */
  tablesOf(passes: (kind: string) => boolean): string[] {
    return [...this.tables].flatMap(([table, { kind }]) => (passes(kind) ? [table] : []));
  }

  /** The columns that a reader may see, by their names in the API and as it writes their values. */
  fieldsShown(
    table: string,
    columns: AuditedColumns | null,
    readByAdmin: boolean,
  ): Readonly<Record<string, unknown>> | null {
    if (columns === null) return null;
    const known = this.columns.get(table);
    const names = readByAdmin ? known?.admins : known?.managers;
    return Object.fromEntries(
      Object.entries(columns).flatMap(([column, value]) => {
        const name = names?.get(column);
        return name === undefined ? [] : [[name, this.shownValue(table, column, value)]];
      }),
    );
  }

  private shownValue(table: string, column: string, value: unknown): unknown {
    const shown = this.tables.get(table)?.values?.[column];
    if (shown !== undefined) return shown(value);
    return column.endsWith('_at') ? inUnixSeconds(value) : value;
  }

  /** The API names of the columns that managers may see. */
  namesShown(table: string, columns: readonly string[]): string[] {
    return columns.flatMap((column) => this.columns.get(table)?.managers.get(column) ?? []);
  }
}
