import { AclsModule } from '@app/people/acls/acls.module';
import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DynamicModule } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants';
import fc from 'fast-check';
import { AccessListModule } from '@app/rights/access-list/access-list.controller';
import { AuditRoutesModule } from '@app/feeds/audit/audit.controller';
import { ContactsModule } from '@app/people/contacts/contacts.module';
import { pathIdentifier } from '@app/security/access/credential-lookup';
import { ApiError, BadRequest, ValidationFailed } from '@app/platform/errors/api-error';
import { type ListShape, readListRequest } from '@app/platform/lists/list-request';
import { fieldRules, MAX_INTEGER } from '@app/platform/dto/field.decorators';
import { readBody } from '@app/platform/dto/read-body';
import type { RequestShape } from '@app/platform/dto/shapes';
import { EntitiesModule } from '@app/records/entities/entities.module';
import { EventsModule } from '@app/feeds/events/events.module';
import { ExplanationsModule } from '@app/rights/explanations/explanations.controller';
import { DocumentsModule } from '@app/records/documents/documents.module';
import { UserLoginsModule } from '@app/sign-in/logins/user-logins.controller';
import { AuthzenModule } from '@app/rights/authzen/authzen.module';
import { IntrospectionModule } from '@app/rights/introspection/introspection.module';
import { OrganisationsModule } from '@app/people/organisations/organisations.module';
import { PasskeyRoutesModule } from '@app/sign-in/passkeys/passkeys.controller';
import { ReferenceModule } from '@app/records/reference/reference.controller';
import { ServiceKeysModule } from '@app/sign-in/servicekeys/servicekeys.module';
import { WebhooksModule } from '@app/feeds/webhooks/webhooks.module';
import { SshKeysModule } from '@app/sign-in/sshkeys/sshkeys.module';
import { SupportModule } from '@app/sign-in/support/support.module';
import { SuspensionsModule } from '@app/people/suspensions/suspensions.module';
import { TeamsModule } from '@app/people/teams/teams.module';
import { TestClockModule } from '@app/edge/test-clock/test-clock.module';
import { EntityRoutesModule } from '@app/records/entities/entities.controller';
import { NotificationRoutesModule } from '@app/people/notifications/notifications.controller';
import { VARIANTS } from '../../../test/support/service/variants';
import { VariantsModule } from './variants.module';

type Class = new () => object;

/** Modules of domains that have one set of shapes for both variants. */
const SAME_IN_BOTH = [
  AuthzenModule,
  AccessListModule,
  AuditRoutesModule,
  ContactsModule,
  DocumentsModule,
  EntitiesModule,
  EntityRoutesModule,
  EventsModule,
  ExplanationsModule,
  IntrospectionModule,
  OrganisationsModule,
  PasskeyRoutesModule,
  ReferenceModule,
  ServiceKeysModule,
  WebhooksModule,
  SshKeysModule,
  SupportModule,
  SuspensionsModule,
  AclsModule,
  NotificationRoutesModule,
  TeamsModule,
  TestClockModule,
  UserLoginsModule,
];

/** Classes that the modules of a variant provide, those of their imports included. */
function providedBy(modules: readonly unknown[], seen = new Set<unknown>()): Class[] {
  return modules.flatMap((module) => {
    if (typeof module !== 'function' || seen.has(module)) return [];
    seen.add(module);
    const own = (Reflect.getMetadata(MODULE_METADATA.PROVIDERS, module) ?? []) as unknown[];
    const imports = (Reflect.getMetadata(MODULE_METADATA.IMPORTS, module) ?? []) as unknown[];
    return [
      ...own.filter((provider): provider is Class => typeof provider === 'function'),
      ...providedBy(imports, seen),
    ];
  });
}

/** The shapes that a variant binds, and those that the modules of its own and of all variants provide. */
function shapesOf<Shape>(
  { providers = [], imports = [] }: DynamicModule,
  isShape: (value: object) => boolean,
): [name: string, Shape][] {
  const bound = providers.flatMap((provider) => ('useClass' in provider ? [provider.useClass as Class] : []));
  const classes = [...bound, ...providedBy([...SAME_IN_BOTH, ...imports])].filter(({ name }) =>
    name.endsWith('Shapes'),
  );
  return classes.flatMap((shapes) =>
    Object.entries(new shapes() as Record<string, unknown>)
      .filter(([, value]) => typeof value === 'object' && value !== null && isShape(value))
      .map(([name, value]): [string, Shape] => [`${shapes.name}.${name}`, value as Shape]),
  );
}

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
function transitionError(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ValidationFailed) return Object.keys(error.fields ?? {});
    if (error instanceof BadRequest) return [];
    throw error;
  }
}

describe.each(VARIANTS)('the shapes of Variant %s', (name) => {
  const variant = VariantsModule.serving(name, { passkeys: undefined });
  const requests = shapesOf<RequestShape<unknown>>(
    variant,
    (shape) => 'toInput' in shape && 'nulls' in shape,
  );
  const lists = shapesOf<ListShape<never, string, string>>(variant, (shape) => 'orderBy' in shape);

  it('are all found', () => {
    expect(requests.length).toBeGreaterThan(10);
    expect(lists.length).toBeGreaterThan(6);
  });

  it.each(requests)('%s reads or refuses any body, and names its own fields only', (_name, shape) => {
    const names = [...fieldRules(shape.body).keys()];
    expect(names.length).toBeGreaterThan(0);
    fc.assert(
      fc.property(bodyOf(names), fc.boolean(), (body, strict) => {
        const named = transitionError(() => readBody(shape, body, strict));
        const known = strict ? [...names, ...Object.keys(body)] : names;
        expect(named.filter((name) => !known.includes(name))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it.each(requests)('%s reads or refuses what is no object', (_name, shape) => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 2 }), (body) => {
        transitionError(() => readBody(shape, body, false));
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

it('no class of shapes is left out', () => {
  const libs = join(__dirname, '../..');
  const declared = readdirSync(libs, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.shapes.ts'))
    .flatMap((file) => [...readFileSync(join(libs, file), 'utf8').matchAll(/export class (\w+Shapes)\b/g)])
    .map(([, name]) => name);
  const found = VARIANTS.flatMap((name) =>
    shapesOf(VariantsModule.serving(name, { passkeys: undefined }), () => true),
  );
  const names = new Set(found.map(([name]) => name.split('.')[0]));
  expect(declared.length).toBeGreaterThan(10);
  expect(declared.filter((name) => !names.has(name))).toEqual([]);
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
