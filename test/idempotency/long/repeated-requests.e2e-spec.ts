import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { type Call, Deployment } from '../../../qa/deployment';
import { SCENARIOS } from '../../../qa/scenarios/all';
import { type PerVariant, type Variant, VARIANTS } from '../../../qa/variants';
import { writtenOut } from '../../../tools/docs/written-out.cjs';
import { useMailServer } from '../../support/faults/smtp';
import { triedRoutes } from '../../support/generators/own-routes';
import { beginSession, expectAsWritten } from '../../support/service/scenario-runs';
import { type TestService, useService } from '../../support/service/service';
import { testHooksOf } from '../../support/service/test-hooks';

/** Rows that the second request might add. Uses of credentials make none. */
const TABLES = `
  SELECT c.oid::regclass::text AS name FROM pg_class c
  WHERE c.relnamespace IN (current_schema()::regnamespace, 'graphile_worker'::regnamespace)
    AND c.relkind = 'r' AND c.relname NOT IN ('attempts', 'variant_usage', 'variant_programs')
  ORDER BY 1`;

/** Sends every POST with a key, and those that take one twice. */
class RepeatingDeployment extends Deployment {
  /** Operations whose response came a second time, and how they differed. */
  readonly replayed = new Map<string, string[]>();
  private keys = 0;
  private count = '';

  constructor(private readonly service: TestService) {
    super(service.url);
  }

  override async send(call: Call): Promise<Response> {
    if (call.method !== 'POST' || call.headers?.['Idempotency-Key'] !== undefined) return super.send(call);
    const keyed = { ...call, headers: { ...call.headers, 'Idempotency-Key': `repeated-${++this.keys}` } };
    const first = await super.send(keyed);
    const path = patternOf(call.path);
    if (first.status >= 300 || !REPEATABLE.has(path)) return first;
    const before = await this.rows();
    const second = await super.send(keyed);
    const after = await this.rows();
    const faults = this.replayed.get(path) ?? [];
    if (second.headers['idempotency-replayed'] !== 'true') faults.push(`${second.status} is no replay`);
    if (second.status !== first.status) faults.push(`${first.status} became ${second.status}`);
    if (second.text !== first.text) faults.push(`${first.text} became ${second.text}`);
    if (after !== before) faults.push(`${before} became ${after}`);
    this.replayed.set(path, faults);
    return first;
  }

  private async rows(): Promise<string> {
    if (this.count === '') {
      const tables = await this.service.sql<{ name: string }>(TABLES);
      const counts = tables.map(({ name }) => `'${name} ' || (SELECT count(*) FROM ${name})`);
      this.count = `SELECT concat_ws(', ', VARIADIC ARRAY[${counts.join(', ')}]) AS rows`;
    }
    return (await this.service.sql<{ rows: string }>(this.count))[0]?.rows ?? '';
  }
}

/**
 * No scenario has a 2xx of these: one shifts the clock, the other needs a staff member with a second factor.
 */
const WITHOUT_EXAMPLE = ['/testClock', '/organisations/{organisationId}/users/{userId}/supportlogins'];

/** The paths of operations that are tried in the variant and described with the header. */
const describedBy = (variant: Variant): string[] => {
  const file = join(__dirname, `../../../docs/openapi-${variant.toLowerCase()}.json`);
  const { paths } = writtenOut(JSON.parse(readFileSync(file, 'utf8')) as object) as {
    paths: Record<string, { post?: { parameters?: { name: string }[] } }>;
  };
  const tried = triedRoutes(variant);
  return Object.entries(paths)
    .filter(([, { post }]) => post?.parameters?.some(({ name }) => name === 'Idempotency-Key'))
    .filter(([path]) => tried.has(`POST ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`))
    .map(([path]) => path.replace('/v1', ''));
};

/** More paths than this are repeated. */
const LEAST: PerVariant<number> = { A: 10, B: 5 };

let REPEATABLE: ReadonlyMap<string, RegExp>;
const patternOf = (path: string): string =>
  [...REPEATABLE].find(([, pattern]) => pattern.test(path.replace(/\?.*/, '')))?.[0] ?? '';

describe.each(VARIANTS)('every POST with Idempotency-Key, in Variant %s,', (variant) => {
  const mailServer = useMailServer();
  const service = useService(variant, () => ({ settings: { smtpUrl: mailServer.url } }));

  it('responds as written, and a second time the same without doing anything', async () => {
    REPEATABLE = new Map(
      describedBy(variant).map((path) => [path, new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)]),
    );
    const deployment = new RepeatingDeployment(service);
    const session = await beginSession(service, variant, testHooksOf(service, mailServer), deployment);
    await expectAsWritten(
      SCENARIOS.filter(({ needs = [] }) => !needs.includes('clock')),
      session,
    );
    await session.end();
    expect([...deployment.replayed].filter(([, faults]) => faults.length > 0)).toEqual([]);
    const described = [...REPEATABLE.keys()].filter((path) => !WITHOUT_EXAMPLE.includes(path)).sort();
    expect(described.length).toBeGreaterThan(LEAST[variant]);
    expect([...deployment.replayed.keys()].sort()).toEqual(described);
  });
});
