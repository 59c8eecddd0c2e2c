import type { EncryptedColumn } from '@app/lifecycle/encrypted-columns';
import { TABLE_RULES } from '../extensions.module';

/** A encrypted column of a table, which may not exist before the migrations. */
export interface StoredEncryptedColumn extends EncryptedColumn {
  readonly table: string;
}

/** Every column with encrypted values, in the order of the rules of their tables. */
export const ENCRYPTED_COLUMNS: readonly StoredEncryptedColumn[] = TABLE_RULES.flatMap(
  ({ table, encrypted = [] }) => encrypted.map((column) => ({ ...column, table })),
);

const valuesOf = ({ table, id, encrypted, example }: StoredEncryptedColumn): string =>
  `SELECT '${example} ' || ${id} AS example, ${encrypted} AS encrypted FROM ${table} WHERE ${encrypted} IS NOT NULL`;

/** FROM clause with every value of the columns as `encrypted`, and its `example`. */
export const encryptedValues = (columns: readonly StoredEncryptedColumn[] = ENCRYPTED_COLUMNS): string =>
  `(${columns.map(valuesOf).join(' UNION ALL ')})`;
