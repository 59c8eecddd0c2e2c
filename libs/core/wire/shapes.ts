import type { Type } from '@nestjs/common';
import type { Page } from '../paging/page';

/** How one request body of the running variant is read. */
export interface RequestShape<RequestBody> {
  /** The DTO class: its field decorators validate and document the body. */
  readonly body: Type<object>;
  /** What null means: on creation the same as absent, on PUT and PATCH it clears a nullable field. */
  readonly nulls: 'absent' | 'clear';
  /** The wire names become the domain's own. Called with a valid instance of `body` only. */
  toInput(dto: object): RequestBody;
}

/** Every field of an input, also those that may be left out: to leave one out, a mapper says undefined. */
export type EveryField<Input> = { [Field in keyof Required<Input>]: Input[Field] };

/** How one response of the running variant is written, field by field. */
export interface ResponseShape<Value> {
  /** The documented class that the response follows. */
  readonly body: Type<object>;
  /** The rows of the response as csv, where csvFormOf cannot turn it into a table by itself. */
  readonly csv?: CsvTable<Value>;
  toResponse(value: Value): object;
}

/** The csv form of a response that is not simply its one list or its record. */
export interface CsvTable<Value> {
  /** The documented class of a row. */
  readonly row: Type<object>;
  /** Names the file. */
  readonly name: string;
  rowsOf(value: Value): Iterable<object> | AsyncIterable<object>;
}

/** How a list of the running variant is asked for and written. */
export interface ListShape<Item, Order extends string, Search extends string = never> extends ResponseShape<
  Page<Item>
> {
  /** Scalar wire fields of the list item that `orderBy` may name, with the domain's own name of each. */
  readonly orderBy: Readonly<Record<string, Order>>;
  /** Query parameters beside the conventions, each a search with the domain's own name; by substring but for those of `exact`. */
  readonly search: Readonly<Record<string, Search>>;
  /** What those of them say of themselves that match exactly. */
  readonly exact?: Readonly<Record<string, string>>;
}

/** A body whose null fields mean "absent" (creation); `toInput` must name every field of the input. */
export function createShape<Dto extends object, RequestBody extends object>(
  body: Type<Dto>,
  toInput: (dto: Dto) => RequestBody & EveryField<NoInfer<RequestBody>>,
): RequestShape<RequestBody> {
  return { body, nulls: 'absent', toInput: (dto) => toInput(dto as Dto) };
}

/** A body that changes what is present (PUT and PATCH); null clears a nullable field. As for the mapper, see above. */
export function updateShape<Dto extends object, RequestBody extends object>(
  body: Type<Dto>,
  toInput: (dto: Dto) => RequestBody & EveryField<NoInfer<RequestBody>>,
): RequestShape<RequestBody> {
  return { body, nulls: 'clear', toInput: (dto) => toInput(dto as Dto) };
}

/** A response; `toResponse` must return the documented class's fields, all of them and no others. */
export function responseShape<Value, Response extends object>(
  body: Type<Response>,
  toResponse: (value: Value) => Response,
): ResponseShape<Value> {
  return { body, toResponse };
}

/** The response of a list, with the parameters of its own. */
export function listShape<Item, Response extends object, Order extends string, Search extends string = never>(
  body: Type<Response>,
  parameters: Pick<ListShape<Item, Order, Search>, 'orderBy' | 'search' | 'exact'>,
  toResponse: (page: Page<Item>) => Response,
): ListShape<Item, Order, Search> {
  return { body, ...parameters, toResponse };
}
