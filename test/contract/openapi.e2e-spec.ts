import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import type { VariantName } from '@app/config/settings';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import { interfaceExamples } from '../../tools/docs/interface-examples';
import { describeInterface } from '../../tools/docs/openapi/describe-interface';
import { writtenOut } from '../../tools/docs/written-out.cjs';
import { makeOrganisation } from '../support/factories/factories';
import {
  type DescribedOperation,
  Interface,
  type InterfaceDocument,
  nameOfRoute,
  type Schema,
} from '../support/generators/interface';
import { CHANGED_ALONE, taggedPaths } from '../support/generators/tagged-paths';
import { anonymous, asAdmin } from '../support/service/client';
import { useService } from '../support/service/service';
import { TAKES_TAG } from '../support/service/variants';

/**
 * Prints what is wrong with the document on standard input; the validator is an ES
 * module, which jest cannot load.
 */
const SCRIPT = `
  import { Validator } from '@seriousme/openapi-schema-validator';
  let text = '';
  for await (const part of process.stdin) text += part;
  const { valid, errors } = await new Validator().validate(JSON.parse(text));
  process.stdout.write(JSON.stringify(valid ? [] : [errors].flat()));
`;

/** What a validator of OpenAPI documents finds wrong with one. */
function errorsOfDocument(document: object): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      ['--input-type=module', '--eval', SCRIPT],
      { maxBuffer: 50_000_000 },
      (error, output) => {
        if (error === null) resolve(JSON.parse(output) as unknown[]);
        else reject(new Error('The validator failed', { cause: error }));
      },
    );
    child.stdin?.end(JSON.stringify(document));
  });
}

/** account-api.md, "Authentication", 5. */
const passwordRules: PerVariant<{ lengths: object; words: RegExp }> = {
  A: { lengths: { minLength: 8, maxLength: 29 }, words: /one digit and one special character/ },
  B: { lengths: { minLength: 9, maxLength: 29 }, words: /one capital letter and one digit/ },
};

/** Organisation types and notification types match exactly, all others by substring (rule requests 54). */
const exactQueries: PerVariant<readonly string[]> = { A: ['organisationType', 'type'], B: ['type'] };

/** Messages of wrong codes, beside the two that every login can give (rule login 49). */
const codeMessages: PerVariant<readonly string[]> = {
  A: ['6digitCode is invalid', '2FA token is invalid'],
  B: [],
};

/** Reference data, which clients keep; in the language of the client, or in the operator's own words. */
const TRANSLATED = ['countries', 'organisationTypes', 'roles', 'notificationGroups'].map(
  (name) => `/v1/${name}`,
);
const KEPT = [...TRANSLATED, '/v1/pricegroups'];

const printed = (variant: VariantName): unknown =>
  JSON.parse(readFileSync(join(__dirname, `../../docs/openapi-${variant.toLowerCase()}.json`), 'utf8'));

/** Whether two words of an id begin alike: `pdfDownloadDownload`, `contactsContact`. */
function hasWordTwice(id: string): boolean {
  const stems = id.split(/(?=[A-Z])/).map((word) => word.toLowerCase().slice(0, 5));
  return new Set(stems).size < stems.length;
}

describe.each(VARIANTS)('GET /docs/openapi.json of Variant %s', (variant) => {
  // As it is without any setting.
  const service = useService(variant, { settings: { rateLimit: true } });
  let served: InterfaceDocument;
  let document: InterfaceDocument;
  beforeAll(async () => {
    served = (await request(service.url).get('/docs/openapi.json').expect(200)).body as InterfaceDocument;
    document = writtenOut(served) as InterfaceDocument;
  });

  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    expect(await errorsOfDocument(served)).toEqual([]);
    expect(JSON.stringify(served)).not.toContain('"nullable"');
    expect(await errorsOfDocument({ ...document, paths: { '/x': { get: { responses: 1 } } } })).not.toEqual(
      [],
    );
  });

  it('says the same in OpenAPI 3.0.3 at /docs/openapi-3.0.json', async () => {
    const { body } = await request(service.url).get('/docs/openapi-3.0.json').expect(200);
    const older = body as InterfaceDocument;
    expect(older.openapi).toBe('3.0.3');
    expect(await errorsOfDocument(older)).toEqual([]);
    // Both ways of OpenAPI 3.1 to say "or null", which 3.0 does not know.
    expect(JSON.stringify(older)).not.toMatch(/"type":(\[|"null")/);
    expect(older.info).toMatchObject({ license: { name: 'Proprietary' } });
    const update = 'UpdateOrganisationDto';
    expect(document.components.schemas[update]?.properties?.['resellerOrganisation']).toMatchObject({
      type: ['integer', 'null'],
    });
    expect(older.components.schemas[update]?.properties?.['resellerOrganisation']).toMatchObject({
      type: 'integer',
      nullable: true,
    });
    expect(older.components.schemas['OrganisationResponse']?.properties?.['country']).toMatchObject({
      type: 'object',
      nullable: true,
      allOf: [{ $ref: '#/components/schemas/CountryResponse' }],
    });
    expect(older.components.schemas['CountryResponse']).toMatchObject({ type: 'object', nullable: true });
    // A list of users holds no null, though a user of Variant B's notifications may be null.
    expect(older.components.schemas['UserItemResponse']).not.toHaveProperty('nullable');
    expect(Object.keys(older.paths)).toEqual(Object.keys(document.paths));
  });

  it('describes JSON alone, so that generated clients have one type for each response', () => {
    const types = Object.values(document.paths).flatMap((path) =>
      Object.values(path).flatMap(({ responses }) =>
        Object.values(responses).map(({ content = {} }) => Object.keys(content)),
      ),
    );
    expect(types.filter((names) => names.length > 1)).toEqual([]);
    expect(operation('get', '/v1/organisations').responses['200']?.description).toMatch(/csv/);
  });

  it('says what to paste into "Authorize", which /docs keeps nowhere', async () => {
    const schemes = document.components.securitySchemes;
    expect(schemes['hash']?.description).toMatch(/^Paste the `hash` .*`POST \/v1\/login`/);
    const { text } = await request(service.url).get('/docs/swagger-initializer.js').buffer(true).expect(200);
    expect(text).toContain("docExpansion: 'none'");
    expect(text).not.toContain('persistAuthorization');
    // Swagger UI would send the URL of the document to a server that checks it.
    expect(text).toContain('validatorUrl: null');
  });

  it('is shown by /docs under a title bar of its own, with a plain login as the example', async () => {
    const { text } = await request(service.url).get('/docs/').expect(200);
    expect(text).toContain('<title>Account API</title>');
    expect(text).toContain(".topbar .link::before { content: 'Account API'; }");
    const files = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(files).toHaveLength(5);
    for (const path of files) await request(service.url).get(path).expect(200);
    await request(service.url).get('/docs/package.json').expect(404);
    const content = operation('post', '/v1/login').requestBody?.content['application/json'];
    expect(Object.values(content?.examples ?? {})).toEqual([
      {
        summary: expect.any(String) as string,
        value: { username: 'anna@example.com', password: 'Passw0rd-1' },
      },
    ]);
  });

  it('has a summary and who may call it for every route', async () => {
    const { routes } = await Interface.of(service);
    for (const route of routes) {
      const { summary = '', description = '' } = route.described;
      expect({ route: nameOfRoute(route), summary }).toEqual({
        route: nameOfRoute(route),
        summary: expect.stringMatching(/\w+ \w+/) as string,
      });
      if (route.operation !== undefined) expect(description).toMatch(/^Allowed to \w+/);
    }
  });

  it('has no summary twice', () => {
    const summaries = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ summary }) => summary),
    );
    expect(summaries.filter((summary, index) => summaries.indexOf(summary) !== index)).toEqual([]);
  });

  it('has every operationId once, in camel case and with no word twice', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z]+([A-Z0-9][a-z]*)*$/.test(id))).toEqual([]);
    expect(ids.filter(hasWordTwice)).toEqual([]);
    expect(['pdfDownloadDownload', 'contactsContact', 'contactsCreate'].map(hasWordTwice)).toEqual([
      true,
      true,
      false,
    ]);
    expect(ids).toEqual(expect.arrayContaining(['contactsCreate', 'introspect']));
  });

  it('declares every parameter of every path: ids as integers, tokens and hashes as text', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      for (const [method, { parameters = [] }] of Object.entries(methods)) {
        const declared = parameters.filter((parameter) => parameter.in === 'path');
        expect({ method, path, declared }).toEqual({
          method,
          path,
          declared: names.map((name) => ({
            name,
            in: 'path',
            required: true,
            description: expect.stringMatching(/\w+ \w+/) as string,
            schema: /id$/i.test(name) ? { type: 'integer', minimum: 1 } : { type: 'string' },
          })),
        });
      }
    }
  });

  const operation = (method: string, path: string): DescribedOperation =>
    document.paths[path]?.[method] ?? { operationId: '', responses: {} };

  it('has the statuses that each of these operations can answer, and no others', () => {
    const user = '/v1/organisations/{organisationId}/users/{userId}';
    const documents = '/v1/organisations/{organisationId}/documents';
    const expected: readonly (readonly [string, string, string])[] = [
      ['get', '/health/live', '200'],
      ['get', '/health/ready', '200 503'],
      ['get', '/v1/downloadpdf/{id}/{contactId}/{hash}', '200 404 429 500 503'],
      ['get', '/v1/countries', '200 304 400 401 403 500 503'],
      ['put', `${documents}/{documentId}`, '204 400 401 403 404 413 415 500 503'],
      ['get', `${documents}/{documentId}/pdf`, '200 401 403 404 500 503'],
      ['post', '/v1/login', '200 400 401 404 413 415 429 500 503'],
      ['post', '/v1/logout', '204 401 403 500 503'],
      ['get', '/v1/whoami', '200 400 401 403 500 503'],
      ['post', '/v1/resetting/send_email', '204 400 413 415 429 500 503'],
      ['post', '/v1/resetting/{token}', '200 400 404 413 415 429 500 503'],
      ['post', '/v1/registerInvitation', '201 400 413 415 429 500 503'],
      ['get', '/v1/organisations', '200 400 401 403 500 503'],
      ['get', '/v1/organisations/{organisationId}', '200 304 400 401 403 404 500 503'],
      ['put', '/v1/organisations/{organisationId}', '204 400 401 403 404 412 413 415 429 500 503'],
      ['delete', '/v1/organisations/{organisationId}', '204 400 401 403 404 412 500 503'],
      ['delete', user, '204 400 401 403 404 412 500 503'],
      ['delete', `${user}/contacts/{contactId}`, '204 400 401 403 404 412 500 503'],
      ['post', `${user}/changepassword`, '200 400 401 403 404 409 413 415 422 429 500 503'],
    ];
    const described = expected.map(([method, path]) => [
      method,
      path,
      Object.keys(operation(method, path).responses).sort().join(' '),
    ]);
    expect(described).toEqual(expected);
  });

  it('has 501 for /domains/check alone', () => {
    const elsewhere = Object.entries(document.paths).filter(([, methods]) =>
      Object.values(methods).some(({ responses }) => '501' in responses),
    );
    expect(elsewhere.map(([path]) => path).sort()).toEqual(
      Object.keys(document.paths)
        .filter((path) => /domains\/check/.test(path))
        .sort(),
    );
    for (const [, methods] of elsewhere)
      for (const { responses } of Object.values(methods))
        expect(Object.keys(responses).filter((status) => status < '400')).toEqual([]);
  });

  it('says which queries match exactly', () => {
    const queries = Object.values(document.paths).flatMap((path) =>
      Object.values(path).flatMap(({ parameters = [] }) =>
        parameters.filter(({ description = '' }) => /exactly/.test(description)).map(({ name }) => name),
      ),
    );
    expect([...new Set(queries)]).toEqual(exactQueries[variant]);
  });

  it('has the rules of passwords with their lengths', () => {
    const rules = passwordRules[variant];
    const passwords = Object.values(document.components.schemas).flatMap(({ properties = {} }) =>
      Object.values(properties).filter(({ description = '' }) => description.startsWith('The new password')),
    );
    expect(passwords.length).toBeGreaterThan(2);
    for (const password of passwords) {
      expect(password).toMatchObject({ type: 'string', format: 'password', ...rules.lengths });
      expect(password.description).toMatch(rules.words);
    }
  });

  it('asks for no credential on its public paths, and lets one stand for the body of a login', () => {
    expect(operation('get', '/v1/whoami').security).toEqual([{ hash: [] }]);
    expect(operation('post', '/v1/resetting/send_email').security).toEqual([]);
    const login = operation('post', '/v1/login');
    expect(login.security).toEqual([{}, { hash: [] }]);
    expect(login.requestBody?.required).toBe(false);
    expect(operation('post', '/v1/resetting/send_email').requestBody?.required).toBe(true);
  });

  it('says what holds without any setting', () => {
    for (const words of [
      'It ends 7 days after its last use, 30 days after the login',
      '0 for as many as allowed, which is 1000)',
      'Unknown fields are ignored.',
      '429 instead of 401 after 60 calls',
    ]) {
      expect(document.info.description).toContain(words);
    }
    expect(operation('post', '/v1/login').responses['404']?.description).toContain('Username not found');
    expect(JSON.stringify(operation('post', '/v1/registerInvitation').responses)).toContain('TOKEN_REQUIRED');
  });

  it('POST /login: has the messages of its 401', () => {
    const { description } = operation('post', '/v1/login').responses['401'] as { description: string };
    expect([...description.matchAll(/`([^`]+)`/g)].map(([, message]) => message)).toEqual([
      'Bad credentials',
      '2FA is requested',
      '2FA is required',
      ...codeMessages[variant],
    ]);
  });

  it('PATCH …/users/{userId}: says what a CUSTADMIN may not do to admins, and nobody but an admin to itself', () => {
    const user = '/v1/organisations/{organisationId}/users/{userId}';
    const { description, responses } = operation('patch', user);
    expect(description).toMatch(/ROLE_ADMIN gets 403.*own `defaultRoles` gets 500/);
    expect(responses['403']?.description).toMatch(/ROLE_ADMIN/);
    expect(responses['500']?.description).toMatch(/lacks the role/);
    expect(operation('get', user).responses['500']?.description).not.toMatch(/role/);
  });

  const isFile = (path: string, method: string): boolean =>
    method === 'get' && /^\/v1\/download|\/documents\/\{documentId\}\/(pdf|xml)$/.test(path);

  it('says where a body is a file, and of which type', () => {
    const bytes = { schema: { type: 'string', format: 'binary' } };
    const put = operation('put', '/v1/organisations/{organisationId}/documents/{documentId}');
    expect(put.requestBody).toEqual({
      required: true,
      content: { 'application/pdf': bytes, 'application/xml': bytes, 'text/xml': bytes },
    });
    expect(put.parameters?.map(({ name }) => name)).toEqual(['organisationId', 'documentId', 'name']);
    const files = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => isFile(path, method))
        .map(([, { responses }]) => responses),
    );
    expect(files.length).toBe(variant === 'A' ? 4 : 3);
    for (const responses of files) {
      const [type = ''] = Object.keys(responses['200']?.content ?? {});
      expect(type).toMatch(/^application\/(pdf|xml)$/);
      expect(responses['200']?.content).toEqual({ [type]: bytes });
    }
  });

  const isTagged = (
    parameters: DescribedOperation['parameters'] = [],
    name = /^If-(None-)?Match$/,
  ): boolean => parameters.some((parameter) => name.test(parameter.name));

  it('has If-Match, If-None-Match, 304 and 412 where a record has an ETag', () => {
    const conditional: Record<string, string[]> = {};
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { parameters, responses }] of Object.entries(methods)) {
        if (isTagged(parameters, /^If-Match$/)) {
          (conditional[path] ??= []).push(method);
          expect(['400', '412'].filter((status) => status in responses)).toEqual(['400', '412']);
        } else expect(responses['412']).toBeUndefined();
        expect([path, method, '304' in responses]).toEqual([
          path,
          method,
          isTagged(parameters, /^If-None-Match$/),
        ]);
      }
    }
    const tagged = [...taggedPaths(variant), ...CHANGED_ALONE[variant]];
    expect(Object.keys(conditional).sort()).toEqual(
      tagged.map((path) => path.replaceAll(/:(\w+)/g, '{$1}')).sort(),
    );
    expect(conditional['/v1/organisations/{organisationId}']).toEqual(['put', 'patch', 'delete']);
    expect(conditional['/v1/organisations/{organisationId}/billing']).toEqual(['put', 'patch']);
    const ofMigrated = conditional['/v1/organisations/{organisationId}/cp3/users/{userId}'];
    expect(ofMigrated).toEqual(variant === 'A' ? undefined : ['patch']);
  });

  it('has the headers of every response', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { parameters = [], security, responses }] of Object.entries(methods)) {
        const needsCredential = security?.length === 1;
        const isList = parameters.some(({ name }) => name === 'offset');
        const isDeprecated = path === '/v1/registerInvitation';
        const hasTag = KEPT.includes(path) ? method === 'get' : isTagged(parameters) && method !== 'delete';
        const isRepeatable = parameters.some(({ name }) => name === 'Idempotency-Key');
        for (const [status, { headers = {} }] of Object.entries(responses)) {
          const expected = [
            'X-Request-Id',
            ...(isDeprecated ? ['Deprecation'] : []),
            ...(isFile(path, method) && status === '200' ? ['Content-Disposition'] : []),
            ...(hasTag && status < '400' ? ['ETag'] : []),
            ...(TRANSLATED.includes(path) && status < '400' ? ['Content-Language'] : []),
            ...(isDeprecated || (isList && status === '200') ? ['Link'] : []),
            ...(isRepeatable && status < '300' ? ['Idempotency-Replayed'] : []),
            ...(['409', '429', '503'].includes(status) ? ['Retry-After'] : []),
            ...(needsCredential && status === '401' ? ['WWW-Authenticate'] : []),
          ];
          expect([method, path, status, Object.keys(headers).sort()]).toEqual([
            method,
            path,
            status,
            expected.sort(),
          ]);
        }
      }
    }
  });

  it('has a type for every field of every body and answer', () => {
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

  it('has a description of every field of every schema', () => {
    const silent: string[] = [];
    let fields = 0;
    const walk = (schema: Schema, where: string): void => {
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        fields++;
        if (!/\w+ \w+/.test(field.description ?? '')) silent.push(`${where}.${name}`);
        walk(field, `${where}.${name}`);
      }
      if (schema.items !== undefined) walk(schema.items, `${where}[]`);
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) walk(schema, name);
    expect(silent).toEqual([]);
    expect(fields).toBeGreaterThan(300);
  });

  it('has a description of every parameter, tag and response', () => {
    const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
    const silent = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters = [], tags: names = [], responses }]) =>
        [
          ...parameters.map(({ description }) => description),
          ...names.map((name) => tags.get(name)),
          ...Object.values(responses).map(({ description }) => description),
          names.length === 1 ? 'one tag' : undefined,
        ].every((words) => /\w+ \w+/.test(words ?? ''))
          ? []
          : [`${method} ${path}`],
      ),
    );
    expect(silent).toEqual([]);
  });

  it('says how to log in, page and read errors, and where', () => {
    for (const words of ['POST /v1/login', 'Authorization', 'rel="next"', 'errors.children', 'Retry-After']) {
      expect(document.info.description).toContain(words);
    }
    for (const message of ['2FA is requested', '2FA is required', ...codeMessages[variant]]) {
      expect(document.info.description).toContain(`\`${message}\``);
    }
    expect(document.servers).toEqual([{ url: '/', description: expect.any(String) as string }]);
  });

  it('lists the roles and the groups of notifications', () => {
    const { UserItemResponse, ContactPreferenceResponse, CreateInvitationDto } = document.components.schemas;
    const roles = ['ADMIN', 'CUSTADMIN', 'FINANCE', 'SYSTEM', 'DOMAIN', 'MAIL', 'APP'].map(
      (name) => `ROLE_${name}`,
    );
    expect(UserItemResponse?.properties?.['roles']?.items?.enum).toEqual(roles);
    for (const role of roles)
      expect(CreateInvitationDto?.properties?.['autoRoles']?.description).toContain(role);
    expect(ContactPreferenceResponse?.properties?.['name']?.enum).toEqual([
      'System',
      'Domain',
      'App',
      'Finance',
      'Job',
      'Crm',
      'Mail',
    ]);
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

  it('has examples of every body and answer', async () => {
    const written = await interfaceExamples(variant);
    const silent = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody, responses }]) =>
        [requestBody, ...Object.entries(responses).map(([, response]) => response)]
          .map((body) => body?.content?.['application/json'])
          .every((content) => content === undefined || Object.keys(content.examples ?? {}).length > 0) ||
        path.startsWith('/health/')
          ? []
          : [`${method} ${path}`],
      ),
    );
    expect(silent).toEqual([]);
    expect(JSON.stringify(Object.values(written))).not.toMatch(/<\w+>|\{\w+\}/);
  });

  it('is what npm run docs prints of the interface and the scenarios', async () => {
    const described = describeInterface(service.app, await interfaceExamples(variant));
    expect(JSON.parse(JSON.stringify(described))).toEqual(printed(variant));
  });

  it('is docs/openapi-*.json', () => {
    expect(JSON.stringify(served)).toBe(JSON.stringify(printed(variant)));
  });

  it('has no default in bodies of PUT and PATCH', async () => {
    const { routes } = await Interface.of(service);
    const promised = routes
      .filter(({ method }) => method === 'PUT' || method === 'PATCH')
      .flatMap(({ method, path, fields }) =>
        Object.entries(fields)
          .filter(([, field]) => 'default' in field)
          .map(([name]) => `${method} ${path} ${name}`),
      );
    expect(promised).toEqual([]);
  });
});

describe.each(VARIANTS)('with a path in PUBLIC_URL and other settings in Variant %s', (variant) => {
  const service = useService(variant, {
    settings: {
      publicUrl: 'https://panel.example/account-api',
      loginIdleTtl: 5400,
      loginMaxTtl: 86_400,
      listLimitMax: 50,
      strictBody: true,
      hideUnknownUsernames: true,
      allowTokenlessRegistration: true,
    },
  });
  /** What the proxy asks for a path of the outside. */
  const ask = (path: string) => request(service.url).get(path.replace(/^\/account-api(?=\/)/, ''));

  it('/docs and what it loads lie beneath that path', async () => {
    const { text } = await ask('/account-api/docs').expect(200);
    const files = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(files).toHaveLength(5);
    for (const path of files) {
      expect(path).toMatch(/^\/account-api\/docs\//);
      await ask(path).expect(200);
    }
    const initializer = await ask('/account-api/docs/swagger-initializer.js').buffer(true).expect(200);
    expect(initializer.text).toContain('url: "/account-api/docs/openapi.json",');
  });

  it('/docs/openapi.json and /docs/openapi-3.0.json name it as the server', async () => {
    for (const path of ['/docs/openapi.json', '/docs/openapi-3.0.json']) {
      const { body } = await ask(path).expect(200);
      expect(body).toMatchObject({ servers: [{ url: '/account-api' }] });
    }
  });

  it('/docs/openapi.json says what holds with these settings', async () => {
    const { body } = await ask('/account-api/docs/openapi.json').expect(200);
    const { info } = body as InterfaceDocument;
    expect(info.description).toContain('It ends 90 minutes after its last use, 1 day after the login');
    expect(info.description).toContain('0 for as many as allowed, which is 50)');
    expect(info.description).toContain('Unknown fields are refused.');
    // RATE_LIMIT is off in tests.
    expect(info.description).not.toContain('429 instead of 401');
  });

  it('/docs/openapi.json has the errors of a service without settings', async () => {
    const { body } = await ask('/account-api/docs/openapi.json').expect(200);
    const responsesOf = (path: string) =>
      (writtenOut(body as object) as InterfaceDocument).paths[path]?.['post']?.responses ?? {};
    expect(Object.keys(responsesOf('/v1/login'))).toContain('404');
    expect(JSON.stringify(responsesOf('/v1/registerInvitation'))).toContain('TOKEN_REQUIRED');
  });

  it('Link to the next page and to the successor of a route begins with it', async () => {
    const admin = await asAdmin(service);
    await makeOrganisation(service);
    for (const format of ['json', 'csv']) {
      const { headers } = await admin.get(`/organisations?limit=1&format=${format}`).expect(200);
      expect(headers['link']).toBe(
        `</account-api/v1/organisations?limit=1&format=${format}&offset=1>; rel="next"`,
      );
    }
    const old = await anonymous(service).post('/registerInvitation', {}).expect(400);
    expect(old.headers['link']).toBe(
      '</account-api/v1/registerInvitation/%7Btoken%7D>; rel="successor-version"',
    );
  });
});

describe('GET /docs/openapi.json without PASSKEY_RP_ID', () => {
  const service = useService('A', { settings: { passkeys: undefined } });

  it('has no route of passkeys, and no schema and tag that only they need', async () => {
    const { body } = await request(service.url).get('/docs/openapi.json').expect(200);
    const served = body as InterfaceDocument;
    const whole = printed('A') as InterfaceDocument;
    const isOfPasskeys = (path: string): boolean => path.includes('/passkey');
    expect(Object.keys(served.paths)).toEqual(Object.keys(whole.paths).filter((path) => !isOfPasskeys(path)));
    expect(served.tags).toEqual(whole.tags.filter(({ name }) => name !== 'passkeys'));
    expect(await errorsOfDocument(served)).toEqual([]);
    const gone = Object.keys(whole.components.schemas).filter((name) => !(name in served.components.schemas));
    expect(gone.length).toBeGreaterThan(0);
    expect(gone.filter((name) => !/passkey|RelyingParty|Authenticator|OptionsResponse$/i.test(name))).toEqual(
      [],
    );
    const text = JSON.stringify(served);
    for (const name of Object.keys(served.components.schemas))
      expect(text).toContain(`"#/components/schemas/${name}"`);
  });
});
