import type { ParameterObject, ReferenceObject, SchemaObject } from 'openapi3-ts/oas31';
import { IDEMPOTENCY_KEY, MAX_KEY_LENGTH } from '@app/edge/idempotency/idempotency.types';
import type { QueryText } from '@app/platform/dto/route-declaration';
import type { ListConventions, ListShape } from '@app/platform/lists/list-request';
import type { DescribedRoute } from './described-route';
import type { SharedParts } from './shared-parts';

/**
 * The parameters of an operation. Parameters that differ from list to list, and parameters of
 * `@Query`, are not shared.
 */
export function parametersOf(
  route: DescribedRoute,
  conventions: ListConventions,
  shared: SharedParts,
): (ParameterObject | ReferenceObject)[] {
  const { list, query } = route;
  const own = new Set(['orderBy', ...Object.keys(list?.search ?? {}), ...query.map(({ name }) => name)]);
  return [
    ...pathParameters(route),
    ...(list === undefined ? [] : listParameters(list, conventions)),
    ...query.map(textParameter),
    ...(takesFormat(route) ? [FORMAT_PARAMETER] : []),
    ...conditionParameters(route),
    ...(route.isRepeatable ? [KEY_PARAMETER] : []),
  ].map((one) => (own.has(one.name) ? one : shared.refer('parameters', one.name, one)));
}

export const takesFormat = ({ method, response }: DescribedRoute): boolean =>
  method === 'GET' && response !== undefined;

/** Descriptions of path parameters that are not in `@PathRecords`. */
const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  organisationId: 'Identifier of the organisation',
  userId: 'Identifier of the user, who must belong to the organisation',
  token: 'The token of the mail',
  entityId: 'Identifier of the entity, unique in its kind',
  objectId: 'Identifier of the app, domain, mail group or system',
  documentId: 'Identifier of the document, which billing chose; unique over the whole service',
  id: 'Identifier of the document',
  contactId: 'Identifier of the contact',
  hash: 'The hash of the link, 64 hexadecimal digits, which stands for the credential',
};

/** Parameters that are not identifiers. */
const TEXTS: ReadonlySet<string> = new Set(['token', 'hash']);

const pathParameters = ({ path, guarded }: DescribedRoute): ParameterObject[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[name] ?? describedRecord(guarded, name),
    schema: TEXTS.has(name) ? { type: 'string' } : { type: 'integer', minimum: 1 },
  }));

function describedRecord(guarded: DescribedRoute['guarded'], name: string): string {
  const record = guarded?.address.records.find(({ parameter }) => parameter === name);
  if (record === undefined) throw new Error(`No words for the path parameter ${name}`);
  // `Contact` becomes `contact`; `API key` does not change.
  const words = record.words ?? record.name.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  return `Identifier of the ${words}`;
}

const parameter = (name: string, description: string, schema: SchemaObject): ParameterObject => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});

const FORMAT_PARAMETER = parameter(
  'format',
  'With csv, or with the header `Accept: text/csv`, the response is `text/csv`: a row of field names, then a row for each ' +
    'item. The schema below describes JSON. In any case; another value is 400',
  { type: 'string', enum: ['json', 'csv'], default: 'json' },
);

const textParameter = ({ name, description, maxLength, example, schema }: QueryText<unknown>) =>
  parameter(
    name,
    description,
    (schema as SchemaObject | undefined) ?? { type: 'string', maxLength, example },
  );

const headerParameter = (name: string, description: string, schema: SchemaObject): ParameterObject => ({
  ...parameter(name, description, schema),
  in: 'header',
});

const ACCEPT_LANGUAGE = headerParameter(
  'Accept-Language',
  'Of nl, en and fr the one that is liked best; en where none is',
  { type: 'string', example: 'nl-BE, fr;q=0.8' },
);

const IF_NONE_MATCH = headerParameter(
  'If-None-Match',
  'The `ETag` of the response that the client has: 304 where that still holds',
  { type: 'string' },
);

const IF_MATCH = headerParameter(
  'If-Match',
  'The `ETag` of the record as the client has read it, or several, or `*`: 412 where the record is in another state',
  { type: 'string', example: '"3"' },
);

/** The headers for reading a record with an entity tag, or for changing it. */
function conditionParameters({ etag, isVersioned, method }: DescribedRoute): ParameterObject[] {
  if (etag !== undefined) return [...(etag.isTranslated ? [ACCEPT_LANGUAGE] : []), IF_NONE_MATCH];
  if (!isVersioned) return [];
  return [method === 'GET' ? IF_NONE_MATCH : IF_MATCH];
}

/** The header of a request that can be repeated. */
const KEY_PARAMETER = headerParameter(
  IDEMPOTENCY_KEY,
  'Any text that no other request of yours has had for 24 hours, such as a random UUID: the same request with the same key is ' +
    'done once, and gets the same response again',
  { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH, pattern: '^[!-~]+$' },
);

function listParameters(list: ListShape<never, string, string>, { tag }: ListConventions): ParameterObject[] {
  return [
    parameter(
      'limit',
      'Most items of the page; 0 means as many as allowed. A page ends after about 2 MB whatever it says: ' +
        '`Link: rel="next"` leads on. csv without a limit, or with 0, has all rows',
      { type: 'integer', minimum: 0, default: 5 },
    ),
    parameter('offset', 'Items before the page', { type: 'integer', minimum: 0, default: 0 }),
    parameter('orderBy', 'Field that orders the list; ties are broken by id', {
      type: 'string',
      enum: Object.keys(list.orderBy),
      default: 'id',
    }),
    parameter('orderType', 'Direction of the order, in any case', {
      type: 'string',
      enum: ['ASC', 'DESC'],
      default: 'ASC',
    }),
    parameter('filter', "Substring of the items' own texts, without regard to case, accents and blanks", {
      type: 'string',
    }),
    ...(tag
      ? [parameter('tag', 'Accepted; nothing carries tags, so that one selects nothing', { type: 'string' })]
      : []),
    ...Object.keys(list.search).map((name) =>
      parameter(
        name,
        list.exact?.[name] ?? `Substring of ${name}, without regard to case, accents and blanks`,
        {
          type: 'string',
        },
      ),
    ),
  ];
}
