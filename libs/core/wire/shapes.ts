import type { Type } from '@nestjs/common';
import type { Page } from '../paging/page';

/** How one request body of the running variant is read. */
export interface RequestShape<Input> {
  /** The DTO class: its field decorators validate and document the body. */
  readonly body: Type<object>;
  /** What null means: on creation the same as absent, on PUT and PATCH it clears a nullable field. */
  readonly nulls: 'absent' | 'clear';
  /** The wire names become the domain's own. Called with a valid instance of `body` only. */
  toInput(dto: object): Input;
}

/** How one answer of the running variant is written, field by field. */
export interface ReplyShape<Value> {
  /** The documented class that the answer follows. */
  readonly body: Type<object>;
  /** The rows of the answer as csv, for one that csvFormOf can not turn into a table by itself. */
  readonly csv?: CsvTable<Value>;
  toReply(value: Value): object;
}

/** The csv form of an answer that is not simply its one list or its record. */
export interface CsvTable<Value> {
  /** The documented class of a row. */
  readonly row: Type<object>;
  /** Names the file. */
  readonly name: string;
  rowsOf(value: Value): Iterable<object> | AsyncIterable<object>;
}

/** How a list of the running variant is asked for and written. */
export interface ListShape<Item, Order extends string, Search extends string = never> extends ReplyShape<
  Page<Item>
> {
  /** Scalar wire fields of the list item that `orderBy` may name, with the domain's own name of each. */
  readonly orderBy: Readonly<Record<string, Order>>;
  /** Query parameters beside the conventions, each a substring search, with the domain's own name of each. */
  readonly search: Readonly<Record<string, Search>>;
  /** Whether `tag` is a parameter of the list (Variant A). */
  readonly tag: boolean;
}

/** A body whose null fields mean "absent" (creation). */
export function creationShape<Dto extends object, Input>(
  body: Type<Dto>,
  toInput: (dto: Dto) => Input,
): RequestShape<Input> {
  return { body, nulls: 'absent', toInput: (dto) => toInput(dto as Dto) };
}

/** A body that changes what is present (PUT and PATCH); null clears a nullable field. */
export function changeShape<Dto extends object, Input>(
  body: Type<Dto>,
  toInput: (dto: Dto) => Input,
): RequestShape<Input> {
  return { body, nulls: 'clear', toInput: (dto) => toInput(dto as Dto) };
}

/** An answer; `toReply` must return the documented class's fields, all of them and no others. */
export function replyShape<Value, Reply extends object>(
  body: Type<Reply>,
  toReply: (value: Value) => Reply,
): ReplyShape<Value> {
  return { body, toReply };
}

/** A list answer with its conventions. */
export function listShape<Item, Reply extends object, Order extends string, Search extends string = never>(
  body: Type<Reply>,
  conventions: Pick<ListShape<Item, Order, Search>, 'orderBy' | 'search' | 'tag'>,
  toReply: (page: Page<Item>) => Reply,
): ListShape<Item, Order, Search> {
  return { body, ...conventions, toReply };
}
