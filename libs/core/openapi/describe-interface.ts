import { ModuleRef } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { RouteTable, type ServedRoute } from '../access/route-table';
import type { ApiError } from '../errors/api-error';
import { Settings } from '../settings/settings';
import { FILE_BODY_METADATA, type FileBodyRule } from '../wire/file-body';
import { FILE_RESPONSE_METADATA } from '../wire/file-response';
import { ListConventions } from '../wire/list-conventions';
import { REVALIDATED_METADATA, type Revalidation } from '../wire/revalidated';
import { QUERY_METADATA, type QueryText } from '../wire/query-parameter.decorator';
import { resolveShape } from '../wire/resolve-shape';
import {
  BODY_METADATA,
  LIST_METADATA,
  RESPONSE_METADATA,
  type ShapeReference,
} from '../wire/wire.decorators';
import { describeOperation, SECURITY_SCHEME, type DescribedRoute } from './describe-operation';
import { ErrorExamples } from './error-examples';
import { ERROR_MODELS } from './error-responses';
import { InterfaceExamples } from './interface-examples';
import { introductionOf, tagsOf } from './introduction';
import { REFUSALS_METADATA, VARIANT_REFUSALS_METADATA } from './refuses.decorator';
import { HEADER_COMPONENTS } from './response-headers';

/** The service is its operator's own. */
const LICENCE = { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' };

/**
 * The OpenAPI document of the running variant. Routes and path parameters come from Nest's own reading of the
 * controllers; bodies, responses and list parameters from the shapes, which controllers only point at.
 */
export function describeInterface(app: NestExpressApplication): OpenAPIObject {
  const moduleRef = app.get(ModuleRef);
  const routes = app
    .get(RouteTable)
    .routes.map((route) => describedRoute(route, moduleRef, app.get(InterfaceExamples)));
  const config = new DocumentBuilder()
    .setTitle(`Account and organisation API, Variant ${app.get(Settings).variant}`)
    .setVersion('1.0')
    .addServer('/', 'The host that served this document')
    .setOpenAPIVersion('3.1.0')
    .addSecurity(SECURITY_SCHEME, {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description:
        'The hash of a login or of an API key as it is, or after `Bearer `; a read-only key is good for GET and HEAD alone',
    })
    .build();
  const extraModels = [
    ...ERROR_MODELS,
    ...routes
      .flatMap(({ body, response }) => [body?.body, response?.body])
      .filter((model) => model !== undefined),
  ];
  const document = SwaggerModule.createDocument(app, config, {
    extraModels,
    operationIdFactory: (controller, method) => `${controller.replace(/Controller[AB]?$/, '')}_${method}`,
  });
  document.info.description = introductionOf(document);
  document.info.license = LICENCE;
  document.tags = tagsOf(document);
  const conventions = app.get(ListConventions);
  const errorExamples = new ErrorExamples();
  for (const route of routes) describeOperation(document, route, conventions, errorExamples);
  document.components = {
    ...document.components,
    headers: HEADER_COMPONENTS,
    examples: errorExamples.components,
  };
  return document;
}

function describedRoute(
  route: ServedRoute,
  moduleRef: ModuleRef,
  { byOperation }: InterfaceExamples,
): DescribedRoute {
  const reference = (key: string) => Reflect.getMetadata(key, route.handler) as ShapeReference | undefined;
  const shape = <Shape>(key: string): Shape | undefined => {
    const found = reference(key);
    return found === undefined ? undefined : resolveShape<Shape>(moduleRef, found);
  };
  const refusals = Reflect.getMetadata(REFUSALS_METADATA, route.handler) as readonly ApiError[] | undefined;
  const path = route.path.replace('/v1', '').replaceAll(/:(\w+)/g, '{$1}');
  return {
    ...route,
    example: byOperation[`${route.method} ${path}`] ?? {},
    body: shape(BODY_METADATA),
    bodyIsOptional: reference(BODY_METADATA)?.optional ?? false,
    response: shape(RESPONSE_METADATA),
    status: reference(RESPONSE_METADATA)?.status,
    list: shape(LIST_METADATA),
    fileBody: Reflect.getMetadata(FILE_BODY_METADATA, route.handler) as FileBodyRule | undefined,
    fileResponse: Reflect.getMetadata(FILE_RESPONSE_METADATA, route.handler) as string | undefined,
    revalidation: Reflect.getMetadata(REVALIDATED_METADATA, route.handler) as Revalidation | undefined,
    query: Reflect.getMetadata(QUERY_METADATA, route.handler) as QueryText | undefined,
    refusals: [...(refusals ?? []), ...(shape<readonly ApiError[]>(VARIANT_REFUSALS_METADATA) ?? [])],
  };
}
