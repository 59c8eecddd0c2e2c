import type { Type } from '@nestjs/common';
import { documentedFields } from '../csv/csv-columns';
import type { ColumnTable } from '../paging/column-table';

/** The fields that hold one text, number or boolean. */
type ScalarOf<Item> = {
  [Field in keyof Item]-?: NonNullable<Item[Field]> extends string | number | boolean ? Field : never;
}[keyof Item] &
  string;

/** For a scalar field whose name is no order of the list: the order it stands for. */
type Renames<Item, Order extends string> = Readonly<Record<Exclude<ScalarOf<Item>, Order>, Order>> &
  Readonly<Partial<Record<ScalarOf<Item>, Order>>>;

interface Placing<Item> {
  /** Fields that errors and documents list after another one than in the item. */
  readonly after?: Readonly<Partial<Record<ScalarOf<Item>, ScalarOf<Item>>>>;
}

/**
 * What `orderBy` may name, with what it orders by: the fields that the list's items document, in their order, as far as
 * they stand for an order of the list. The compiler asks for the order of each scalar field that is none by its own
 * name, so that none can be forgotten.
 */
export function orderBy<Row extends object, Order extends string, Item extends object>(
  columns: ColumnTable<Row, Order>,
  item: Type<Item>,
  renames: Renames<Item, Order>,
  { after }: Placing<Item> = {},
): Readonly<Record<string, Order>> {
  const stated: Readonly<Partial<Record<string, string>>> = renames;
  const fields = documentedFields(item);
  for (const [field, previous] of Object.entries<string | undefined>(after ?? {})) {
    fields.splice(fields.indexOf(field), 1);
    fields.splice(fields.indexOf(previous ?? '') + 1, 0, field);
  }
  const orders: Record<string, Order> = {};
  for (const field of fields) {
    const order = stated[field] ?? field;
    if (columns.isOrder(order)) orders[field] = order;
  }
  return orders;
}
