// What the time of a test file goes to (npm test -- --times): jest loads this before each test file. It
// listens to what tests ask of Node, PostgreSQL and Nest, so that no helper and no test knows of it.
import child from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import promisedTimers from 'node:timers/promises';

/**
 * The first one that goes on gets the time: whoever hashes a password does so during a request, whoever waits
 * for a job asks for it by requests.
 */
const PARTS = ['database', 'hashing', 'service', 'requests', 'waiting', 'processes', 'loading'] as const;
type Part = (typeof PARTS)[number];

/** The parts that go on in the file that runs, and the milliseconds of each so far. */
class Meter {
  private readonly spent: Partial<Record<Part, number>> = {};
  private readonly open = new Map<Part, number>();
  private since = performance.now();
  private readonly cpuBefore = process.cpuUsage();
  private isWritten = false;

  constructor(private readonly path: string) {}

  begin(part: Part): void {
    this.settle();
    this.open.set(part, (this.open.get(part) ?? 0) + 1);
  }

  end(part: Part): void {
    this.settle();
    this.open.set(part, Math.max(0, (this.open.get(part) ?? 0) - 1));
    // Hooks that run after this file's own one, such as the stop of a service.
    if (this.isWritten) this.write();
  }

  write(): void {
    this.settle();
    this.isWritten = true;
    const { user, system } = process.cpuUsage(this.cpuBefore);
    const report = { path: this.path, spent: this.spent, processor: (user + system) / 1000 };
    const name = this.path.replaceAll(/[^\w.-]/g, '!');
    writeFileSync(join(process.env['TEST_TIMES'] ?? '', `${name}.json`), JSON.stringify(report));
  }

  private settle(): void {
    const now = performance.now();
    const part = PARTS.find((one) => (this.open.get(one) ?? 0) > 0);
    if (part !== undefined) this.spent[part] = (this.spent[part] ?? 0) + now - this.since;
    this.since = now;
  }
}

/** Modules of the service stay loaded from file to file, and what listens to them with them. */
const shared = globalThis as typeof globalThis & { testMeter?: Meter; listensToTests?: true };
const meter = (): Meter | undefined => shared.testMeter;

async function during<Result>(part: Part, work: () => Promise<Result>): Promise<Result> {
  const measured = meter();
  measured?.begin(part);
  try {
    return await work();
  } finally {
    measured?.end(part);
  }
}

/** The caller of what is listened to, in a trace. */
const CALLER_OF_TESTS = /\/test\//;

type Method = (...args: unknown[]) => unknown;

/** Notes every call of a method that gives a promise, of the part that its arguments tell. */
function note(owner: object, name: string, partOf: (...args: unknown[]) => Part | undefined): void {
  const methods = owner as Record<string, Method>;
  const original = methods[name] as Method;
  methods[name] = function (this: unknown, ...args: unknown[]): unknown {
    const part = partOf(...args);
    const call = (): unknown => original.apply(this, args);
    return part === undefined ? call() : during(part, async () => call());
  };
}

const isOfTests = (): boolean => CALLER_OF_TESTS.test(new Error().stack?.split('\n')[3] ?? '');

function listenToRequests(): void {
  const begun = new WeakMap<object, Meter | undefined>();
  const begin = (request: object): void => {
    begun.set(request, meter());
    meter()?.begin('requests');
  };
  const end = (request: object): void => {
    begun.get(request)?.end('requests');
    begun.delete(request);
  };
  const of = (message: unknown): object => (message as { request: object }).request;
  subscribe('http.client.request.start', (message) => begin(of(message)));
  subscribe('http.client.response.finish', (message) => end(of(message)));
  subscribe('http.client.request.error', (message) => end(of(message)));
  subscribe('undici:request:create', (message) => begin(of(message)));
  subscribe('undici:request:trailers', (message) => end(of(message)));
  subscribe('undici:request:error', (message) => end(of(message)));
}

function listenToProcesses(): void {
  const { spawn } = child;
  child.spawn = ((...args: Parameters<typeof spawn>) => {
    const measured = meter();
    measured?.begin('processes');
    return spawn(...args).once('close', () => measured?.end('processes'));
  }) as typeof spawn;
}

function listen(): void {
  // As the test files load them, by whichever registry of modules.
  const load = createRequire(__filename);
  const { Client } = load('pg') as typeof import('pg');
  const isOfDatabases = (statement: unknown): boolean =>
    typeof statement === 'string' && /^(CREATE|DROP) DATABASE/.test(statement);
  note(Client.prototype, 'query', (statement) => (isOfDatabases(statement) ? 'database' : undefined));
  note(promisedTimers, 'setTimeout', () => (isOfTests() ? 'waiting' : undefined));
  const { NestFactory, NestApplication } = load('@nestjs/core') as typeof import('@nestjs/core');
  note(Object.getPrototypeOf(NestFactory) as object, 'create', () => 'service');
  for (const name of ['listen', 'close']) note(NestApplication.prototype, name, () => 'service');
  const { HashingThreads } = load('@app/security/passwords/hashing-threads') as {
    HashingThreads: { prototype: object };
  };
  note(HashingThreads.prototype, 'run', () => 'hashing');
  listenToRequests();
  listenToProcesses();
}

shared.testMeter = new Meter(expect.getState().testPath ?? '');
if (process.env['TEST_TIMES'] !== undefined && shared.listensToTests === undefined) {
  shared.listensToTests = true;
  listen();
}
meter()?.begin('loading');
beforeAll(() => meter()?.end('loading'));
afterAll(() => meter()?.write());
