import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compareVariants, usedOnlyInB } from '../../tools/docs/variants.cjs';
import { variantsDocument } from '../../tools/docs/variants-document.cjs';

const ROOT = resolve(__dirname, '../..');

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const describedBy = (variant: 'a' | 'b'): object =>
  JSON.parse(read(`docs/openapi-${variant}.json`)) as object;

const a = describedBy('a');
const b = describedBy('b');

describe('the way from Variant B to Variant A', () => {
  it('is told as the shapes have it (npm run docs)', () => {
    expect(read('docs/variants.md').trimEnd()).toBe(variantsDocument(a, b).trimEnd());
    expect(JSON.parse(read('apps/cli/variants/variant-b/variant-differences.json'))).toEqual(
      usedOnlyInB(compareVariants(a, b)),
    );
  });

  it('has every route of both variants once', () => {
    const page = read('docs/variants.md');
    const routes = new Set<string>();
    for (const { paths } of [a, b] as { paths: Record<string, Record<string, unknown>> }[]) {
      for (const [path, methods] of Object.entries(paths)) {
        if (!path.startsWith('/v1/')) continue;
        for (const method of Object.keys(methods)) routes.add(`${method.toUpperCase()} ${path.slice(3)}`);
      }
    }
    expect(routes.size).toBeGreaterThan(70);
    const told = [...page.matchAll(/^(?:### |- )`([A-Z]+ \/[^`]*)`/gm)].map(([, route]) => route);
    expect(told.sort()).toEqual([...routes].sort());
  });

  it('names what the description of the interface says', () => {
    const page = read('docs/variants.md').replaceAll('\n  ', ' ');
    const of = (operation: string): string =>
      page.split('### ').find((part) => part.startsWith(`\`${operation}\``)) ?? '';
    expect(of('PUT /organisations/{organisationId}')).toContain('- request `invoiceDay`, removed in A: ');
    expect(of('PATCH /organisations/{organisationId}/users/{userId}')).toContain(
      '- request `websiteOrderInfo`, removed in A: ',
    );
    expect(of('POST /login')).toContain('- request `6digitCode`, new in A: ');
    expect(of('POST /login')).toContain('- response `hash2fa`, new in A: ');
    expect(of('POST /resetting/{token}')).toMatch(/`password`, other: .*at least 9 .*at least 8 /);
  });

  it('stops at a route of Variant B alone of which nobody said what takes its place', () => {
    const { paths, ...rest } = b as { paths: object };
    const more = {
      ...rest,
      paths: { ...paths, '/v1/badges': { get: { summary: 'List badges', responses: {} } } },
    };
    expect(() => variantsDocument(a, more)).toThrow('GET /badges exists only in Variant B');
  });
});
