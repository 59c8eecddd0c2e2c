import type { OpenAPIObject } from 'openapi3-ts/oas31';
import { REPLAYED } from '@app/edge/idempotency/idempotency.types';

type Header = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>[string];

const header = (name: string, described: Header) => ({ name, described });

/** By the names under which responses refer to them. */
const HEADERS = {
  RequestId: header('X-Request-Id', {
    description: 'Id of the request, also in the log of the service: name it when you ask for help',
    required: true,
    schema: { type: 'string', example: '0b9d3c6e-5f0e-4c1c-9d52-5f2f6f0a7c11' },
  }),
  RetryAfter: header('Retry-After', {
    description: 'Seconds to wait before the next try',
    required: true,
    schema: { type: 'integer', minimum: 1, example: 60 },
  }),
  Challenge: header('WWW-Authenticate', {
    description: 'That `Authorization` should have a credential (RFC 6750)',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
  }),
  Replayed: header(REPLAYED, {
    description: 'The response is that to an earlier request with the same `Idempotency-Key`',
    schema: { type: 'string', enum: ['true'] },
  }),
  NextPage: header('Link', {
    description: 'Where the list goes on, relative to this address; absent on the last page',
    schema: {
      type: 'string',
      example: '</v1/organisations?limit=5&offset=5>; rel="next"',
    },
  }),
  EntityTag: header('ETag', {
    description: 'Names what the response holds: `If-None-Match` takes it',
    required: true,
    schema: { type: 'string', example: '"9f86d081884c7d659a2feaa0c55"' },
  }),
  RecordTag: header('ETag', {
    description: 'Names the state of the record: `If-None-Match` and `If-Match` take it',
    required: true,
    schema: { type: 'string', example: '"3"' },
  }),
  Language: header('Content-Language', {
    description: 'The language of the names',
    required: true,
    schema: { type: 'string', enum: ['nl', 'en', 'fr'] },
  }),
  Attachment: header('Content-Disposition', {
    description: 'That the file is to be saved, and under which name (RFC 6266)',
    required: true,
    schema: { type: 'string', example: 'attachment; filename="Invoice 2026-001.pdf"' },
  }),
  Deprecated: header('Deprecation', {
    description: 'Since when the operation is deprecated (RFC 9745)',
    required: true,
    schema: { type: 'string', example: '@1704067200' },
  }),
  Successor: header('Link', {
    description: 'The path to use instead',
    required: true,
    schema: { type: 'string', example: '</v1/registerInvitation/%7Btoken%7D>; rel="successor-version"' },
  }),
};

export type HeaderName = keyof typeof HEADERS;

export const HEADER_COMPONENTS = Object.fromEntries(
  Object.entries(HEADERS).map(([component, { described }]) => [component, described]),
);

export const headersOf = (components: readonly (HeaderName | false)[]): Record<string, { $ref: string }> =>
  Object.fromEntries(
    components.flatMap((component) =>
      component ? [[HEADERS[component].name, { $ref: `#/components/headers/${component}` }]] : [],
    ),
  );
