import type { Type } from '@nestjs/common';
import { DefaultNamingStrategy, getMetadataArgsStorage, type Table } from 'typeorm';

const inSnakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * The names of columns, primary keys and foreign keys in the schema. An entity states only names that differ.
 */
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

/** The table of an entity, the column of each of its fields, and the fields that hold a text. */
export function schemaOf(entity: Type<object>): {
  table: string;
  columns: ReadonlyMap<string, string>;
  texts: ReadonlySet<string>;
} {
  const { tables, columns } = getMetadataArgsStorage();
  const table = tables.find(({ target }) => target === entity)?.name;
  if (table === undefined) throw new Error(`${entity.name} has no table`);
  const own = columns.filter(
    ({ target }) => target === entity || entity.prototype instanceof (target as Type),
  );
  return {
    table,
    columns: new Map(
      own.map(({ propertyName, options }) => [propertyName, options.name ?? inSnakeCase(propertyName)]),
    ),
    texts: new Set(
      own
        .filter(({ options }) => ['text', 'varchar'].includes(String(options.type)) && options.array !== true)
        .map(({ propertyName }) => propertyName),
    ),
  };
}
