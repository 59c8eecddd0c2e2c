import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { PRIVILEGES } from '../access/privileges';
import type { ServedRoute } from '../access/route-table';
import type { ApiError } from '../errors/api-error';
import { fieldRules } from '../wire/field.decorators';
import type { FileBodyRule } from '../wire/file-body';
import type { ListConventions } from '../wire/list-conventions';
import type { Revalidation } from '../wire/revalidated';
import type { QueryText } from '../wire/query-parameter.decorator';
import type { ListShape, RequestShape, ResponseShape } from '../wire/shapes';
import type { ErrorExamples } from './error-examples';
import type { BodyExample, ExchangeExample } from './interface-examples';
import {
  FORMAT_PARAMETER,
  listParameters,
  pathParameters,
  revalidationParameters,
  textParameter,
} from './parameters';
import { isElsewhere, refusingResponses } from './refusals';
import {
  ATTACHMENT,
  DEPRECATION,
  ENTITY_TAG,
  LANGUAGE,
  NEXT_PAGE,
  REQUEST_ID,
  type ResponseHeaders,
} from './response-headers';
import { noteOf, summaryOf } from './summaries';
import { whoMay } from './who-may';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** The shapes of one route in the running variant, and what it refuses. */
export interface DescribedRoute extends ServedRoute {
  readonly body: RequestShape<unknown> | undefined;
  /** Whether the body may be left out. */
  readonly bodyIsOptional: boolean;
  readonly response: ResponseShape<unknown> | undefined;
  readonly status: number | undefined;
  readonly list: ListShape<never, string, string> | undefined;
  /** The files that it takes instead of a JSON body. */
  readonly fileBody: FileBodyRule | undefined;
  /** The type of the file that it responds with instead of JSON. */
  readonly fileResponse: string | undefined;
  readonly query: QueryText | undefined;
  /** How its clients may keep the response. */
  readonly revalidation: Revalidation | undefined;
  readonly refusals: readonly ApiError[];
  readonly example: ExchangeExample;
}

export const SECURITY_SCHEME = 'hash';

/** A body whose fields are all optional may be left out as a whole. */
const hasRequiredField = (body: Parameters<typeof fieldRules>[0]): boolean =>
  [...fieldRules(body).values()].some(({ required }) => required);

const NEEDS_CREDENTIAL = { [SECURITY_SCHEME]: [] };

/** Completes what Nest says of a route by what its declarations and shapes say. */
export function describeOperation(
  document: OpenAPIObject,
  route: DescribedRoute,
  conventions: ListConventions,
  errorExamples: ErrorExamples,
): void {
  const path = document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')] as
    Record<string, Operation | undefined> | undefined;
  if (path === undefined) return;
  if (route.method === 'ALL') keepGetAlone(path);
  const operation = path[route.method === 'ALL' ? 'get' : route.method.toLowerCase()];
  if (operation === undefined) return;
  const summary = summaryOf(route);
  if (summary !== undefined) operation.summary = summary;
  const description = descriptionOf(route, operation);
  if (description !== '') operation.description = description;
  operation.security = securityOf(route);
  // The handlers' own parameters are raw, or read by the guard: path and shapes say what they really take.
  operation.parameters = [
    ...pathParameters(route.path),
    ...(route.list === undefined ? [] : listParameters(route.list, conventions)),
    ...(route.query === undefined ? [] : [textParameter(route.query)]),
    ...(route.method === 'GET' && route.response !== undefined ? [FORMAT_PARAMETER] : []),
    ...(route.revalidation === undefined ? [] : revalidationParameters(route.revalidation)),
  ];
  delete operation.requestBody;
  if (route.body !== undefined) {
    operation.requestBody = {
      required: !route.bodyIsOptional && hasRequiredField(route.body.body),
      content: {
        'application/json': {
          schema: { $ref: getSchemaPath(route.body.body) },
          ...shown(route.example.request),
        },
      },
    };
  }
  if (route.fileBody !== undefined) {
    operation.requestBody = {
      required: true,
      content: Object.fromEntries(route.fileBody.types.map((type) => [type, { schema: FILE }])),
    };
  }
  const headers = operation.deprecated === true ? DEPRECATION : {};
  operation.responses = {
    ...(!isElsewhere(route) && successResponse(route, operation, headers)),
    ...refusingResponses({
      ...route,
      takesBody: route.body !== undefined,
      takesFile: route.fileBody,
      takesList: route.list !== undefined || route.query !== undefined,
      errorExamples,
      headers,
    }),
  };
}

function descriptionOf(route: DescribedRoute, { description = '' }: Operation): string {
  const sentences = [
    ...(route.operation === undefined ? [] : [whoMay(PRIVILEGES[route.operation], route.path)]),
    ...(description === '' ? [] : [description]),
    ...noteOf(route),
  ];
  return sentences.join(' ');
}

/** A body that may be left out stands for the credential: without it, the credential of the header counts. */
function securityOf({ operation, bodyIsOptional }: DescribedRoute): NonNullable<Operation['security']> {
  if (operation !== undefined) return [NEEDS_CREDENTIAL];
  return bodyIsOptional ? [{}, NEEDS_CREDENTIAL] : [];
}

/** OpenAPI has no "any method", and not every method that express knows: one stands for all. */
function keepGetAlone(path: Record<string, Operation | undefined>): void {
  for (const method of Object.keys(path)) if (method !== 'get') delete path[method];
}

/** Bytes as they are. */
const FILE = { type: 'string', format: 'binary' };

const SUCCESSES: Readonly<Record<string, string>> = {
  '200': 'The request was processed',
  '201': 'It was created',
  '204': 'The request was processed; there is no body',
};

function successResponse(
  route: DescribedRoute,
  operation: Operation,
  ofRoute: ResponseHeaders,
): Operation['responses'] {
  const kept = route.revalidation !== undefined && {
    ...ENTITY_TAG,
    ...(route.revalidation.isTranslated && LANGUAGE),
  };
  const headers = { ...ofRoute, ...REQUEST_ID, ...(route.list !== undefined && NEXT_PAGE), ...kept };
  const [declared = '200'] = Object.keys(operation.responses);
  const status = String(route.status ?? declared);
  const description = SUCCESSES[status] ?? '';
  if (route.fileResponse !== undefined) {
    return {
      [status]: {
        description: 'The file',
        headers: { ...headers, ...ATTACHMENT },
        content: { [route.fileResponse]: { schema: FILE } },
      },
    };
  }
  if (route.response === undefined) {
    return { [status]: { ...operation.responses[declared], description, headers } };
  }
  return {
    [status]: {
      description,
      headers,
      content: {
        'application/json': {
          schema: { $ref: getSchemaPath(route.response.body) },
          ...shown(route.example.response),
        },
        ...(route.method === 'GET' && {
          'text/csv': { schema: { type: 'string' }, ...shown(route.example.csv) },
        }),
      },
    },
    ...(kept && { '304': { description: 'The response that the client has still holds', headers } }),
  };
}

const shown = (example: BodyExample | undefined) =>
  example === undefined ? {} : { examples: { written: { ...example } } };
