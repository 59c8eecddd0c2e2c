import { ModuleRef } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject, PathsObject, SecuritySchemeObject } from 'openapi3-ts/oas31';
import { Settings } from '@app/config/settings';
import { ListConventions } from '@app/platform/lists/list-request';
import { RouteTable } from '@app/security/access/route-table';
import { introductionOf } from '@app/service/openapi/introduction';
import { reachedFrom } from '@app/service/openapi/served-description';
import { describeOperation, SECURITY_SCHEME } from './describe-operation';
import { describedRoute, type InterfaceExamples } from './described-route';
import { ERROR_MODELS } from './refusals';
import { schemasOf } from './schemas';
import { SharedParts } from './shared-parts';
import { tagsOf } from './tags';

const CREDENTIAL: SecuritySchemeObject = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description:
    'Paste the `hash` of the response of `POST /v1/login`, or of an API key, with or without `Bearer ` before it. ' +
    'A read-only key works only for GET and HEAD.',
};

/**
 * The OpenAPI document of the variant of a started service without settings, from the declarations of its
 * routes, their shapes and the written samples. Leaves out routes without a tag.
 */
export function describeInterface(app: NestExpressApplication, examples: InterfaceExamples): OpenAPIObject {
  const settings = app.get(Settings);
  const routes = app
    .get(RouteTable)
    .routes.map((route) => describedRoute(route, app.get(ModuleRef), examples, settings))
    .filter(({ tags }) => tags !== undefined);
  const bodies = routes.flatMap(({ body, response, model }) => [model, body?.body, response?.body]);
  const models = [...bodies, ...ERROR_MODELS].filter((model) => model !== undefined);
  const shared = new SharedParts();
  const paths: PathsObject = {};
  for (const route of routes) {
    const ofPath = (paths[route.place.path] ??= {}) as Record<string, object>;
    ofPath[route.place.method] = describeOperation(route, app.get(ListConventions), shared);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `Account and organisation API, Variant ${settings.variant}`,
      description: introductionOf(paths, settings),
      version: '1.0',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The host that served this document' }],
    tags: tagsOf(paths),
    paths,
    components: reachedFrom(paths, {
      securitySchemes: { [SECURITY_SCHEME]: CREDENTIAL },
      schemas: schemasOf(models),
      ...shared.components,
    }),
  };
}
