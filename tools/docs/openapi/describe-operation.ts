import type { OperationObject, SchemaObject } from 'openapi3-ts/oas31';
import { describedFields } from '@app/platform/dto/described-fields';
import type { ListConventions } from '@app/platform/lists/list-request';
import type { Privilege } from '@app/security/access/privileges';
import type { BodyExample, DescribedRoute } from './described-route';
import { operationIdOf } from './operation-ids';
import { parametersOf } from './parameters';
import { isElsewhere, refusingResponses } from './refusals';
import { type HeaderName, headersOf } from './response-headers';
import { referenceTo } from './schemas';
import type { SharedParts } from './shared-parts';

export const SECURITY_SCHEME = 'hash';

export function describeOperation(
  route: DescribedRoute,
  conventions: ListConventions,
  shared: SharedParts,
): OperationObject {
  const headers: readonly HeaderName[] = route.isDeprecated ? ['Deprecated', 'Successor'] : [];
  const description = descriptionOf(route);
  const requestBody = requestBodyOf(route);
  return {
    ...(route.isDeprecated && { deprecated: true }),
    operationId: operationIdOf(route.controller.name, route.handlerName),
    parameters: parametersOf(route, conventions, shared),
    responses: {
      ...(!isElsewhere(route) && successResponse(route, headers)),
      ...refusingResponses(route, headers, shared),
    },
    tags: route.tags,
    summary: route.summary,
    ...(description !== '' && { description }),
    security: securityOf(route),
    ...(requestBody !== undefined && { requestBody }),
  };
}

const descriptionOf = ({ guarded, path, note }: DescribedRoute): string =>
  [guarded && whoMay(guarded.privilege, path), note].filter(Boolean).join(' ');

function requestBodyOf({
  body,
  bodyIsForm,
  bodyIsOptional,
  file,
  example,
}: DescribedRoute): OperationObject['requestBody'] {
  if (file !== undefined) {
    const content = Object.fromEntries(file.types.map((type) => [type, { schema: FILE }]));
    return { required: true, content };
  }
  if (body === undefined) return undefined;
  const schema = referenceTo(body.body);
  // If all fields are optional, the body is optional.
  const required =
    !bodyIsOptional && [...describedFields(body.body).values()].some((field) => field.required);
  const json = { 'application/json': { schema, ...shown(example.request) } };
  if (!bodyIsForm) return { required, content: json };
  return { required, content: { ...json, 'application/x-www-form-urlencoded': { schema } } };
}

const NEEDS_CREDENTIAL = { [SECURITY_SCHEME]: [] };

/** If an optional body is absent, the header must have the credential. */
function securityOf({
  asksForCredential,
  bodyIsOptional,
}: DescribedRoute): NonNullable<OperationObject['security']> {
  if (asksForCredential) return [NEEDS_CREDENTIAL];
  return bodyIsOptional ? [{}, NEEDS_CREDENTIAL] : [];
}

const FILE: SchemaObject = { type: 'string', format: 'binary' };

const SUCCESSES: Readonly<Record<string, string>> = {
  '200': 'The request was processed',
  '201': 'It was created',
  '204': 'The request was processed; there is no body',
};

function successResponse(
  route: DescribedRoute,
  ofRoute: readonly HeaderName[],
): NonNullable<OperationObject['responses']> {
  const kept =
    route.etag === undefined ? route.isVersioned && route.method !== 'DELETE' && 'RecordTag' : 'EntityTag';
  const headers = headersOf([
    ...ofRoute,
    'RequestId',
    route.list !== undefined && 'NextPage',
    route.isRepeatable && 'Replayed',
    kept,
    route.etag?.isTranslated === true && 'Language',
    route.fileResponse !== undefined && 'Attachment',
  ]);
  const status = String(route.status ?? (route.method === 'POST' ? 201 : 200));
  const model = route.response?.body ?? route.model;
  // csv is not listed as a media type: generators would turn each list into a union of its type and text.
  const json = model && { schema: referenceTo(model), ...shown(route.example.response) };
  const body = route.isText
    ? { 'text/plain': { schema: { type: 'string' } } }
    : json && { 'application/json': json };
  const content = route.fileResponse === undefined ? body : { [route.fileResponse]: { schema: FILE } };
  const inCsv =
    route.method === 'GET' && route.response !== undefined ? '; with `format=csv` the body is csv' : '';
  const description = route.fileResponse === undefined ? `${SUCCESSES[status] ?? ''}${inCsv}` : 'The file';
  return {
    [status]: { description, headers, ...(content && { content }) },
    ...(kept &&
      route.method === 'GET' && {
        '304': { description: 'The response that the client has still holds', headers },
      }),
  };
}

const shown = (example: BodyExample | undefined) =>
  example === undefined ? {} : { examples: { written: { ...example } } };

const BY_GRANT = {
  read: 'users who use a grant of it',
  manage: 'users who use a grant of it to manage',
} as const;

/** Describes who may do an operation, from the privilege table. */
function whoMay(privilege: Privilege, path: string): string {
  if (privilege.serviceKeys === 'byName')
    return 'Allowed to service keys of the operator that name this operation itself and have a whitelist.';
  const { admin, custadminOwn, custadminBeneath, finance, member, byGrant, self, apiKey } = privilege;
  const allowed = (...who: [verdict: string | undefined, who: string][]) =>
    who.flatMap(([verdict, name]) => (verdict === 'allow' ? [name] : [])).join(', ');
  const who = path.includes(':organisationId')
    ? allowed(
        [admin, 'admins'],
        [custadminOwn, 'a CUSTADMIN of the organisation'],
        [custadminBeneath, 'a CUSTADMIN above it'],
        [finance, 'a user of it with ROLE_FINANCE'],
        [member, 'any user of the organisation'],
        [byGrant && 'allow', BY_GRANT[byGrant ?? 'read']],
        [self, 'the user itself'],
      )
    : member === 'allow'
      ? 'every user'
      : allowed([admin, 'admins'], [custadminOwn, 'every CUSTADMIN']);
  return `Allowed to ${who}.${apiKey === undefined ? '' : ' Not with an API key.'}`;
}
