import { StreamableFile } from '@nestjs/common';
import { csvColumnsOf } from '../csv/csv-columns';
import { csvFormOf, type CsvForm } from '../csv/csv-form';
import { csvStream } from '../csv/csv-rows';
import { longListsIn, longListsMade } from '../lists/long-list';
import type { Page, RestOfPage } from '../paging/page';
import { markReadsOn } from './long-responses';
import type { ResponseShape } from './shapes';

const forms = new WeakMap<ResponseShape<unknown>, CsvForm>();

/**
 * What a handler gives as csv: the rows are what the JSON answer holds, written by the same shape. A file to be
 * saved, so that no browser ever shows it as a page.
 */
export function csvResponse(shape: ResponseShape<unknown>, value: unknown): StreamableFile {
  const rest = isPage(value) ? value.rest : undefined;
  const { name, columns, rows, isLong } = orClose(rest, () => tableOf(shape, value));
  const stream = csvStream(rows, columns);
  // A stream that ends before its first row has been asked for never comes to the end of its rows.
  if (rest !== undefined) stream.once('close', () => void rest.close());
  const file = new StreamableFile(stream, {
    type: 'text/csv; charset=utf-8; header=present',
    disposition: `attachment; filename="${name}.csv"`,
  });
  if (isLong) markReadsOn(file);
  return file.setErrorHandler((error, response) => {
    // Ending the answer in the usual way would make a cut list look whole.
    file.errorLogger(error);
    response.destroy?.();
  });
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: Iterable<object> | AsyncIterable<object>;
  /** Whether one of the first rows has a list that is not held. */
  readonly isLong: boolean;
}

function tableOf(shape: ResponseShape<unknown>, value: unknown): Table {
  if (shape.csv !== undefined) {
    const { name, row } = shape.csv;
    return { name, columns: csvColumnsOf(row), rows: shape.csv.rowsOf(value), isLong: false };
  }
  const form = formOf(shape);
  // Before the answer begins, so that what goes wrong here is still answered as an error.
  const longBefore = longListsMade();
  const first = form.rowsOf(shape.toResponse(value));
  const isLong = longListsMade() > longBefore && longListsIn(first).length > 0;
  return {
    ...form,
    isLong,
    rows: isPage(value) && value.rest !== undefined ? allRows(first, value, shape) : first,
  };
}

function orClose<Result>(rest: RestOfPage<unknown> | undefined, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    void rest?.close();
    throw error;
  }
}

function formOf(shape: ResponseShape<unknown>): CsvForm {
  const known = forms.get(shape);
  if (known !== undefined) return known;
  const form = csvFormOf(shape.body);
  forms.set(shape, form);
  return form;
}

async function* allRows(
  first: readonly object[],
  page: Page<unknown>,
  shape: ResponseShape<unknown>,
): AsyncGenerator<object> {
  yield* first;
  for await (const items of page.rest ?? []) {
    yield* formOf(shape).rowsOf(shape.toResponse({ ...page, items }));
  }
}

export const isPage = (value: unknown): value is Page<unknown> =>
  typeof value === 'object' && value !== null && 'items' in value;
