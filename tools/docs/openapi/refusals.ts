import type { ResponsesObject } from 'openapi3-ts/oas31';
import { KeyInUse, KeyReused, malformedKey } from '@app/edge/idempotency/idempotency.types';
import { changedMeanwhile } from '@app/platform/context/addressed-version';
import { malformedIfMatch } from '@app/platform/context/entity-tags';
import { notJsonNorForm } from '@app/platform/dto/form-body';
import { bodyTooLarge, notJson } from '@app/platform/dto/json-body';
import { ResponseField } from '@app/platform/dto/shapes';
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
import { errorBody } from '@app/platform/http/error-response';
import type { GuardedRoute } from '@app/security/access/route-table';
import { ANSWER_REASONS, FIELD_ERROR_REASONS } from '@app/service/reasons';
import type { DescribedRoute } from './described-route';
import { takesFormat } from './parameters';
import { type HeaderName, headersOf } from './response-headers';
import { referenceTo } from './schemas';
import type { SharedParts } from './shared-parts';

/** The reason for errors with the same status on a route. */
type Refusal = readonly [words: string, ...errors: ApiError[]];

/** Placeholder request id for examples. */
const SOME_REQUEST_ID = '0b9d3c6e-5f0e-4c1c-9d52-5f2f6f0a7c11';

const REQUIRED_NAME = ValidationFailed.on('name', fieldError('REQUIRED', 'This value should not be blank.'));
const INTERNAL_ERROR = new ApiError(500, 'INTERNAL_ERROR', 'Internal error');

/** Areas that are not part of the service respond only with 501. */
export const isElsewhere = ({ refusals }: Pick<DescribedRoute, 'refusals'>): boolean =>
  refusals.some(({ status }) => status === 501);

/**
 * All responses of a route except success. Routes share the responses that have no error
 * and no header of their own.
 */
export function refusingResponses(
  route: DescribedRoute,
  ofRoute: readonly HeaderName[],
  shared: SharedParts,
): ResponsesObject {
  const refusals = new Map<number, { sharedAs?: string; refusal: Refusal }>();
  for (const [sharedAs, refusal] of Object.entries(commonRefusals(route)))
    if (refusal) refusals.set(refusal[1]?.status ?? 0, { sharedAs, refusal });
  // Errors of `@Refuses` come first, because clients see them most.
  for (const status of new Set(route.refusals.map((error) => error.status))) {
    const own = route.refusals.filter((error) => error.status === status);
    const words = own.map(({ message }) => `\`${message}\``).join(', ');
    const [common, ...others] = refusals.get(status)?.refusal ?? [];
    const all = common === undefined ? words : `${words}. ${common}`;
    refusals.set(status, { refusal: [all, ...own, ...others] });
  }
  return Object.fromEntries(
    [...refusals].map(([status, { sharedAs, refusal }]) => {
      const [description, ...errors] = refusal;
      const examples = errors.map((error) => {
        const example = { summary: error.message, value: errorBody(error, SOME_REQUEST_ID) };
        return [nameOf(error), shared.refer('examples', nameOf(error), example)];
      });
      const json = {
        schema: referenceTo(ErrorResponse),
        examples: Object.fromEntries(examples) as object,
      };
      const headers = headersOf([
        ...ofRoute,
        'RequestId',
        errors.some((error) => 'Retry-After' in error.headers) && 'RetryAfter',
        status === 401 && route.asksForCredential && 'Challenge',
      ]);
      const response = { description, headers, content: { 'application/json': json } };
      const isOwn = sharedAs === undefined || route.isDeprecated;
      return [String(status), isOwn ? response : shared.refer('responses', sharedAs, response)];
    }),
  );
}

/**
 * The errors that follow from a route's path, access and body, by the names under
 * which operations share them.
 */
function commonRefusals(route: DescribedRoute): Record<string, Refusal | false> {
  const { body, bodyIsForm, file, guarded, isRepeatable, method, path } = route;
  const takesBody = body !== undefined;
  const isConditional = route.isVersioned && method !== 'GET';
  const takesParameters = route.list !== undefined || route.query.length > 0 || takesFormat(route);
  const isOfInterface = path.startsWith('/v1/');
  const isGuessedAt = guarded === undefined || route.checksProof === true;
  const needsRole = guarded !== undefined && Object.values(guarded.privilege).includes('role');
  const changes = guarded !== undefined && method !== 'GET';
  const unavailable = 'Temporarily unavailable: try again after `Retry-After`';
  const lookFirst = `${unavailable}; with \`OUTCOME_UNKNOWN\` look first whether the change was made`;
  const outcomeUnknown = [new TemporarilyUnavailable(), new OutcomeUnknown(undefined)];
  const underWay =
    'The first request with the `Idempotency-Key` is still under way: try again after `Retry-After`';
  return {
    ParameterRefused: takesParameters && ['A parameter is refused: `errors` names it', REQUIRED_NAME],
    IfMatchMalformed: isConditional && ['`If-Match` is no list of entity tags', malformedIfMatch()],
    BodyRefused: takesBody && [
      'The request is refused: `errors` names the fields of this request (in the example `name`), or `message` the rule',
      REQUIRED_NAME,
    ],
    KeyMalformed: isRepeatable && !takesBody && ['The `Idempotency-Key` is malformed', malformedKey()],
    ...(guarded !== undefined && accessRefusals(guarded, method, path)),
    ChangedMeanwhile: isConditional && ['`If-Match` names another state of the record', changedMeanwhile()],
    BodyTooLarge: takesBody && ['The body is larger than 100 kB', bodyTooLarge()],
    NotJsonNorForm: takesBody && bodyIsForm && ['The body is neither JSON nor a form', notJsonNorForm()],
    NotJson: takesBody && !bodyIsForm && ['The body is no JSON', notJson()],
    FileTooLarge: file !== undefined && [file.tooLarge.message, file.tooLarge],
    FileOfWrongType: file !== undefined && ['The body is a file of another type, or encoded', file.notTaken],
    KeyInUse: isRepeatable && [underWay, new KeyInUse()],
    KeyReused: isRepeatable && [
      'The `Idempotency-Key` was used with another body, or in the other variant',
      new KeyReused(),
    ],
    TooManyRequests: isOfInterface &&
      isGuessedAt && [
        'Too many attempts or calls: as many seconds as `Retry-After` says',
        new TooManyRequests(60),
      ],
    InternalError: isOfInterface && !isElsewhere(route) && ['A fault of the service', INTERNAL_ERROR],
    RoleRequired: needsRole && [
      'The caller has access, but lacks the role for the operation; or a fault of the service',
      new RoleRequired(),
      INTERNAL_ERROR,
    ],
    TemporarilyUnavailable: path !== '/health/live' && [unavailable, new TemporarilyUnavailable()],
    OutcomeUnknown: changes && [lookFirst, ...outcomeUnknown],
    OutcomeUnknownOrRepeat: changes &&
      isRepeatable && [
        `${lookFirst}, or send the same request with its \`Idempotency-Key\``,
        ...outcomeUnknown,
      ],
  };
}

function accessRefusals(
  { privilege }: GuardedRoute,
  method: string,
  path: string,
): Record<string, Refusal | false> {
  const denials = Object.entries({
    Reach: path.includes(':') && 'the caller has no access to what is addressed',
    Admin: privilege.acts && path.includes(':userId') && 'a CUSTADMIN addresses a user who holds ROLE_ADMIN',
    ApiKey: privilege.apiKey !== undefined && 'an API key may not do it',
    ReadOnlyKey: method !== 'GET' && 'the API key only reads',
    Address: 'the API key does not accept the address of the caller',
  }).filter(([, reason]) => reason);
  const deniedBy = `DeniedBy${denials.map(([name]) => name).join('')}`;
  const reasons = denials.map(([, reason]) => reason).join('; or ');
  const unknown = new Unauthorised('The credential is unknown, expired or revoked');
  return {
    Unauthorised: ['The credential is missing, unknown, expired or revoked', unknown],
    [deniedBy]: [capitalised(reasons), new AccessDenied()],
    NotFound: path.includes(':') && ['What the path addresses does not exist', new NotFound('Organisation')],
  };
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The message and the fields, reduced to letters that a component's name may have. */
const nameOf = ({ message, fields = {} }: ApiError): string =>
  [message, ...Object.keys(fields)]
    .join(' ')
    .split(/[^A-Za-z0-9]+/)
    .slice(0, 8)
    .map(capitalised)
    .join('');

class FieldErrorsResponse {
  @ResponseField({
    type: ['string'],
    description: 'What is wrong with the field, one English sentence a fault',
    example: ['This value should not be blank.'],
  })
  errors!: string[];
}

class ValidationErrorsResponse {
  @ResponseField({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/FieldErrorsResponse' },
    description: 'Only the failing fields, by their names in the request',
  })
  children!: Record<string, FieldErrorsResponse>;
}

/** The body of every response that is not a success. */
export class ErrorResponse {
  @ResponseField({ type: 'integer', description: 'The HTTP status', example: 400 }) code!: number;

  @ResponseField({
    description: 'What happened, in English; fixed where the response lists it as an example',
    example: 'Validation Failed',
  })
  message!: string;

  @ResponseField({
    description: 'A stable word for programs; docs/reasons.md says what each means',
    enum: Object.keys(ANSWER_REASONS),
    example: 'VALIDATION_FAILED',
  })
  reason!: string;

  @ResponseField({
    description: 'The id of this request, as in the X-Request-Id header and in the log of the service',
    example: '0b9d3c6e-5f0e-4c1c-9d52-5f2f6f0a7c11',
  })
  requestId!: string;

  @ResponseField({
    required: false,
    type: ValidationErrorsResponse,
    description: 'Only where fields of the request are to blame',
  })
  errors?: ValidationErrorsResponse;

  @ResponseField({
    required: false,
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
