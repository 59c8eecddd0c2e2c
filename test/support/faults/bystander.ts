import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { VariantName } from '@app/config/settings';
import { makeCustomer } from '../factories/factories';
import type { ApiClient } from '../service/client';
import { createTestDatabase } from '../service/databases';
import { settingsOn, startServiceProcess } from '../service/processes';
import { PASSKEYS, type ReachableService, serialSql } from '../service/service';

/** The service in a process of its own, with the memory limit that `npm start` and the image give it. */
export interface AttackedService extends ReachableService {
  /** Resident memory of the process in MB; undefined when the process is gone. */
  readonly residentMb: () => number | undefined;
  stop(): Promise<void>;
}

/** Starts a service to be attacked. Stop it in `afterAll`. */
export async function startAttackedService(
  variant: VariantName,
  env: NodeJS.ProcessEnv = {},
): Promise<AttackedService> {
  const database = await createTestDatabase();
  const settings = settingsOn(database.url, {
    API_VARIANT: variant,
    BCRYPT_COST: '10',
    PASSKEY_RP_ID: PASSKEYS.rpId,
    PASSKEY_ORIGINS: PASSKEYS.origins.join(),
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
    NODE_OPTIONS: '--max-old-space-size=512',
    ...env,
  });
  const { child, address, stop } = startServiceProcess(settings);
  const url = (await address).replace('localhost', '127.0.0.1');
  const client = new Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  return {
    url,
    sql: serialSql(client),
    residentMb: () => residentMbOf(child.pid),
    stop: async () => {
      await client.end();
      await stop();
      await database.drop();
    },
  };
}

/** What an ordinary user of another organisation noticed of an attack. */
export interface Notice {
  /** How often each status came; 0 where no response came at all. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Milliseconds within which 95 of 100 responses came. */
  readonly p95: number;
  /** Most resident memory of the service meanwhile, in MB; Infinity when the process ended. */
  readonly peakMb: number;
}

/**
 * Milliseconds within which 95 of 100 calls of a bystander end. Where others wait for an attack they wait
 * longer, or get no 200. The goal is 500 ms on a machine that does nothing else: here it may be busy.
 */
export const UNDISTURBED_P95 = 2000;

/** Milliseconds between two calls of the bystander. */
const PACE = 100;

/** Lets a user of another organisation ask `whoami` ten times a second while the attack lasts. */
export async function bystanderDuring(
  service: AttackedService,
  attack: () => Promise<unknown>,
): Promise<Notice> {
  const { plain } = await makeCustomer(service);
  const statuses: Record<number, number> = {};
  const times: number[] = [];
  let peakMb = 0;
  const state = { over: false };
  const calls: Promise<void>[] = [];
  const watching = (async () => {
    while (!state.over) {
      calls.push(
        timed(plain.client).then(({ status, ms }) => {
          statuses[status] = (statuses[status] ?? 0) + 1;
          times.push(ms);
        }),
      );
      peakMb = Math.max(peakMb, service.residentMb() ?? Infinity);
      await pause(PACE);
    }
  })();
  try {
    await attack();
  } finally {
    state.over = true;
    await watching;
    await Promise.all(calls);
  }
  times.sort((one, other) => one - other);
  return { statuses, p95: times[Math.floor(times.length * 0.95)] ?? 0, peakMb };
}

async function timed(client: ApiClient): Promise<{ status: number; ms: number }> {
  const start = performance.now();
  const status = await client.get('/whoami').then(
    (response) => response.status,
    () => 0,
  );
  return { status, ms: performance.now() - start };
}

function residentMbOf(pid: number | undefined): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return undefined;
  }
}
