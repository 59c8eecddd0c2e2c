import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type RuleOfOneVariant, RULES_OF_ONE_VARIANT } from '@app/service/variants/rules.variant-b';
import { compareVariants, usedOnlyInB } from '../../tools/docs/variants.cjs';
import { variantsDocument } from '../../tools/docs/variants-document.cjs';

const ROOT = resolve(__dirname, '../..');

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const describedBy = (variant: 'a' | 'b'): object =>
  JSON.parse(read(`docs/openapi-${variant}.json`)) as object;

const a = describedBy('a');
const b = describedBy('b');

describe('docs/variants.md', () => {
  it('is what npm run docs prints of docs/openapi-*.json', () => {
    expect(read('docs/variants.md').trimEnd()).toBe(variantsDocument(a, b, RULES_OF_ONE_VARIANT).trimEnd());
    expect(JSON.parse(read('apps/cli/variants/variant-b/variant-differences.json'))).toEqual(
      usedOnlyInB(compareVariants(a, b, RULES_OF_ONE_VARIANT)),
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

  it('names the fields that are new, removed or changed in Variant A', () => {
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

  it('is not printed where a route of Variant B alone has no words for what takes its place', () => {
    const { paths, ...rest } = b as { paths: object };
    const more = {
      ...rest,
      paths: { ...paths, '/v1/badges': { get: { summary: 'List badges', responses: {} } } },
    };
    expect(() => variantsDocument(a, more, [])).toThrow('GET /badges exists only in Variant B');
  });

  it('never says "no change" of a route with a rule of one variant', () => {
    const operation = 'POST /organisations/{organisationId}/users/{userId}/contacts';
    const rule = { decidedBy: [], words: 'Finance needs a phone number.', operations: [operation] };
    const sections = (rules: readonly RuleOfOneVariant[]): string[] =>
      variantsDocument(a, b, rules)
        .split(/^## /m)
        .filter((section) => section.includes(`\`${operation}\`\n`))
        .map((section) => section.split(' (')[0] ?? '');
    expect(sections([])).not.toContain('Routes with removed or changed fields, or another rule');
    expect(sections([rule])).toEqual(['Routes with removed or changed fields, or another rule']);
    expect(variantsDocument(a, b, [rule])).toContain('- rule, other: Finance needs a phone number.');
    expect(usedOnlyInB(compareVariants(a, b, [rule]))).toHaveProperty([operation, 'otherwise'], ['a rule']);
  });

  it('is not printed where a rule is about a route that is not in both variants', () => {
    const rule = { decidedBy: [], words: 'None.', operations: ['GET /badges'] };
    expect(() => variantsDocument(a, b, [rule])).toThrow('about no route of both: GET /badges');
  });
});
