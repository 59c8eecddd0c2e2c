import { ModuleRef } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, getSchemaPath, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { PRIVILEGES } from '../access/privileges';
import { RouteTable, type ServedRoute } from '../access/route-table';
import { Settings } from '../settings/settings';
import { ListConventions } from '../wire/list-conventions';
import { resolveShape } from '../wire/resolve-shape';
import {
  RESPONSE_METADATA,
  BODY_METADATA,
  LIST_METADATA,
  type ShapeReference,
} from '../wire/wire.decorators';
import type { ListShape, ResponseShape, RequestShape } from '../wire/shapes';
import { errorResponses, ErrorResponse } from './error-responses';
import { summaryOf } from './summaries';
import { whoMay } from './who-may';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** The shapes of one route in the running variant. */
interface DescribedRoute extends ServedRoute {
  readonly body: RequestShape<unknown> | undefined;
  readonly response: ResponseShape<unknown> | undefined;
  readonly status: number | undefined;
  readonly list: ListShape<never, string, string> | undefined;
}

const SECURITY_SCHEME = 'hash';

const FORMAT_PARAMETER = {
  name: 'format',
  in: 'query' as const,
  required: false,
  description: 'csv, as `Accept: text/csv` asks for too: a header row, then a row for each item',
  schema: { type: 'string', enum: ['json', 'csv'], default: 'json' },
};

/**
 * The OpenAPI document of the running variant. Routes and path parameters come from Nest's own reading of the
 * controllers; bodies, responses and list parameters from the shapes, which controllers only point at.
 */
export function describeInterface(app: NestExpressApplication): OpenAPIObject {
  const moduleRef = app.get(ModuleRef);
  const routes = app.get(RouteTable).routes.map((route) => describedRoute(route, moduleRef));
  const config = new DocumentBuilder()
    .setTitle(`Account and organisation API, Variant ${app.get(Settings).variant}`)
    .setDescription('Log in with POST /v1/login, then authorise with the `hash` of its answer.')
    .setVersion('1.0')
    .setOpenAPIVersion('3.1.0')
    .addSecurity(SECURITY_SCHEME, {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description:
        'The hash of a login or an API key, as it is; a read-only key is good for GET and HEAD alone',
    })
    .build();
  const extraModels = [
    ErrorResponse,
    ...routes
      .flatMap(({ body, response }) => [body?.body, response?.body])
      .filter((model) => model !== undefined),
  ];
  const document = SwaggerModule.createDocument(app, config, {
    extraModels,
    operationIdFactory: (controller, method) => `${controller.replace(/Controller[AB]?$/, '')}_${method}`,
  });
  const conventions = app.get(ListConventions);
  for (const route of routes) describeOperation(document, route, conventions);
  return document;
}

function describedRoute(route: ServedRoute, moduleRef: ModuleRef): DescribedRoute {
  const reference = (key: string) => Reflect.getMetadata(key, route.handler) as ShapeReference | undefined;
  const shape = <Shape>(key: string): Shape | undefined => {
    const found = reference(key);
    return found === undefined ? undefined : resolveShape<Shape>(moduleRef, found);
  };
  return {
    ...route,
    body: shape(BODY_METADATA),
    response: shape(RESPONSE_METADATA),
    status: reference(RESPONSE_METADATA)?.status,
    list: shape(LIST_METADATA),
  };
}

function describeOperation(
  document: OpenAPIObject,
  route: DescribedRoute,
  conventions: ListConventions,
): void {
  const path = document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')] as
    Record<string, Operation | undefined> | undefined;
  if (path === undefined) return;
  if (route.method === 'ALL') keepGetAlone(path);
  const operation = path[route.method === 'ALL' ? 'get' : route.method.toLowerCase()];
  if (operation === undefined) return;
  const summary = summaryOf(route);
  if (summary !== undefined) operation.summary = summary;
  if (route.operation !== undefined) {
    operation.security = [{ [SECURITY_SCHEME]: [] }];
    operation.description = whoMay(PRIVILEGES[route.operation]);
  }
  // The handlers' own parameters are raw, or read by the guard: path and shapes say what they really take.
  operation.parameters = [
    ...pathParameters(route.path),
    ...(route.list === undefined ? [] : listParameters(route.list, conventions)),
    ...(route.method === 'GET' && route.response !== undefined ? [FORMAT_PARAMETER] : []),
  ];
  delete operation.requestBody;
  if (route.body !== undefined) {
    operation.requestBody = {
      required: true,
      content: { 'application/json': { schema: { $ref: getSchemaPath(route.body.body) } } },
    };
  }
  operation.responses = {
    ...successResponse(route, operation),
    ...errorResponses(route, route.body !== undefined),
  };
}

/** The interface description declares every path parameter as a string. */
const pathParameters = (path: string): NonNullable<Operation['parameters']> =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

/** OpenAPI has no "any method", and not every method that express knows: one stands for all. */
function keepGetAlone(path: Record<string, Operation | undefined>): void {
  for (const method of Object.keys(path)) if (method !== 'get') delete path[method];
}

function successResponse(route: DescribedRoute, operation: Operation): Operation['responses'] {
  if (route.response !== undefined) {
    return {
      [String(route.status)]: {
        description: 'The request was processed',
        content: {
          'application/json': { schema: { $ref: getSchemaPath(route.response.body) } },
          ...(route.method === 'GET' && { 'text/csv': { schema: { type: 'string' } } }),
        },
      },
    };
  }
  const [status = '200'] = Object.keys(operation.responses);
  return { [status]: { description: 'The request was processed' } };
}

function listParameters(
  list: ListShape<never, string, string>,
  { tag }: ListConventions,
): NonNullable<Operation['parameters']> {
  const parameter = (name: string, description: string, schema: object) => ({
    name,
    in: 'query' as const,
    required: false,
    description,
    schema,
  });
  return [
    parameter(
      'limit',
      'Most items of the page; 0 means as many as allowed. A page ends after about 2 MB whatever it says: ' +
        '`Link: rel="next"` leads on. csv without a limit, or with 0, has all rows',
      {
        type: 'integer',
        minimum: 0,
        default: 5,
      },
    ),
    parameter('offset', 'Items before the page', { type: 'integer', minimum: 0, default: 0 }),
    parameter('orderBy', 'Field that orders the list', {
      type: 'string',
      enum: Object.keys(list.orderBy),
      default: 'id',
    }),
    parameter('orderType', 'Direction of the order', {
      type: 'string',
      enum: ['ASC', 'DESC'],
      default: 'ASC',
    }),
    parameter('filter', "Substring of the items' own texts, without regard to case", { type: 'string' }),
    ...(tag
      ? [parameter('tag', 'Accepted; nothing carries tags, so that one selects nothing', { type: 'string' })]
      : []),
    ...Object.keys(list.search).map((name) =>
      parameter(name, 'Substring of this field, without regard to case', { type: 'string' }),
    ),
  ];
}
