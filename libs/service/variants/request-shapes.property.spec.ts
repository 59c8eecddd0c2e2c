import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { MAX_INTEGER } from '@app/platform/dto/coercion';
import { describedFields } from '@app/platform/dto/described-fields';
import { disclosed } from '@app/platform/dto/enclosed-value';
import { declaredValues, readBody } from '@app/platform/dto/shape.pipe';
import type { RequestShape } from '@app/platform/dto/shapes';
import { ApiError, BadRequest, ValidationFailed } from '@app/platform/errors/api-error';
import { type ListShape, readListRequest } from '@app/platform/lists/list-request';
import { pathIdentifier } from '@app/security/access/path-identifier';

const LIBS = join(__dirname, '../..');

/** The shapes of the audit log describe the audited kinds, which no value depends on. */
const NO_KINDS = { tables: new Map<string, never>() };
type ShapesClass = new (kinds: typeof NO_KINDS) => object;

/** The members of every class of shapes of both variants, each by its file. */
const SHAPES: readonly (readonly [name: string, shape: object])[] = readdirSync(LIBS, {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => /(?<!\.spec)\.ts$/.test(file))
  .flatMap((file) =>
    [...readFileSync(join(LIBS, file), 'utf8').matchAll(/^(?:export )?class (\w+Shapes)\b/gm)].flatMap(
      ([, name = '']) => {
        const exported = jest.requireActual<Record<string, ShapesClass>>(join(LIBS, file));
        const shapes = Object.entries(new (exported[name] as ShapesClass)(NO_KINDS));
        return shapes
          .filter(([, shape]) => typeof shape === 'object' && shape !== null)
          .map(([member, shape]): [string, object] => [`${file} ${name}.${member}`, shape as object]);
      },
    ),
  );

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 400 }),
  fc.constantFrom('', ' ', '\0', '\ud800', 'true', '0', '-1', '1e3', '2147483648', 'a@b.example', 'nl', 'NL'),
  fc.constantFrom('a\r\nBcc: c@d.example', '"x y"@b.example', '=1+1', '__proto__', 'x'.repeat(5000)),
);
const value = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.constantFrom<unknown>(null, undefined, true, false, [], {}, 2 ** 53, -0),
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(
    fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'min', 'max', 'id')),
    fc.anything(),
  ),
  fc.array(fc.oneof(text, fc.jsonValue())),
);

/** A body of the shape's own fields, and of names that mean something to JavaScript, with any values. */
const bodyOf = (names: readonly string[]) =>
  fc.dictionary(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...names) },
      fc.constantFrom('__proto__', 'constructor', 'toString', 'then', 'a'),
    ),
    value,
    { maxKeys: names.length + 2 },
  );

/** What a refusal may name: the shape's fields, or under STRICT_BODY whatever was sent. */
async function namedInRefusal(read: () => unknown): Promise<readonly string[]> {
  try {
    await read();
    return [];
  } catch (error) {
    if (error instanceof ValidationFailed) return Object.keys(error.fields ?? {});
    if (error instanceof BadRequest) return [];
    throw error;
  }
}

describe('the shapes of requests', () => {
  const requests = SHAPES.filter(
    (named): named is [string, RequestShape<unknown>] => 'toInput' in named[1] && 'nulls' in named[1],
  );
  const lists = SHAPES.filter(
    (named): named is [string, ListShape<never, string, string>] => 'orderBy' in named[1],
  );

  it('are all found', () => {
    expect(requests.length).toBeGreaterThan(50);
    expect(lists.length).toBeGreaterThan(15);
  });

  it.each(requests)('%s reads or refuses any body, and names its own fields only', async (_name, shape) => {
    const names = [...describedFields(shape.body).keys()];
    expect(names.length).toBeGreaterThan(0);
    await fc.assert(
      fc.asyncProperty(bodyOf(names), fc.boolean(), async (body, strict) => {
        const named = await namedInRefusal(() => readBody(shape, body, strict));
        const known = strict ? [...names, ...Object.keys(body)] : names;
        expect(named.filter((name) => !known.includes(name))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it.each(requests)('%s reads every text composed, in lists and objects too', (_name, shape) => {
    const names = [...describedFields(shape.body).keys()];
    const letters = fc.constantFrom(
      'e\u0301',
      'A\u030a',
      '\u1112\u1161\u11ab',
      '\u212b',
      'o\u0323\u0302',
      'x',
    );
    const decomposed = fc.string({ unit: letters, minLength: 1, maxLength: 20 });
    const nested = fc.oneof(
      decomposed,
      fc.array(decomposed),
      fc.dictionary(decomposed, fc.array(decomposed)),
    );
    fc.assert(
      fc.property(nested, (sent) => {
        const body = Object.fromEntries(names.map((name) => [name, sent]));
        const composed = JSON.parse(JSON.stringify(sent).normalize('NFC')) as unknown;
        expect(Object.values(declaredValues(shape, body)).map(disclosed)).toEqual(names.map(() => composed));
      }),
      { numRuns: 20 },
    );
  });

  it.each(requests)('%s reads or refuses what is no object', async (_name, shape) => {
    await fc.assert(
      fc.asyncProperty(fc.anything({ maxDepth: 2 }), async (body) => {
        await namedInRefusal(() => readBody(shape, body, false));
      }),
      { numRuns: 100 },
    );
  });

  it.each(lists)('%s reads or refuses any query, and orders by declared columns only', (_name, shape) => {
    const names = ['limit', 'offset', 'orderBy', 'orderType', 'filter', 'tag', ...Object.keys(shape.search)];
    const columns = Object.values(shape.orderBy);
    const parameter = fc.oneof(
      text,
      fc.constantFrom(...Object.keys(shape.orderBy), ...columns),
      fc.array(text),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), parameter), fc.boolean(), (query, tag) => {
        try {
          const list = readListRequest(shape, query, { tag, limitMax: 1000 });
          expect(columns).toContain(list.orderBy);
          expect(Number.isInteger(list.offset) && list.offset >= 0 && list.offset <= MAX_INTEGER).toBe(true);
          expect(Number.isInteger(list.limit) && list.limit >= 1 && list.limit <= 1000).toBe(true);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          expect(error.status).toBe(400);
          expect(names).toEqual(expect.arrayContaining(Object.keys(error.fields ?? {})));
        }
      }),
      { numRuns: 300 },
    );
  });
});

it('a path identifier is a positive 32-bit integer in one spelling, or nothing', () => {
  const segment = fc.oneof(text, fc.integer().map(String), fc.bigInt().map(String), fc.double().map(String));
  fc.assert(
    fc.property(segment, (part) => {
      const id = pathIdentifier(part);
      if (id === null) return;
      expect(String(id)).toBe(part);
      expect(Number.isInteger(id) && id > 0 && id <= MAX_INTEGER).toBe(true);
    }),
    { numRuns: 2000 },
  );
  fc.assert(fc.property(fc.integer({ min: 1, max: MAX_INTEGER }), (id) => pathIdentifier(String(id)) === id));
});
