import type { SealedColumn } from '@app/lifecycle/sealed-columns';
import { TABLE_RULES } from '../extensions.module';

/** A sealed column of a table, which may not exist before the migrations. */
export interface StoredSealedColumn extends SealedColumn {
  readonly table: string;
}

/** Every column with encrypted values, in the order of the rules of their tables. */
export const SEALED_COLUMNS: readonly StoredSealedColumn[] = TABLE_RULES.flatMap(({ table, sealed = [] }) =>
  sealed.map((column) => ({ ...column, table })),
);

const valuesOf = ({ table, id, sealed, example }: StoredSealedColumn): string =>
  `SELECT '${example} ' || ${id} AS example, ${sealed} AS sealed FROM ${table} WHERE ${sealed} IS NOT NULL`;

/** FROM clause with every value of the columns as `sealed`, and its `example`. */
export const sealedValues = (columns: readonly StoredSealedColumn[] = SEALED_COLUMNS): string =>
  `(${columns.map(valuesOf).join(' UNION ALL ')})`;
