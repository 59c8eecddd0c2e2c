import { ApiProperty, ApiPropertyOptional, getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import {
  AccessDenied,
  ApiError,
  fieldError,
  NotFound,
  OutcomeUnknown,
  RoleRequired,
  TemporarilyUnavailable,
  TooManyRequests,
  Unauthorised,
  ValidationFailed,
} from '@app/platform/errors/api-error';
import { ChangedMeanwhile } from '@app/platform/context/addressed-version';
import { malformedIfMatch } from '@app/platform/context/entity-tags';
import { KeyInUse, KeyReused, malformedKey } from '@app/edge/idempotency/idempotency.types';
import { fileRefusals, megabytes } from '@app/platform/dto/files';
import { notJsonNorForm } from '@app/platform/dto/form-body';
import { bodyTooLarge, notJson } from '@app/platform/dto/json-body';
import { errorBody } from '@app/platform/http/error-response';
import type { GuardedRoute } from '@app/security/access/route-table';
import { ANSWER_REASONS, FIELD_ERROR_REASONS } from '../reasons';
import type { DescribedRoute } from './describe-operation';
import { CHALLENGE, REQUEST_ID, type ResponseHeaders, RETRY_AFTER } from './response-headers';

type Responses = NonNullable<OpenAPIObject['paths'][string]['get']>['responses'];

/** Examples of errors by name. Many operations share them, so the document contains each once. */
export type ErrorExamples = NonNullable<NonNullable<OpenAPIObject['components']>['examples']>;

/** The reason for errors with the same status on a route. */
type Refusal = readonly [words: string, ...errors: ApiError[]];

/** Placeholder request id for examples. */
const SOME_REQUEST_ID = '0b9d3c6e-5f0e-4c1c-9d52-5f2f6f0a7c11';

const REQUIRED_NAME = ValidationFailed.on('name', fieldError('REQUIRED', 'This value should not be blank.'));
const INTERNAL_ERROR = new ApiError(500, 'INTERNAL_ERROR', 'Internal error');

/** Areas that are not part of the service respond only with 501. */
export const isElsewhere = ({ refusals }: Pick<DescribedRoute, 'refusals'>): boolean =>
  refusals.some(({ status }) => status === 501);

/** All responses of a route except success. Adds their examples. */
export function refusingResponses(
  route: DescribedRoute,
  ofRoute: ResponseHeaders,
  examples: ErrorExamples,
): Responses {
  const refusals = new Map<number, Refusal>();
  for (const refusal of commonRefusals(route)) if (refusal) refusals.set(refusal[1]?.status ?? 0, refusal);
  // Errors of `@Refuses` come first, because clients see them most.
  for (const status of new Set(route.refusals.map((error) => error.status))) {
    const own = route.refusals.filter((error) => error.status === status);
    const words = own.map(({ message }) => `\`${message}\``).join(', ');
    const [common, ...others] = refusals.get(status) ?? [];
    refusals.set(status, [common === undefined ? words : `${words}. ${common}`, ...own, ...others]);
  }
  return Object.fromEntries(
    [...refusals].map(([status, [description, ...errors]]) => {
      for (const error of errors) {
        examples[nameOf(error)] = { summary: error.message, value: errorBody(error, SOME_REQUEST_ID) };
      }
      const shared = errors.map(nameOf).map((name) => [name, { $ref: `#/components/examples/${name}` }]);
      const json = {
        schema: { $ref: getSchemaPath(ErrorResponse) },
        examples: Object.fromEntries(shared) as object,
      };
      const headers = {
        ...ofRoute,
        ...REQUEST_ID,
        ...(errors.some((error) => 'Retry-After' in error.headers) && RETRY_AFTER),
        ...(status === 401 && route.asksForCredential && CHALLENGE),
      };
      return [String(status), { description, headers, content: { 'application/json': json } }];
    }),
  ) as Responses;
}

/** The errors that follow from a route's path, access and body. */
function commonRefusals(route: DescribedRoute): (Refusal | false)[] {
  const { body, fileBody, guarded, method, path } = route;
  const takesBody = body !== undefined;
  const isConditional = route.isVersioned && method !== 'GET';
  const takesParameters = route.list !== undefined || route.query.length > 0;
  const isOfInterface = path.startsWith('/v1/');
  const isGuessedAt = guarded === undefined || route.checksProof === true;
  const needsRole = guarded !== undefined && Object.values(guarded.privilege).includes('role');
  const unavailable = 'Temporarily unavailable: try again after `Retry-After`';
  return [
    takesParameters && ['A parameter is refused: `errors` names it', REQUIRED_NAME],
    isConditional && ['`If-Match` is no list of entity tags', malformedIfMatch()],
    takesBody && ['The request is refused: `errors` names the fields, or `message` the rule', REQUIRED_NAME],
    route.isRepeatable && !takesBody && ['The `Idempotency-Key` is malformed', malformedKey()],
    ...(guarded === undefined ? [] : accessRefusals(guarded, method, path)),
    isConditional && ['`If-Match` names another state of the record', new ChangedMeanwhile()],
    takesBody && ['The body is larger than 100 kB', bodyTooLarge()],
    takesBody &&
      (route.bodyIsForm
        ? ['The body is neither JSON nor a form', notJsonNorForm()]
        : ['The body is no JSON', notJson()]),
    ...(fileBody === undefined ? [] : fileBodyRefusals(fileBody)),
    ...(route.isRepeatable ? keyRefusals() : []),
    isOfInterface &&
      isGuessedAt && [
        'Too many attempts or calls: as many seconds as `Retry-After` says',
        new TooManyRequests(60),
      ],
    isOfInterface && !isElsewhere(route) && ['A fault of the service', INTERNAL_ERROR],
    needsRole && [
      'The caller has access, but lacks the role for the operation; or a fault of the service',
      new RoleRequired(),
      INTERNAL_ERROR,
    ],
    path !== '/health/live' && [unavailable, new TemporarilyUnavailable()],
    guarded !== undefined &&
      method !== 'GET' && [
        `${unavailable}; with \`OUTCOME_UNKNOWN\` look first whether the change was made${route.isRepeatable ? ', or send the same request with its `Idempotency-Key`' : ''}`,
        new TemporarilyUnavailable(),
        new OutcomeUnknown(undefined),
      ],
  ];
}

function accessRefusals({ privilege }: GuardedRoute, method: string, path: string): (Refusal | false)[] {
  const denials = [
    path.includes(':') && 'the caller has no access to what is addressed',
    privilege.acts && path.includes(':userId') && 'a CUSTADMIN addresses a user who holds ROLE_ADMIN',
    privilege.apiKey === 'deny' && 'an API key may not do it',
    method !== 'GET' && 'the API key only reads',
    'the API key does not accept the address of the caller',
  ];
  return [
    [
      'The credential is missing, unknown, expired or revoked',
      new Unauthorised('The credential is unknown, expired or revoked'),
    ],
    [capitalised(denials.filter(Boolean).join('; or ')), new AccessDenied()],
    path.includes(':') && ['What the path addresses does not exist', new NotFound('Organisation')],
  ];
}

const keyRefusals = (): Refusal[] => [
  [
    'The first request with the `Idempotency-Key` is still under way: try again after `Retry-After`',
    new KeyInUse(),
  ],
  ['The `Idempotency-Key` was used with another body, or in the other variant', new KeyReused()],
];

function fileBodyRefusals(rule: NonNullable<DescribedRoute['fileBody']>): Refusal[] {
  const [tooLarge, wrongType] = fileRefusals(rule);
  return [
    [`The body is larger than ${megabytes(rule.maxBytes)} MB`, tooLarge],
    ['The body is a file of another type, or encoded', wrongType],
  ];
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The message, reduced to letters that a component's name may have. */
const nameOf = ({ message }: ApiError): string =>
  message
    .split(/[^A-Za-z0-9]+/)
    .slice(0, 8)
    .map(capitalised)
    .join('');

class FieldErrorsResponse {
  @ApiProperty({
    type: [String],
    description: 'What is wrong with the field, one English sentence a fault',
    example: ['This value should not be blank.'],
  })
  errors!: string[];
}

class ValidationErrorsResponse {
  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/FieldErrorsResponse' },
    description: 'Only the failing fields, by their names in the request',
  })
  children!: Record<string, FieldErrorsResponse>;
}

/** The body of every response that is not a success. */
export class ErrorResponse {
  @ApiProperty({ type: 'integer', description: 'The HTTP status', example: 400 }) code!: number;

  @ApiProperty({
    description: 'What happened, in English; fixed where the response lists it as an example',
    example: 'Validation Failed',
  })
  message!: string;

  @ApiProperty({
    description: 'A stable word for programs; docs/reasons.md says what each means',
    enum: Object.keys(ANSWER_REASONS),
    example: 'VALIDATION_FAILED',
  })
  reason!: string;

  @ApiProperty({
    description: 'The id of this request, as in the X-Request-Id header and in the log of the service',
    example: '0b9d3c6e-5f0e-4c1c-9d52-5f2f6f0a7c11',
  })
  requestId!: string;

  @ApiPropertyOptional({
    type: ValidationErrorsResponse,
    description: 'Only where fields of the request are to blame',
  })
  errors?: ValidationErrorsResponse;

  @ApiPropertyOptional({
    type: 'object',
    description:
      'Only for validation failures: of each failing field the stable word of each text, in their order',
    additionalProperties: {
      type: 'array',
      items: { type: 'string', enum: Object.keys(FIELD_ERROR_REASONS) },
    },
    example: { name: ['REQUIRED'] },
  })
  reasons?: Record<string, string[]>;
}

export const ERROR_MODELS = [FieldErrorsResponse, ValidationErrorsResponse, ErrorResponse];
