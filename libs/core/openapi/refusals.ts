import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { fault } from '../errors/fault';
import { PRIVILEGES, type Operation } from '../access/privileges';
import {
  AccessDenied,
  ApiError,
  NotFound,
  OutcomeUnknown,
  RoleRequired,
  TemporarilyUnavailable,
  TooManyRequests,
  Unauthorised,
  ValidationFailed,
} from '../errors/api-error';
import { fileRefusals, megabytes, type FileBodyRule } from '../wire/file-body';
import { ErrorResponse } from './error-responses';
import type { ErrorExamples } from './error-examples';
import { REQUEST_ID, RETRY_AFTER, type ResponseHeaders } from './response-headers';

type Responses = NonNullable<OpenAPIObject['paths'][string]['get']>['responses'];

/** What of a route decides how it may refuse. */
export interface RefusingRoute {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation | undefined;
  readonly takesBody: boolean;
  readonly takesFile: FileBodyRule | undefined;
  readonly takesList: boolean;
  /** What the route says of itself by `@Refuses`. */
  readonly refusals: readonly ApiError[];
  readonly errorExamples: ErrorExamples;
  /** Headers that every response of the route carries. */
  readonly headers: ResponseHeaders;
}

/** Why a route answers with one status, and what it then answers. */
interface Refusal {
  readonly words: string;
  readonly errors: readonly ApiError[];
}

const NOT_IMPLEMENTED = 501;

/** Areas that are not part of the service answer nothing but that. */
export const isElsewhere = ({ refusals }: Pick<RefusingRoute, 'refusals'>): boolean =>
  refusals.some(({ status }) => status === NOT_IMPLEMENTED);

/** The responses other than success that a route can give: those, and no others. */
export function refusingResponses(route: RefusingRoute): Responses {
  const refusals = new Map<number, Refusal>();
  const add = (words: string, ...errors: readonly [ApiError, ...ApiError[]]) =>
    refusals.set(errors[0].status, { words, errors });
  const ofInput = refusalOfInput(route);
  if (ofInput !== undefined)
    add(ofInput, ValidationFailed.on('name', fault('REQUIRED', 'This value should not be blank.')));
  if (route.operation !== undefined) addRefusalsOfAccess(route.operation, route, add);
  if (route.takesBody) {
    add(
      'The body is larger than 100 kB',
      new ApiError(413, 'BODY_TOO_LARGE', 'The body is larger than 100kb'),
    );
    add('The body is no JSON', new ApiError(415, 'NOT_JSON', 'The body should be application/json'));
  }
  if (route.takesFile !== undefined) {
    const [tooLarge, wrongType] = fileRefusals(route.takesFile);
    add(`The body is larger than ${megabytes(route.takesFile.maxBytes)} MB`, tooLarge);
    add('The body is a file of another type, or encoded', wrongType);
  }
  if (isThrottled(route)) {
    add('Too many attempts or calls: as many seconds as `Retry-After` says', new TooManyRequests(60));
  }
  if (isOfInterface(route) && !isElsewhere(route)) {
    const roles = refusals.get(500);
    const fault = new ApiError(500, 'INTERNAL_ERROR', 'Internal error');
    if (roles === undefined) add('A fault of the service', fault);
    else add(`${roles.words}; or a fault of the service`, ...(roles.errors as [ApiError]), fault);
  }
  if (route.path !== '/health/live') {
    const unavailable = 'Temporarily unavailable: try again after `Retry-After`';
    if (route.operation === undefined || route.method === 'GET')
      add(unavailable, new TemporarilyUnavailable());
    else {
      add(
        `${unavailable}; with \`OUTCOME_UNKNOWN\` look first whether the change was made`,
        new TemporarilyUnavailable(),
        new OutcomeUnknown(undefined),
      );
    }
  }
  addOwn(refusals, route.refusals);
  return Object.fromEntries(
    [...refusals].map(([status, refusal]) => [String(status), refusingResponse(status, refusal, route)]),
  );
}

function refusalOfInput({ takesBody, takesList }: RefusingRoute): string | undefined {
  if (takesBody) return 'The request is refused: `errors` names the fields, or `message` the rule';
  return takesList ? 'A parameter is refused: `errors` names it' : undefined;
}

function addRefusalsOfAccess(
  operation: Operation,
  { method, path }: Pick<RefusingRoute, 'method' | 'path'>,
  add: (words: string, ...errors: readonly [ApiError, ...ApiError[]]) => void,
): void {
  const privilege = PRIVILEGES[operation];
  add(
    'The credential is missing, unknown, expired or revoked',
    new Unauthorised('The credential is unknown, expired or revoked'),
  );
  const reasons = [
    ...(path.includes(':') ? ['The caller has no access to what is addressed'] : []),
    ...(privilege.acts && path.includes(':userId')
      ? ['a CUSTADMIN addresses a user who holds ROLE_ADMIN']
      : []),
    ...(privilege.apiKey === 'deny' ? ['an API key may not do it'] : []),
    ...(method === 'GET' ? [] : ['the API key only reads']),
    'the API key does not accept the address of the caller',
  ];
  add(capitalised(reasons.join('; or ')), new AccessDenied());
  if (path.includes(':')) add('What the path addresses does not exist', new NotFound('Organisation'));
  if (Object.values(privilege).includes('role')) {
    add('The caller has access, but lacks the role for the operation', new RoleRequired());
  }
}

/** What a route says of itself goes first: it is what a client will meet. */
function addOwn(refusals: Map<number, Refusal>, errors: readonly ApiError[]): void {
  for (const status of new Set(errors.map((error) => error.status))) {
    const own = errors.filter((error) => error.status === status);
    const words = own.map(({ message }) => `\`${message}\``).join(', ');
    const known = refusals.get(status);
    refusals.set(
      status,
      known === undefined
        ? { words, errors: own }
        : { words: `${words}. ${known.words}`, errors: [...own, ...known.errors] },
    );
  }
}

const isOfInterface = ({ path }: RefusingRoute): boolean => path.startsWith('/v1/');

/** Where a password or a code can be guessed, with `STEP_UP` or always. */
const GUESSED_AT: ReadonlySet<RefusingRoute['operation']> = new Set([
  'users.changePassword',
  'users.update',
  'users.disable2fa',
  'recoveryCodes.create',
] as const);

/** Guesses of passwords are counted, and calls without a credential. */
const isThrottled = (route: RefusingRoute): boolean =>
  isOfInterface(route) && (route.operation === undefined || GUESSED_AT.has(route.operation));

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function refusingResponse(status: number, { words, errors }: Refusal, route: RefusingRoute) {
  const waits = status === 429 || status === 503;
  return {
    description: words,
    headers: { ...route.headers, ...REQUEST_ID, ...(waits && RETRY_AFTER) },
    content: {
      'application/json': {
        schema: { $ref: getSchemaPath(ErrorResponse) },
        examples: Object.fromEntries(
          errors.map((error) => [nameOf(error), route.errorExamples.shared(nameOf(error), error)]),
        ),
      },
    },
  };
}

/** The message in letters that a component can be named with. */
const nameOf = ({ message }: ApiError): string =>
  message
    .split(/[^A-Za-z0-9]+/)
    .slice(0, 8)
    .map(capitalised)
    .join('');
