import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { InterfaceDocument } from '../support/generators/interface';
import { VARIANTS, type Variant } from '../support/service/variants';

const run = promisify(execFile);
const root = join(__dirname, '../..');

/** A client made of types alone: what it sends and reads is what the document says. */
const CLIENT = `
import type { paths } from './interface.js';

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;
export type Body<Operation> = Operation extends { requestBody?: infer Content } ? Json<NonNullable<Content>> : never;
export type Answer<Operation, Status extends number> =
  Operation extends { responses: { [S in Status]: infer Content } } ? Json<Content> : never;
export type Path<Operation> = Operation extends { parameters: { path: infer Names } } ? Names : never;
export type Query<Operation> = Operation extends { parameters: { query?: infer Names } } ? Names : never;

export type Login = paths['/v1/login']['post'];
export type Organisations = paths['/v1/organisations'];
export type Organisation = paths['/v1/organisations/{organisationId}'];
export type Contact = paths['/v1/organisations/{organisationId}/users/{userId}/contacts/{contactId}'];
export type Refused = Answer<Organisation['get'], 403>;

export const place: Path<Contact['get']> = { organisationId: 3, userId: 4, contactId: 5 };
export const page: Query<Organisations['get']> = { limit: 50, offset: 0, orderBy: 'name', orderType: 'ASC' };
export const created: Body<Organisations['post']> = { name: 'Bakkerij', taxNumber: 'NL-1', country: 'NL' };
// @ts-expect-error: a tax number is required
export const incomplete: Body<Organisations['post']> = { name: 'Bakkerij' };
// @ts-expect-error: names are text
export const wrong: Body<Organisations['post']> = { name: ['Bakkerij'], taxNumber: 'NL-1' };

export function read(answer: Answer<Organisation['get'], 200>, refusal: Refused): string[] {
  const { id, name, country, resellerOrganisation } = answer.organisation;
  const next: number = id + 1;
  // @ts-expect-error: a country is an object or null
  const length: number = country.length;
  return [name, country?.name ?? '', resellerOrganisation?.taxNumber ?? '', \`\${next + length}\`, refusal.message];
}
`;

const USAGE = {
  A: `
import type { paths } from './interface.js';
import type { Answer, Body, Login, Organisation } from './client.js';

export const login: Body<Login> = { username: 'a@example.com', password: 'x', '6digitCode': '123456', trustThisDevice: true };
export const key: Body<paths['/v1/organisations/{organisationId}/users/{userId}/apikeys']['post']> = { name: 'robot', whitelist: ['192.0.2.1'] };
export const deviceToken = (answer: Answer<Login, 200>): string => answer.hash2fa;
export const groupOf = (answer: Answer<Organisation['get'], 200>): string | undefined => answer.organisation.pricegroup?.description;
// @ts-expect-error: grants are no part of Variant A
export type Acls = paths['/v1/organisations/{organisationId}/acls'];
`,
  B: `
import type { paths } from './interface.js';
import type { Answer, Body, Login, Organisation } from './client.js';

type Notifications = paths['/v1/organisations/{organisationId}/notifications'];
export const login: Body<Login> = { username: 'a', password: 'x' };
export const note: Body<Notifications['post']> = { type: 'maintenance', group: 'System', params: { hours: 2 } };
// @ts-expect-error: Weather is no group
export const odd: Body<Notifications['post']> = { type: 'maintenance', group: 'Weather' };
export const subjects = (answer: Answer<Notifications['get'], 200>): (string | null)[] =>
  answer.notifications.map(({ subject }) => subject);
// @ts-expect-error: Variant B knows no second factor
export const deviceToken = (answer: Answer<Login, 200>): string => answer.hash2fa;
// @ts-expect-error: nor price groups
export const groupOf = (answer: Answer<Organisation['get'], 200>): unknown => answer.organisation.pricegroup;
`,
} as const;

const documentOf = (variant: Variant): InterfaceDocument =>
  JSON.parse(
    readFileSync(join(root, `docs/openapi-${variant.toLowerCase()}.json`), 'utf8'),
  ) as InterfaceDocument;

/** The names of the schemas by what they hold in the end, whatever is named on the way. */
function namesByContent({ components }: InterfaceDocument): Map<string, string[]> {
  const whole = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(whole);
    if (typeof schema !== 'object' || schema === null) return schema;
    const name = (schema as { $ref?: string }).$ref?.split('/').at(-1);
    if (name !== undefined) return whole(components.schemas[name]);
    return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, whole(part)]));
  };
  const names = new Map<string, string[]>();
  for (const [name, schema] of Object.entries(components.schemas)) {
    const content = JSON.stringify(whole(schema));
    names.set(content, [...(names.get(content) ?? []), name]);
  }
  return names;
}

const CONFIGURATION = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    module: 'nodenext',
    moduleResolution: 'nodenext',
    target: 'es2023',
    types: [],
  },
};

it('names what the variants have alike in the same way, so that a client of one compiles against the other', () => {
  const [first, ...others] = VARIANTS.map(documentOf);
  for (const other of others) {
    const differing: string[] = [];
    for (const [path, methods] of Object.entries(first?.paths ?? {})) {
      for (const [method, operation] of Object.entries(methods)) {
        const same = other.paths[path]?.[method];
        if (same !== undefined && same.operationId !== operation.operationId)
          differing.push(`${method} ${path}`);
      }
    }
    const names = namesByContent(other);
    for (const [content, known] of namesByContent(first as InterfaceDocument)) {
      const named = names.get(content);
      if (named !== undefined && !known.some((name) => named.includes(name))) {
        differing.push(`${known.join()} is ${named.join()}`);
      }
    }
    expect(differing).toEqual([]);
    expect(names.size).toBeGreaterThan(40);
  }
});

describe.each(VARIANTS)('a TypeScript client generated from the description of Variant %s', (variant) => {
  let folder: string;
  beforeAll(async () => {
    // Beside the tests, so that packages are found as a client of ours would find its own.
    mkdirSync(join(root, '.data'), { recursive: true });
    folder = mkdtempSync(join(root, '.data/client-'));
    const description = join(root, `docs/openapi-${variant.toLowerCase()}.json`);
    const generator = join(root, 'node_modules/openapi-typescript/bin/cli.js');
    // A default of the service is what a client may leave out; the generator would ask for it.
    const options = ['--default-non-nullable', 'false'];
    await run(process.execPath, [
      generator,
      description,
      ...options,
      '--output',
      join(folder, 'interface.ts'),
    ]);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONFIGURATION));
    writeFileSync(join(folder, 'client.ts'), CLIENT);
    writeFileSync(join(folder, 'usage.ts'), USAGE[variant]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('compiles, and knows what may be sent and what is answered', async () => {
    const { stdout } = await run(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      '--project',
      folder,
    ]).catch((error: unknown) => error as { stdout: string });
    expect(stdout).toBe('');
  });
});
