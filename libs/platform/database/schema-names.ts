import { DefaultNamingStrategy, type Table } from 'typeorm';

const inSnakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The names of columns, primary keys and foreign keys in the schema; an entity states only those that differ. */
export class SchemaNames extends DefaultNamingStrategy {
  override columnName(property: string, stated: string | undefined): string {
    return stated ?? inSnakeCase(property);
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, [column = '']: readonly string[]): string {
    return `${this.getTableName(table)}_${column.replace(/_id$/, '')}_exists`;
  }
}
