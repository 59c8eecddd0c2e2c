import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { describeInterface } from '@app/core/openapi/describe-interface';
import { Interface, nameOfRoute, type InterfaceDocument, type Schema } from './support/interface';
import { startTestService, type TestService } from './support/service';
import { errorsOfDocument } from './support/openapi-validator';
import { TAKES_TAG, VARIANTS } from './support/variants';

describe.each(VARIANTS)('the interface description of Variant %s', (variant) => {
  let service: TestService;
  let document: InterfaceDocument;
  beforeAll(async () => {
    service = await startTestService(variant);
    document = (await request(service.url).get('/docs/openapi.json').expect(200)).body as InterfaceDocument;
  });
  afterAll(() => service.stop());

  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    expect(await errorsOfDocument(document)).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('"nullable"');
    expect(await errorsOfDocument({ ...document, paths: { '/x': { get: { responses: 1 } } } })).not.toEqual(
      [],
    );
  });

  it('has a summary, and who may call it, for every route', async () => {
    const { routes } = await Interface.of(service);
    for (const route of routes) {
      const { summary = '', description = '' } = route.described as {
        summary?: string;
        description?: string;
      };
      expect({ route: nameOfRoute(route), summary }).toEqual({
        route: nameOfRoute(route),
        summary: expect.stringMatching(/\w+ \w+/) as string,
      });
      if (route.operation !== undefined) expect(description).toMatch(/^Allowed to \w+/);
    }
  });

  it('names every operation once', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('declares every parameter of every path, as text', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const [method, { parameters = [] }] of Object.entries(methods)) {
        const declared = parameters.filter((parameter) => parameter.in === 'path');
        expect({ method, path, declared }).toEqual({
          method,
          path,
          declared: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
        });
      }
    }
  });

  it('shows fields with a type in every body and every answer', () => {
    const untyped: string[] = [];
    const walk = (schema: Schema, where: string, seen: readonly string[]): void => {
      if (schema.$ref !== undefined) {
        const name = schema.$ref.split('/').at(-1) as string;
        const target = document.components.schemas[name];
        if (target === undefined) untyped.push(`${where}: ${name} is missing`);
        else if (!seen.includes(name)) walk(target, `${where} ${name}`, [...seen, name]);
        return;
      }
      const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
      if (schema.type === undefined && parts.length === 0) untyped.push(where);
      for (const part of parts) walk(part, where, seen);
      if (schema.items !== undefined) walk(schema.items, `${where}[]`, seen);
      for (const [name, field] of Object.entries(schema.properties ?? {}))
        walk(field, `${where}.${name}`, seen);
    };
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { requestBody, responses }] of Object.entries(methods)) {
        for (const response of [requestBody, ...Object.values(responses)]) {
          const schema = response?.content?.['application/json']?.schema;
          if (schema !== undefined) walk(schema, `${method} ${path}`, []);
        }
      }
    }
    expect(untyped).toEqual([]);
  });

  it('marks what is required, and its words and defaults, as account-api.md does', () => {
    const bodyOf = (method: string, path: string): Schema => {
      const { $ref = '' } =
        document.paths[path]?.[method]?.requestBody?.content['application/json']?.schema ?? {};
      return document.components.schemas[$ref.split('/').at(-1) as string] ?? {};
    };
    const update = bodyOf('put', '/v1/organisations/{organisationId}');
    expect(update.required).toEqual(['name', 'taxNumber']);
    expect(update.properties).toMatchObject({
      paymentperiod: { type: 'integer', enum: [0, 30, 60, 90] },
      mustPayTax: { type: 'boolean' },
      updateEntitiesOnly: { type: 'boolean' },
      resellerOrganisation: { type: ['integer', 'null'] },
      parentOrganisation: { type: 'string' },
    });
    const user = bodyOf('patch', '/v1/organisations/{organisationId}/users/{userId}');
    expect(user.required).toEqual(['username', 'firstName', 'lastName']);
    expect(user.properties).toMatchObject({ language: { enum: ['nl', 'en', 'fr'] } });
    const parameters = document.paths['/v1/organisations']?.['get']?.parameters ?? [];
    expect(parameters).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'limit', schema: expect.objectContaining({ default: 5 }) as object }),
        expect.objectContaining({
          name: 'offset',
          schema: expect.objectContaining({ default: 0 }) as object,
        }),
      ]),
    );
    expect(parameters.some(({ name }) => name === 'tag')).toBe(TAKES_TAG[variant]);
  });

  it('is checked in as it is: run `npm run docs:openapi` after a change of the interface', () => {
    const file = join(__dirname, `../docs/openapi-${variant.toLowerCase()}.json`);
    const written = JSON.parse(readFileSync(file, 'utf8')) as unknown;
    expect(JSON.parse(JSON.stringify(describeInterface(service.app)))).toEqual(written);
  });
});
