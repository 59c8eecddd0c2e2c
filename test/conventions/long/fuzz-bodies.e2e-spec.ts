import { VARIANTS } from '../../../qa/variants';
import { type DescribedRoute, Interface, nameOfRoute, Scene } from '../../support/generators/interface';
import { anonymous, failingFields } from '../../support/service/client';
import { startTestService, type TestService, useService } from '../../support/service/service';

/** Values of every JSON type and at every limit; most are wrong in most fields. */
const VALUES: readonly (readonly [name: string, value: unknown])[] = [
  ['null', null],
  ['true', true],
  ['0', 0],
  ['-1', -1],
  ['1.5', 1.5],
  ['1e300', 1e300],
  ['2^31', 2_147_483_648],
  ['99999999999', 99_999_999_999],
  ['text of the same', '99999999999'],
  ['empty text', ''],
  ['blank text', ' \t\u00a0'],
  ['long text', 'x'.repeat(5000)],
  ['NUL', 'a\0b'],
  ['lone surrogate', '\ud800'],
  ['quotes', `'"; DROP TABLE users; --`],
  ['exponent text', '1e3'],
  ['empty array', []],
  ['array of itself', [[['x']]]],
  ['array of everything', [null, 1, 'x', {}]],
  ['empty object', {}],
  ['object', { a: { b: 1 }, constructor: 1 }],
];

/** The last one is taken where no field is required. */
const WRONG_AS_A_WHOLE: readonly (readonly [kind: string, body: unknown])[] = [
  ['an array', []],
  ['text', 'x'],
  ['a number', 1],
  ['true', true],
  ['deep nesting', JSON.parse('['.repeat(30) + ']'.repeat(30))],
  ['null', null],
];

/** Of other bodies, which are files, documents.e2e-spec.ts knows what is refused. */
const takesJson = ({ described }: DescribedRoute): boolean =>
  described.requestBody?.content['application/json'] !== undefined;

/** Those of a proof alone are refused for nothing (rule requests 7, step-up-bodies.e2e-spec.ts). */
const mindsItsBody = ({ verb, operation }: DescribedRoute): boolean =>
  verb !== 'delete' && operation !== 'invitations.resend';

/** Without these some bodies are not looked at, whatever they are. */
const LOOKING_AT_EVERY_BODY = { allowTokenlessRegistration: true, stepUp: true } as const;

/**
 * What every request may move, or what the service writes in the background: counts of
 * attempts and calls.
 */
const COUNTERS = "'attempts', 'migrations', 'variant_usage', 'variant_programs'";

/** Prepares the count of rows of all tables but the counters. */
async function prepareCounting(service: TestService): Promise<void> {
  const tables = await service.sql<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT IN (${COUNTERS})`,
  );
  const counts = tables.map(({ name }) => `(SELECT count(*) FROM ${name})`);
  await service.sql(`PREPARE counting AS SELECT (${counts.join(' + ')})::integer AS rows`);
}

describe.each(VARIANTS)('bodies of every route that takes JSON, in Variant %s,', (variant) => {
  const service = useService(variant, { settings: LOOKING_AT_EVERY_BODY });
  let description: Interface;
  beforeAll(async () => {
    description = await Interface.of(service);
    await prepareCounting(service);
  });

  const rows = async (): Promise<number> =>
    (await service.sql<{ rows: number }>('EXECUTE counting'))[0]?.rows ?? -1;

  const send = async (route: DescribedRoute, scene: Scene, body: unknown) => {
    const client = route.operation === undefined ? anonymous(service) : scene.caller;
    return client
      .call(route.verb, scene.path)
      .set('Content-Type', 'application/json')
      .send(JSON.stringify(body));
  };

  it('get no fault and store nothing where they are refused, with any value in any field', async () => {
    const routes = description.triedRoutes.filter(takesJson);
    expect(routes.length).toBeGreaterThan(6);
    const faults: unknown[] = [];
    for (const route of routes) {
      const scene = await Scene.of(description, route);
      // Only a secret that is mailed names what no request can make.
      expect({ path: route.path, isComplete: scene.isComplete }).toEqual({
        path: route.path,
        isComplete: !route.path.includes(':token'),
      });
      let refusals = 0;
      let before = await rows();
      const attempt = async (fuzzed: Record<string, unknown>, told: object): Promise<string[]> => {
        const response = await send(route, scene, { ...description.exampleBody(route), ...fuzzed });
        const { code, reason } = response.body as { code?: number; reason?: string };
        const found = { route: nameOfRoute(route), ...told, status: response.status, reason };
        const after = await rows();
        const stored = after - before;
        before = after;
        if (response.status < 400) return [];
        if (response.status >= 500 && reason !== 'ROLE_REQUIRED') faults.push(found);
        if (code !== response.status || stored !== 0) faults.push({ ...found, code, stored });
        refusals++;
        return failingFields(response);
      };
      const fields = Object.keys(route.fields);
      for (let turn = 0; turn < VALUES.length; turn++) {
        // Every field at once, each with another value: most are refused by name and
        // need no request of their own.
        const valueOf = (index: number) => VALUES[(turn + index) % VALUES.length] as (typeof VALUES)[number];
        const all = Object.fromEntries(fields.map((field, index) => [field, valueOf(index)[1]]));
        const refused = await attempt(all, { turn });
        for (const [index, field] of fields.entries()) {
          const [shown, value] = valueOf(index);
          if (!refused.includes(field)) await attempt({ [field]: value }, { field, value: shown });
        }
      }
      expect({ route: nameOfRoute(route), isRefused: refusals > 0 }).toEqual({
        route: nameOfRoute(route),
        isRefused: true,
      });
    }
    expect(faults).toEqual([]);
  }, 240_000);

  it('are refused as a whole where they are no object', async () => {
    for (const route of description.triedRoutes.filter(takesJson).filter(mindsItsBody)) {
      // One for all bodies: what is refused changes nothing.
      const scene = await Scene.of(description, route);
      for (const [kind, body] of WRONG_AS_A_WHOLE) {
        const before = await rows();
        const response = await send(route, scene, body);
        const isOptional = Object.keys(route.fields).length > 0 && !hasRequired(route);
        const expected = isOptional && body === null ? [200, 201, 204, 400] : [400, 404, 429];
        const told = { route: nameOfRoute(route), kind, status: response.status };
        expect({ ...told, in: expected.includes(response.status) }).toEqual({ ...told, in: true });
        if (response.status >= 400)
          expect({ ...told, rows: await rows() }).toEqual({ ...told, rows: before });
      }
    }
  });

  const hasRequired = (route: DescribedRoute): boolean => {
    const schema = route.described.requestBody?.content['application/json']?.schema;
    return schema !== undefined && (description.resolve(schema).required?.length ?? 0) > 0;
  };

  it('are refused with STRICT_BODY for each field that is unknown, by its name', async () => {
    await using strict = await startTestService(variant, {
      settings: { ...LOOKING_AT_EVERY_BODY, strictBody: true },
      database: service.database,
    });
    const strictly = await Interface.of(strict);
    // Clients of OAuth send more to introspection (RFC 6749, 2.3.1).
    const routes = strictly.triedRoutes.filter(
      (route) => takesJson(route) && mindsItsBody(route) && route.operation !== 'access.introspect',
    );
    for (const route of routes) {
      const scene = await Scene.of(strictly, route);
      const client = route.operation === undefined ? anonymous(strict) : scene.caller;
      const text = `{"notAField": 1, "__proto__": 1, ${JSON.stringify(strictly.exampleBody(route)).slice(1)}`;
      const { body, status } = await client
        .call(route.verb, scene.path)
        .set('Content-Type', 'application/json')
        .send(text.replace(', }', '}'));
      const children = (body as { errors?: { children: object } }).errors?.children ?? {};
      // A path whose record could not be made is 404 before anything is read.
      if (status === 404 && !scene.isComplete) continue;
      expect({ route: nameOfRoute(route), status, named: Object.keys(children).sort() }).toMatchObject({
        route: nameOfRoute(route),
        status: 400,
        named: expect.arrayContaining(['__proto__', 'notAField']) as string[],
      });
    }
  });
});
