import { setImmediate } from 'node:timers/promises';
import { StreamableFile } from '@nestjs/common';
import type { Request } from 'express';
import { type Class, describedFields } from '../dto/described-fields';
import { nestedClass, responseFields, type ResponseShape } from '../dto/shapes';
import { type FieldError, fieldError } from '../errors/api-error';
import { csvStream } from './csv-rows';
import type { Page } from './paginator';

/**
 * The value of a handler as csv, with the rows of the JSON response, from the same shape. It is an
 * attachment, so that no browser shows it as a page.
 */
export function csvResponse(shape: ResponseShape<unknown>, value: unknown): StreamableFile {
  const rest = isPage(value) ? value.rest : undefined;
  const { name, columns, rows } = tableOrClose(shape, value);
  const stream = csvStream(rows, columns, rest?.pace);
  // If a stream ends before its first read, the generator does not end by itself.
  if (rest !== undefined) stream.once('close', () => void rest.close());
  return new StreamableFile(stream, {
    type: 'text/csv; charset=utf-8; header=present',
    disposition: `attachment; filename="${name}.csv"`,
  });
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: Iterable<object> | AsyncIterable<object>;
}

function tableOrClose(shape: ResponseShape<unknown>, value: unknown): Table {
  try {
    return tableOf(shape, value);
  } catch (error) {
    if (isPage(value)) void value.rest?.close();
    throw error;
  }
}

function tableOf(shape: ResponseShape<unknown>, value: unknown): Table {
  if (shape.csv !== undefined) {
    const { name, row } = shape.csv;
    return { name, columns: csvColumnsOf(row), rows: shape.csv.rowsOf(value) };
  }
  const form = csvFormOf(shape.body);
  // Reads the first rows before the response begins, so that an error gets its own response.
  const first = form.rowsOf(shape.toResponse(value));
  const isHidden = form.isList ? hidesRestricted(value) : absentFrom(first[0]);
  const table = { name: form.name, columns: csvColumnsOf(form.row, isHidden) };
  if (!isPage(value) || value.rest === undefined) return { ...table, rows: first };
  const rowsOf = (items: readonly unknown[]) => form.rowsOf(shape.toResponse({ ...value, items }));
  return { ...table, rows: allRows(first, value.rest, rowsOf) };
}

/** Tells which restricted fields of a class have no column. */
type IsHidden = (field: string, path: readonly string[]) => boolean;

/**
 * The header of a list depends on its reader, never on its rows: an empty list and a long one have the same.
 */
const hidesRestricted = (value: unknown): IsHidden =>
  isPage(value) && value.isReduced === true ? (_field, path) => path.length === 0 : () => false;

/** A single record has the columns of its JSON. */
const absentFrom =
  (record: object | undefined): IsHidden =>
  (field, path) => {
    const holder = path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), record);
    return isObject(holder) && !Array.isArray(holder) && !Object.hasOwn(holder, field);
  };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

async function* allRows(
  first: readonly object[],
  rest: AsyncIterable<readonly unknown[]>,
  rowsOf: (items: readonly unknown[]) => readonly object[],
): AsyncGenerator<object> {
  yield* first;
  for await (const items of rest) {
    // The batch was parsed in this turn; one row may be of two megabytes.
    await setImmediate();
    yield* rowsOf(items);
  }
}

export const isPage = (value: unknown): value is Page<unknown> =>
  typeof value === 'object' && value !== null && 'items' in value;

const GIVEN_TWICE = fieldError('GIVEN_TWICE', 'This parameter should be given once.');
const NO_FORMAT = fieldError('NOT_A_CHOICE', 'This value should be one of csv, json.');

/** The error of the parameter `format`. Absent and empty it has none. */
export function formatFault({ format }: { readonly format?: unknown }): FieldError | undefined {
  if (format === undefined || format === '') return undefined;
  if (typeof format !== 'string') return GIVEN_TWICE;
  return /^(?:csv|json)$/i.test(format) ? undefined : NO_FORMAT;
}

/** A parameter of a range of `Accept`, other than its weight. A quoted value may contain commas. */
const PARAMETER = /;(?!\s*q\s*=)(?:[^,;"]|"[^"]*")*/gi;

/**
 * Whether a request wants csv instead of JSON: `?format=csv`, or an `Accept` header that prefers `text/csv`.
 * `?format=json` overrides the header, and JSON is the default.
 */
export function asksForCsv(request: Pick<Request, 'method' | 'query' | 'headers' | 'accepts'>): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const { format } = request.query;
  if (typeof format === 'string' && format !== '') return format.toLowerCase() === 'csv';
  const { accept } = request.headers;
  if (accept === undefined || !accept.toLowerCase().includes('text/csv')) return false;
  // Express matches a range with parameters only to a type with the same ones. Clients send
  // `text/csv; charset=utf-8`.
  const headers = { ...request.headers, accept: accept.replaceAll(PARAMETER, '') };
  const plain = Object.create(request, { headers: { value: headers } }) as typeof request;
  return plain.accepts(['json', 'text/csv']) === 'text/csv';
}

/**
 * The csv columns of a response class, in the order of its fields: one for each scalar, list of scalars
 * and free-form object, and dotted ones for the fields of nested classes (`owner.id`, and
 * `members.email` for a list of members).
 */
export function csvColumnsOf(shape: Class, isHidden: IsHidden = () => false): string[] {
  const columns = columnsBelow(shape, [], isHidden, []);
  if (columns.length === 0) throw new Error(`${shape.name} shows no field, so it has no csv columns`);
  return columns;
}

function columnsBelow(
  shape: Class,
  ancestors: readonly Class[],
  isHidden: IsHidden,
  path: readonly string[],
): string[] {
  if (ancestors.includes(shape)) throw new Error(`${shape.name} contains itself, so it has no csv columns`);
  return [...describedFields(shape)].flatMap(([field, { required = true }]) => {
    if (!required && isHidden(field, path)) return [];
    const nested = nestedClass(shape, field).type;
    const below =
      nested === undefined ? [] : columnsBelow(nested, [...ancestors, shape], isHidden, [...path, field]);
    return below.length === 0 ? [field] : below.map((column) => `${field}.${column}`);
  });
}

/** How a response looks as a table. */
interface CsvForm {
  /** The name of the file. */
  readonly name: string;
  /** The class of a row. */
  readonly row: Class;
  readonly isList: boolean;
  /** The rows of a response body. */
  rowsOf(body: object): readonly object[];
}

/**
 * The table of a response class: the items of its only list (without its `total`), its record if it contains
 * nothing else, or otherwise the response itself as one row.
 */
function csvFormOf(response: Class): CsvForm {
  const fields = responseFields(response).map((field) => ({ field, ...nestedClass(response, field) }));
  const records = fields.filter(({ type }) => type !== undefined && responseFields(type).length > 0);
  const lists = records.filter(({ isList }) => isList);
  const [rows] = lists.length === 1 ? lists : fields.length === 1 ? records : [];
  if (rows?.type === undefined) {
    return { name: 'answer', row: response, isList: false, rowsOf: (body) => [body] };
  }
  const { field, type, isList } = rows;
  return {
    name: field,
    row: type,
    isList,
    rowsOf: (body) => [(body as Record<string, object | object[]>)[field] ?? (isList ? [] : {})].flat(),
  };
}
