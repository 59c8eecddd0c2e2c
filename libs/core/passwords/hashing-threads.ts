import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { jobs } from './hashing-worker.cjs';

/** The common rounds of MD5-crypt and SHA-crypt. */
export interface CryptRoundsInput {
  algorithm: 'md5' | 'sha256' | 'sha512';
  rounds: number;
  /** The digest that the first round starts from. */
  first: Uint8Array;
  password: Uint8Array;
  salt: Uint8Array;
}

type HashingJobs = typeof jobs;
type JobName = keyof HashingJobs;
type InputOf<Name extends JobName> = Parameters<HashingJobs[Name]>[0];
type OutputOf<Name extends JobName> = ReturnType<HashingJobs[Name]>;

/** What is sent to a thread. */
export interface HashingRequest {
  readonly name: JobName;
  readonly input: unknown;
}

/** What a thread sends back. */
export type HashingOutcome = { readonly output: unknown } | { readonly failure: string };

const WORKER = join(__dirname, 'hashing-worker.cjs');

/**
 * Threads that hash passwords, started when first needed and kept: as many as there are cores for this process, since
 * more at once would only make each hash slower. Further work waits in order of arrival; whoever calls limits how much.
 */
export class HashingThreads {
  private readonly idle: HashingThread[] = [];
  private readonly started = new Set<HashingThread>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  private closed = false;

  constructor(private readonly threads = availableParallelism()) {}

  async run<Name extends JobName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
    if (this.running >= this.threads) await new Promise<void>((turn) => this.waiting.push(turn));
    else this.running++;
    try {
      if (this.closed) throw new Error('The hashing threads are stopped');
      return await this.runNow(name, input);
    } finally {
      // The place goes straight to whoever waits longest.
      const next = this.waiting.shift();
      if (next === undefined) this.running--;
      else next();
    }
  }

  /** Stops the threads; work under way fails. */
  async close(): Promise<void> {
    this.closed = true;
    const threads = [...this.started];
    this.started.clear();
    await Promise.all(threads.map((thread) => thread.stop()));
  }

  private async runNow<Name extends JobName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
    const thread = this.idle.pop() ?? this.start();
    try {
      return await thread.run(name, input);
    } finally {
      if (this.started.has(thread)) this.idle.push(thread);
    }
  }

  private start(): HashingThread {
    const thread = new HashingThread(() => this.forget(thread));
    this.started.add(thread);
    return thread;
  }

  private forget(thread: HashingThread): void {
    this.started.delete(thread);
    const index = this.idle.indexOf(thread);
    if (index >= 0) this.idle.splice(index, 1);
  }
}

/** One thread with at most one job. */
class HashingThread {
  private readonly worker = new Worker(WORKER, { name: 'password-hashing', env: {}, execArgv: [] });
  private settle: { resolve: (output: never) => void; reject: (reason: Error) => void } | undefined;

  constructor(onEnd: () => void) {
    this.worker.on('message', (outcome: HashingOutcome) => {
      if ('failure' in outcome) this.settle?.reject(new Error(outcome.failure));
      else this.settle?.resolve(outcome.output as never);
    });
    this.worker.on('error', (error: Error) => this.settle?.reject(error));
    this.worker.on('exit', () => {
      onEnd();
      this.settle?.reject(new Error('The hashing thread has ended'));
    });
  }

  async run<Name extends JobName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
    // Only a thread with work keeps the process alive.
    this.worker.ref();
    try {
      return await new Promise((resolve, reject) => {
        this.settle = { resolve, reject };
        const request: HashingRequest = { name, input };
        this.worker.postMessage(request);
      });
    } finally {
      this.settle = undefined;
      this.worker.unref();
    }
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }
}
