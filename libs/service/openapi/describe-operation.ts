import type { ModuleRef } from '@nestjs/core';
import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import type { ApiError } from '@app/platform/errors/api-error';
import { fieldRules } from '@app/platform/dto/field.decorators';
import { PLAIN_TEXT } from '@app/platform/dto/files';
import { declarationOf } from '@app/platform/dto/route-declaration';
import {
  type RequestShape,
  resolveShape,
  type ResponseShape,
  type ShapeReference,
} from '@app/platform/dto/shapes';
import type { ListConventions, ListShape } from '@app/platform/lists/list-request';
import type { Privilege } from '@app/security/access/privileges';
import type { ServedRoute } from '@app/security/access/route-table';
import {
  conditionParameters,
  FORMAT_PARAMETER,
  KEY_PARAMETER,
  listParameters,
  pathParameters,
  textParameter,
} from './parameters';
import { type ErrorExamples, isElsewhere, refusingResponses } from './refusals';
import {
  ATTACHMENT,
  DEPRECATION,
  ENTITY_TAG,
  LANGUAGE,
  NEXT_PAGE,
  RECORD_TAG,
  REPLAY,
  REQUEST_ID,
  type ResponseHeaders,
} from './response-headers';

/** A whole body, and what it is an example of. */
interface BodyExample {
  readonly summary: string;
  readonly value: unknown;
}

/** A successful request of an operation and its response. */
interface ExchangeExample {
  readonly request?: BodyExample;
  readonly response?: BodyExample;
}

/** The examples of the running variant by operation, `GET /organisations`; `npm run docs` writes them. */
export abstract class InterfaceExamples {
  abstract readonly byOperation: Readonly<Record<string, ExchangeExample>>;
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

export const SECURITY_SCHEME = 'hash';

export type DescribedRoute = ReturnType<typeof describedRoute>;

/** A route with its shapes in the running variant and what its decorators declare. */
export function describedRoute(route: ServedRoute, moduleRef: ModuleRef, { byOperation }: InterfaceExamples) {
  const declared = declarationOf(route.handler);
  const shape = <Shape>(reference: ShapeReference | undefined) =>
    reference && resolveShape<Shape>(moduleRef, reference);
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
  return {
    ...route,
    documentPath: path,
    example: byOperation[`${route.method} ${path.replace(/^\/v1/, '')}`] ?? {},
    body: shape<RequestShape<unknown>>(declared.body),
    bodyIsForm: declared.body?.form ?? false,
    bodyIsOptional: declared.body?.optional ?? false,
    response: shape<ResponseShape<unknown>>(declared.response),
    status: declared.response?.status,
    list: shape<ListShape<never, string, string>>(declared.list),
    fileBody: declared.fileBody,
    fileResponse: declared.fileResponse,
    isText: declared.isText ?? false,
    etag: declared.etag,
    isVersioned: route.guarded?.address.version !== undefined,
    query: declared.query ?? [],
    refusals: [...(declared.refusals ?? []), ...(shape<readonly ApiError[]>(declared.variantRefusals) ?? [])],
  };
}

/** Completes Nest's description of a route. */
export function describeOperation(
  document: OpenAPIObject,
  route: DescribedRoute,
  conventions: ListConventions,
  errorExamples: ErrorExamples,
): void {
  const path = document.paths[route.documentPath] as Record<string, Operation | undefined> | undefined;
  if (path === undefined) return;
  if (route.method === 'ALL') keepGetOnly(path);
  const operation = path[route.method === 'ALL' ? 'get' : route.method.toLowerCase()];
  if (operation === undefined) return;
  operation.summary = route.words.summary;
  const description = descriptionOf(route, operation);
  if (description !== '') operation.description = description;
  operation.security = securityOf(route);
  // Nest describes the raw parameters of handlers: path and shapes say which ones a client sends.
  operation.parameters = [
    ...pathParameters(route.path),
    ...(route.list === undefined ? [] : listParameters(route.list, conventions)),
    ...route.query.map(textParameter),
    ...(route.method === 'GET' && route.response !== undefined ? [FORMAT_PARAMETER] : []),
    ...conditionParameters(route),
    ...(route.isRepeatable ? [KEY_PARAMETER] : []),
  ];
  delete operation.requestBody;
  const requestBody = requestBodyOf(route);
  if (requestBody !== undefined) operation.requestBody = requestBody;
  const headers = operation.deprecated === true ? DEPRECATION : {};
  operation.responses = {
    ...(!isElsewhere(route) && successResponse(route, operation, headers)),
    ...refusingResponses(route, headers, errorExamples),
  };
}

function descriptionOf({ guarded, path, words }: DescribedRoute, { description }: Operation): string {
  const access = guarded && whoMay(guarded.privilege, path);
  return [access, description, words.note].filter(Boolean).join(' ');
}

function requestBodyOf({
  body,
  bodyIsForm,
  bodyIsOptional,
  fileBody,
  example,
}: DescribedRoute): Operation['requestBody'] {
  if (fileBody !== undefined) {
    const content = Object.fromEntries(fileBody.types.map((type) => [type, { schema: FILE }]));
    return { required: true, content };
  }
  if (body === undefined) return undefined;
  const schema = { $ref: getSchemaPath(body.body) };
  // A body whose fields are all optional may be left out.
  const required = !bodyIsOptional && [...fieldRules(body.body).values()].some((rule) => rule.required);
  const json = { 'application/json': { schema, ...shown(example.request) } };
  if (!bodyIsForm) return { required, content: json };
  return { required, content: { ...json, 'application/x-www-form-urlencoded': { schema } } };
}

const NEEDS_CREDENTIAL = { [SECURITY_SCHEME]: [] };

/** An optional body carries the credential: without the body, the header does. */
function securityOf({
  asksForCredential,
  bodyIsOptional,
}: DescribedRoute): NonNullable<Operation['security']> {
  if (asksForCredential) return [NEEDS_CREDENTIAL];
  return bodyIsOptional ? [{}, NEEDS_CREDENTIAL] : [];
}

/** OpenAPI has no "any method": GET stands for all, without the suffix that Nest gives each method's id. */
function keepGetOnly(path: Record<string, Operation | undefined>): void {
  for (const method of Object.keys(path)) if (method !== 'get') delete path[method];
  if (path['get']?.operationId) path['get'].operationId = path['get'].operationId.replace(/_get$/, '');
}

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
  const kept =
    route.etag === undefined
      ? route.isVersioned && route.method !== 'DELETE' && RECORD_TAG
      : { ...ENTITY_TAG, ...(route.etag.isTranslated && LANGUAGE) };
  const headers = {
    ...ofRoute,
    ...REQUEST_ID,
    ...(route.list !== undefined && NEXT_PAGE),
    ...(route.isRepeatable && REPLAY),
    ...kept,
  };
  const [declared = '200'] = Object.keys(operation.responses);
  const status = String(route.status ?? declared);
  const description = SUCCESSES[status] ?? '';
  if (route.fileResponse !== undefined) {
    const content = { [route.fileResponse]: { schema: FILE } };
    return { [status]: { description: 'The file', headers: { ...headers, ...ATTACHMENT }, content } };
  }
  if (route.isText) {
    return { [status]: { description, headers, content: { [PLAIN_TEXT]: { schema: { type: 'string' } } } } };
  }
  if (route.response === undefined) {
    return { [status]: { ...operation.responses[declared], description, headers } };
  }
  const schema = { $ref: getSchemaPath(route.response.body) };
  // csv has no media type of its own here: generators would make each list a union of its type and text.
  const content = { 'application/json': { schema, ...shown(route.example.response) } };
  const inCsv = route.method === 'GET' ? '; with `format=csv` the body is csv' : '';
  return {
    [status]: { description: `${description}${inCsv}`, headers, content },
    ...(kept &&
      route.method === 'GET' && {
        '304': { description: 'The response that the client has still holds', headers },
      }),
  };
}

const shown = (example: BodyExample | undefined) =>
  example === undefined ? {} : { examples: { written: { ...example } } };

/** Says who may do an operation, from the privilege table. */
function whoMay(privilege: Privilege, path: string): string {
  const { admin, custadminOwn, custadminBeneath, finance, member, granted, self, apiKey } = privilege;
  const allowed = (...who: [verdict: string | undefined, who: string][]) =>
    who.flatMap(([verdict, name]) => (verdict === 'allow' ? [name] : [])).join(', ');
  const ofAll = allowed([admin, 'admins'], [custadminOwn, 'every CUSTADMIN']);
  const who = path.includes(':organisationId')
    ? allowed(
        [admin, 'admins'],
        [custadminOwn, 'a CUSTADMIN of the organisation'],
        [custadminBeneath, 'a CUSTADMIN above it'],
        [finance, 'a user of it with ROLE_FINANCE'],
        [member, 'any user of the organisation'],
        [granted, 'users of organisations that it granted access to'],
        [self, 'the user itself'],
      )
    : member === 'allow'
      ? 'every user'
      : ofAll;
  return `Allowed to ${who}.${apiKey === 'deny' ? ' Not with an API key.' : ''}`;
}
