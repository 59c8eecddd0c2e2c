import { csvColumnsOf, documentedFields, nestedClass, type Class } from './csv-columns';

/** How an answer looks as a table. */
export interface CsvForm {
  /** Names the file. */
  readonly name: string;
  /** Dotted paths into a row. */
  readonly columns: readonly string[];
  /** The rows of a reply that follows the documented class. */
  rowsOf(reply: object): readonly object[];
}

/**
 * The table that a documented answer class is: the items of its one list (`total` beside it is left out), the
 * record where it holds nothing else, or else the answer itself as one row.
 */
export function csvFormOf(answer: Class): CsvForm {
  const fields = documentedFields(answer).map((field) => ({ field, ...nestedClass(answer, field) }));
  const [list, ...moreLists] = fields.filter(({ type, isList }) => isList && isRecord(type));
  if (list?.type !== undefined && moreLists.length === 0) {
    const { field, type } = list;
    return {
      name: field,
      columns: csvColumnsOf(type),
      rowsOf: (reply) => (reply as Record<string, object[]>)[field] ?? [],
    };
  }
  const [only] = fields;
  if (only?.type !== undefined && fields.length === 1 && isRecord(only.type)) {
    const { field, type } = only;
    return {
      name: field,
      columns: csvColumnsOf(type),
      rowsOf: (reply) => [(reply as Record<string, object>)[field] ?? {}],
    };
  }
  return { name: 'answer', columns: csvColumnsOf(answer), rowsOf: (reply) => [reply] };
}

const isRecord = (type: Class | undefined): boolean =>
  type !== undefined && documentedFields(type).length > 0;
