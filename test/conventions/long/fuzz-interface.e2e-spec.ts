import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { servedPath } from '../../../qa/deployment';
import { VARIANTS } from '../../../qa/variants';
import { makeCustomer } from '../../support/factories/factories';
import {
  type DescribedRoute,
  Interface,
  nameOfRoute,
  Scene,
  type Schema,
} from '../../support/generators/interface';
import { useService } from '../../support/service/service';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Bytes that this process can still reach, buffers included. Unlike the resident size it does not depend on
 * when garbage was last collected, or on what the system has taken back.
 */
const memoryInUse = (): number => {
  // What a finalizer of the first collection lets go, the second takes.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/**
 * Another seed, or more time, finds other things: `FUZZ_SEED=7 FUZZ_SECONDS=40 npx jest
 * test/conventions/long/fuzz-interface.e2e-spec.ts`.
 */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_101);
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 8);

/** Milliseconds; password hashing is cheap here, so that nothing has an excuse. */
const SLOWEST = 2000;
/** Of what is still in use after a round in which everything was called once. */
const MAX_GROWTH = 16 * 2 ** 20;

const fuzzText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '%',
    '_',
    "'",
    '"',
    '\\',
    '=1+1',
    '../..',
    '1e9',
    '-1',
    '2147483648',
  ),
  fc.constantFrom('null', 'true', '[]', '__proto__', 'a\r\nX-Evil: 1', '\u0130', 'x'.repeat(3000)),
);
/** An empty segment, or one that is resolved away, makes another path. */
const isSegment = (text: string): boolean => !['', '.', '..'].includes(text);

const fuzzValue = fc.oneof(
  fuzzText,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], 1e300, 2 ** 53),
  fc.jsonValue({ maxDepth: 5 }),
  fc.array(fuzzText, { maxLength: 60 }),
  fc.constantFrom<unknown>({ __proto__x: 1, constructor: { prototype: { x: 1 } } }, ['ROLE_ADMIN'], '1,2,3'),
);

/** Null but for one time of `times`. */
const rarely = <Value>(times: number, value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });

/** What is done to a plausible request. */
const attack = fc.record({
  caller: fc.constantFrom(...Array<'rightful'>(12).fill('rightful'), 'nobody', 'stranger', 'forged'),
  fields: fc.array(fc.tuple(fc.nat(), fc.option(fuzzValue, { nil: undefined })), { maxLength: 4 }),
  extra: rarely(8, fc.tuple(fuzzText, fuzzValue)),
  raw: rarely(12, fc.oneof(fuzzText, fc.constantFrom('{', '[]', '{"a":1}}', '"x"', '['.repeat(5000)))),
  type: fc.constantFrom(
    ...Array<string>(30).fill('application/json'),
    'text/plain',
    'application/json; charset=utf-7',
    '',
  ),
  segment: rarely(
    9,
    fc.tuple(fc.nat(), fc.oneof(fuzzText.filter(isSegment), fc.constantFrom('1', '2', '999999'))),
  ),
  query: fc.array(fc.tuple(fc.nat(), fuzzText), { maxLength: 3 }),
  accept: fc.constantFrom('application/json', 'application/json', 'text/csv', '*/*', 'text/html;q=0'),
  agent: fc.constantFrom(
    'curl/8',
    '',
    'x'.repeat(2000),
    '=cmd',
    'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0',
  ),
});
type Attack = typeof attack extends fc.Arbitrary<infer Value> ? Value : never;

const CONVENTIONS = ['limit', 'offset', 'orderBy', 'orderType', 'filter', 'tag', 'format', '__proto__'];

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly milliseconds: number;
}

const encoded = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** The described schemas with every object closed: what is not described must not be answered either. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]));
  return 'properties' in schema && !('additionalProperties' in schema)
    ? { ...copy, additionalProperties: false }
    : copy;
};

describe.each(VARIANTS)('every operation of Variant %s under fuzzing', (variant) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  afterAll(() => agent.destroy());
  const service = useService(variant, { settings: { allowTokenlessRegistration: true } });
  let description: Interface;
  let stranger: string;
  let validators: Map<object, ValidateFunction>;
  let ajv: Ajv2020;

  beforeAll(async () => {
    description = await Interface.of(service);
    stranger = (await makeCustomer(service)).custadmin.client.hash ?? '';
    ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addSchema({ $id: 'interface', components: closed(description.document.components) });
    validators = new Map();
  });

  const faultsOfSchema = (schema: Schema, value: unknown): unknown => {
    let validate = validators.get(schema);
    if (validate === undefined) {
      const text = JSON.stringify(closed(schema)).replaceAll('"#/components', '"interface#/components');
      validate = ajv.compile(JSON.parse(text) as object);
      validators.set(schema, validate);
    }
    return validate(value) ? undefined : validate.errors?.slice(0, 2);
  };

  const send = (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const start = performance.now();
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const sent = httpRequest(`${service.url}${servedPath(path)}`, {
        method,
        agent,
        headers: { ...headers, ...length },
      });
      sent.once('error', reject);
      sent.once('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(parts).toString();
          const milliseconds = performance.now() - start;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, milliseconds });
        });
      });
      sent.end(body);
    });

  const requestOf = (route: DescribedRoute, scene: Scene, wish: Attack) => {
    const names = Object.keys(route.fields);
    const body: Record<string, unknown> = description.exampleBody(route);
    for (const [index, value] of wish.fields) {
      const name = names[index % names.length];
      if (name !== undefined) body[name] = value;
    }
    if (wish.extra !== null) body[wish.extra[0]] = wish.extra[1];
    const segments = scene.path.split('/');
    const places = route.path.split('/').flatMap((part, index) => (part.startsWith(':') ? [index - 1] : []));
    const place = places[(wish.segment?.[0] ?? 0) % Math.max(1, places.length)];
    if (wish.segment !== null && place !== undefined) segments[place] = encoded(wish.segment[1]);
    const parameters = [
      ...CONVENTIONS,
      ...(route.described.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map(({ name }) => name),
    ];
    const query = wish.query.map(
      ([index, value]) => `${parameters[index % parameters.length] ?? ''}=${encoded(value)}`,
    );
    const credential = { nobody: '', stranger, forged: 'f'.repeat(64), rightful: scene.caller.hash ?? '' }[
      wish.caller
    ];
    const takesBody = route.described.requestBody !== undefined;
    return {
      path: `${segments.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      headers: {
        Accept: wish.accept,
        'User-Agent': wish.agent,
        ...(route.operation !== undefined && { Authorization: credential }),
        ...(takesBody && wish.type !== '' && { 'Content-Type': wish.type }),
      },
      body: takesBody ? (wish.raw ?? JSON.stringify(body)) : undefined,
      parameters: [...names, ...parameters, ...Object.keys(body)],
    };
  };

  /** What is wrong with an answer; undefined where nothing is. */
  const validate = (
    route: DescribedRoute,
    response: Answer,
    known: readonly string[],
  ): object | undefined => {
    const { status, headers, text, milliseconds } = response;
    if (milliseconds > SLOWEST) return { slow: milliseconds };
    const described = route.described.responses[String(status)];
    // Refused before any route is looked for.
    if (status === 431) return undefined;
    if (described === undefined) return { undocumented: status, text };
    const type = headers['content-type'] ?? '';
    const [kind = ''] = type.split(';');
    // The description says in words that every read of records is csv too.
    if (kind === 'text/csv' && route.method === 'GET' && described.content?.['application/json'])
      return undefined;
    // A file.
    if (kind !== '' && kind !== 'application/json')
      return described.content?.[kind] === undefined ? { type } : undefined;
    const schema = described.content?.['application/json']?.schema;
    if (schema === undefined) return text === '' ? undefined : { unexpected: text };
    if (kind !== 'application/json') return { type };
    const body = JSON.parse(text) as {
      reason?: string;
      errors?: { children: Record<string, { errors: string[] }> };
      reasons?: Record<string, string[]>;
    };
    if (status >= 500 && status !== 501 && body.reason !== 'ROLE_REQUIRED') return { status, text };
    const unknown = Object.keys(body.errors?.children ?? {}).filter((name) => !known.includes(name));
    if (unknown.length > 0) return { unknown };
    const texts = Object.entries(body.errors?.children ?? {}).map(([name, { errors }]) => [
      name,
      errors.length,
    ]);
    const words = Object.entries(body.reasons ?? {}).map(([name, reasons]) => [name, reasons.length]);
    if (JSON.stringify(texts) !== JSON.stringify(words)) return { texts, words };
    const schemaErrors = faultsOfSchema(schema, body);
    return schemaErrors === undefined ? undefined : { schemaErrors, text: text.slice(0, 300) };
  };

  it(
    'answers as described, quickly and without a fault',
    async () => {
      process.stdout.write(`fuzzing Variant ${variant} with FUZZ_SEED=${SEED}\n`);
      const deadline = Date.now() + SECONDS * 1000;
      const statuses = new Map<number, number>();
      const faults: object[] = [];
      let internalErrors = 0;
      // The lines are let go, since they are not the service's memory.
      const takeInternalErrors = (): number =>
        service.logLines.splice(0).filter((line) => line.includes('INTERNAL_ERROR')).length;
      const routes = description.triedRoutes;
      let before = 0;
      let sent = 0;
      // The first round fills every cache there is; what a second one still adds stays with every request.
      for (let round = 0; round < 2 || Date.now() < deadline; round++) {
        internalErrors += takeInternalErrors();
        if (round === 1) before = memoryInUse();
        for (const [index, route] of routes.entries()) {
          if (Date.now() > deadline && round > 1) break;
          const scene = await Scene.of(description, route);
          for (const wish of fc.sample(attack, { seed: SEED + round * 1000 + index, numRuns: 10 })) {
            const { path, headers, body, parameters } = requestOf(route, scene, wish);
            let response = await send(route.method, path, headers, body);
            if (response.milliseconds > SLOWEST) {
              // A busy machine may hold up one answer; what is slow by itself is slow again.
              const { milliseconds } = await send(route.method, path, headers, body);
              response = { ...response, milliseconds };
            }
            sent++;
            statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
            const fault = validate(route, response, parameters);
            if (fault !== undefined) faults.push({ route: nameOfRoute(route), path, body, ...fault });
          }
        }
      }
      internalErrors += takeInternalErrors();
      const growth = memoryInUse() - before;
      process.stdout.write(
        `  ${sent} requests, ${JSON.stringify([...statuses].sort())}, ${(growth / 2 ** 20).toFixed(1)} MB\n`,
      );
      expect(faults.slice(0, 5)).toEqual([]);
      expect(growth).toBeLessThan(MAX_GROWTH);
      // All kinds of answers came up: the attacks were neither all refused at the door nor all harmless.
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 403, 404]));
      expect(internalErrors).toBe(0);
    },
    SECONDS * 1000 + 240_000,
  );
});
