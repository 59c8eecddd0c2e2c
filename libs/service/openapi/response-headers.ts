import type { OpenAPIObject } from '@nestjs/swagger';
import { REPLAYED } from '@app/edge/idempotency/idempotency.types';

type HeaderComponents = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>;

export type ResponseHeaders = Readonly<Record<string, { readonly $ref: string }>>;

export const HEADER_COMPONENTS: HeaderComponents = {
  RequestId: {
    description: 'Id of the request, also in the log of the service: name it when you ask for help',
    required: true,
    schema: { type: 'string', example: '0b9d3c6e-5f0e-4c1c-9d52-5f2f6f0a7c11' },
  },
  RetryAfter: {
    description: 'Seconds to wait before the next try',
    required: true,
    schema: { type: 'integer', minimum: 1, example: 60 },
  },
  Challenge: {
    description: 'That `Authorization` should have a credential (RFC 6750)',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
  },
  Replayed: {
    description: 'The response is that to an earlier request with the same `Idempotency-Key`',
    schema: { type: 'string', enum: ['true'] },
  },
  NextPage: {
    description: 'Where the list goes on, relative to this address; absent on the last page',
    schema: {
      type: 'string',
      example: '</v1/organisations?limit=5&offset=5>; rel="next"',
    },
  },
  EntityTag: {
    description: 'Names what the response holds: `If-None-Match` takes it',
    required: true,
    schema: { type: 'string', example: '"9f86d081884c7d659a2feaa0c55"' },
  },
  RecordTag: {
    description: 'Names the state of the record: `If-None-Match` and `If-Match` take it',
    required: true,
    schema: { type: 'string', example: '"3"' },
  },
  Language: {
    description: 'The language of the names',
    required: true,
    schema: { type: 'string', enum: ['nl', 'en', 'fr'] },
  },
  Attachment: {
    description: 'That the file is to be saved, and under which name (RFC 6266)',
    required: true,
    schema: { type: 'string', example: 'attachment; filename="Invoice 2026-001.pdf"' },
  },
  Deprecated: {
    description: 'Since when the operation is deprecated (RFC 9745)',
    required: true,
    schema: { type: 'string', example: '@1704067200' },
  },
  Successor: {
    description: 'The path to use instead',
    required: true,
    schema: { type: 'string', example: '</v1/registerInvitation/%7Btoken%7D>; rel="successor-version"' },
  },
};

const header = (name: string, component: string): ResponseHeaders => ({
  [name]: { $ref: `#/components/headers/${component}` },
});

export const REQUEST_ID = header('X-Request-Id', 'RequestId');
export const RETRY_AFTER = header('Retry-After', 'RetryAfter');
export const CHALLENGE = header('WWW-Authenticate', 'Challenge');
export const REPLAY = header(REPLAYED, 'Replayed');
export const NEXT_PAGE = header('Link', 'NextPage');
export const ENTITY_TAG = header('ETag', 'EntityTag');
export const RECORD_TAG = header('ETag', 'RecordTag');
export const LANGUAGE = header('Content-Language', 'Language');
export const ATTACHMENT = header('Content-Disposition', 'Attachment');
export const DEPRECATION = { ...header('Deprecation', 'Deprecated'), ...header('Link', 'Successor') };
