import { ModuleRef } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiProperty, DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { describedFields } from '@app/platform/dto/described-fields';
import { ListConventions } from '@app/platform/lists/list-request';
import { Settings } from '@app/platform/process/settings';
import { RouteTable } from '@app/security/access/route-table';
import { describedRoute, describeOperation, InterfaceExamples, SECURITY_SCHEME } from './describe-operation';
import { introductionOf, tagsOf } from './introduction';
import { ERROR_MODELS } from './refusals';
import { SharedParts } from './shared-parts';

// Set separately, because the library's type lacks `identifier`.
const LICENCE = { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' };

/** An empty module: Swagger only writes the schemas of the models. */
class NoRoutes {}

/** The OpenAPI document of the running variant, from its route declarations and shapes. Leaves out untagged controllers. */
export function describeInterface(app: NestExpressApplication): OpenAPIObject {
  const routes = app
    .get(RouteTable)
    .routes.map((route) => describedRoute(route, app.get(ModuleRef), app.get(InterfaceExamples)))
    .filter(({ tags }) => tags !== undefined);
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
        'Paste the `hash` of the response of `POST /v1/login`, or of an API key, with or without `Bearer ` before it. ' +
        'A read-only key works only for GET and HEAD.',
    })
    .build();
  const shapes = routes.flatMap(({ body, response }) => [body?.body, response?.body]);
  const models = [...routes.map(({ model }) => model), ...ERROR_MODELS, ...shapes];
  for (const { prototype, name, options } of describedFields()) ApiProperty(options)(prototype, name);
  const document = SwaggerModule.createDocument(app, config, {
    include: [NoRoutes],
    extraModels: models.filter((model) => model !== undefined),
  });
  const shared = new SharedParts();
  for (const route of routes) {
    const ofPath = (document.paths[route.documentPath] ??= {}) as Record<string, object>;
    ofPath[route.documentMethod] = describeOperation(route, app.get(ListConventions), shared);
  }
  document.info.description = introductionOf(document);
  document.info.license = LICENCE;
  document.tags = tagsOf(document);
  document.components = { ...document.components, ...shared.components };
  return document;
}
