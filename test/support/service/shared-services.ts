import { isDeepStrictEqual } from 'node:util';
import { ModulesContainer } from '@nestjs/core';
import { Settings, type VariantName } from '@app/config/settings';
import { rememberForTeardown } from './jest-global-teardown';
import { deleteJobs } from './jobs';
import { logsByUrl, ServiceOfHooks, startTestService, type TestService, useService } from './service';

/*
 * Services that the test files of one worker of jest share. Each file makes organisations of its own, and
 * leaves what belongs to all files as it was. Otherwise it fails, and the next file gets a new service.
 */

/**
 * The services that run. `shared-modules-runner.cjs` makes the map. Where files share no modules, there is
 * none, and each file starts its own service.
 */
const worker = globalThis as typeof globalThis & { sharedServices?: Map<VariantName, Promise<TestService>> };

/** What all test files of a worker find in a shared service. */
export type GlobalState = Readonly<Record<string, unknown>>;

/** Rows that all files see, by their names. */
const COMMON_ROWS = {
  'operator organisation': `SELECT to_jsonb(o) - '{beneath_count,version}'::text[] FROM organisations o WHERE id = 1`,
  'first admin': `SELECT jsonb_build_array(username, organisation_id, first_name, last_name, language, roles, enabled,
    password_hash, second_factor) FROM users WHERE id = 1 AND deleted_at IS NULL`,
  'its contacts': 'SELECT jsonb_agg(id) FROM contacts WHERE organisation_id = 1',
  'its teams': 'SELECT jsonb_agg(id) FROM teams WHERE organisation_id = 1',
  'its grants': 'SELECT jsonb_agg(id) FROM acls WHERE 1 IN (organisation_id, grantee_id)',
  'its suspensions': 'SELECT jsonb_agg(id) FROM suspensions WHERE organisation_id = 1',
  'its support access': 'SELECT jsonb_agg(access) FROM support_access WHERE organisation_id = 1',
  'price groups': 'SELECT jsonb_agg(p ORDER BY id) FROM price_groups p',
  // Of any organisation: they slow down the deliveries of every file.
  'enabled webhooks': 'SELECT jsonb_agg(id) FROM webhooks WHERE enabled',
};

const READ_COMMON_ROWS = `SELECT ${Object.entries(COMMON_ROWS)
  .map(([name, rows]) => `(${rows}) AS "${name}"`)
  .join(', ')}`;

export async function globalStateOf({ app, sql }: TestService): Promise<GlobalState> {
  const [rows = {}] = await sql(READ_COMMON_ROWS);
  return {
    settings: structuredClone({ ...app.get<object>(Settings) }),
    'replaced methods': replacedMethodsOf(app.get(ModulesContainer)),
    ...rows,
  };
}

/** Methods that stand on a provider itself, such as the `now` of a moved clock, and not on its class. */
function replacedMethodsOf(modules: ModulesContainer): string[] {
  const found = new Set<string>();
  for (const { providers } of modules.values()) {
    for (const { instance } of providers.values()) {
      if (typeof instance !== 'object' || instance === null) continue;
      const prototype = Object.getPrototypeOf(instance) as object | null;
      for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(instance))) {
        if (prototype === null || typeof value !== 'function' || !(name in prototype)) continue;
        found.add(`${prototype.constructor.name}.${name}`);
      }
    }
  }
  return [...found].sort();
}

/** A line for each part that differs. */
export const differences = (before: GlobalState, after: GlobalState): string[] =>
  Object.keys(before)
    .filter((part) => !isDeepStrictEqual(before[part], after[part]))
    .map((part) => `${part}: ${JSON.stringify(before[part])} became ${JSON.stringify(after[part])}`);

/** Takes away what requests leave by themselves: mails to send, counts by address, lines of the log. */
async function forgetTraffic(service: TestService): Promise<void> {
  await deleteJobs(service);
  await service.sql`TRUNCATE attempts, mails`;
  service.logLines.length = 0;
}

/** `describeService` on services that the worker shares. */
export const describeSharedService = <Name extends VariantName>(
  variants: readonly Name[],
  title: string,
  tests: (service: TestService, variant: Name) => void,
): void => describe.each(variants)(title, (variant) => tests(useSharedService(variant), variant));

/** `useService` on a service that the worker shares. */
export function useSharedService(variant: VariantName): TestService {
  const services = worker.sharedServices;
  if (services === undefined) return useService(variant);
  const service = new ServiceOfHooks(variant);
  let before: GlobalState | undefined;
  beforeAll(async () => {
    service.running = await runningService(services, variant);
    logsByUrl.set(service.url, service.logLines);
    before = await globalStateOf(service);
  });
  afterAll(async () => {
    // The start has failed, and has said so.
    if (before === undefined) return;
    const left = differences(before, await globalStateOf(service));
    await forgetTraffic(service);
    if (left.length === 0) return;
    services.delete(variant);
    await service.stop();
    throw new Error(`This file shares its service and changed what all files see:\n${left.join('\n')}`);
  });
  return service;
}

function runningService(
  services: Map<VariantName, Promise<TestService>>,
  variant: VariantName,
): Promise<TestService> {
  const running = services.get(variant);
  if (running !== undefined) return running;
  const started = startTestService(variant);
  services.set(variant, started);
  started.catch(() => services.delete(variant));
  // Where jest runs the files in its own process. A worker ends with its services.
  rememberForTeardown(async () => {
    if (services.get(variant) === started) await (await started).stop();
  });
  return started;
}
