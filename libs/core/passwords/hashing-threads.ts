import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** The common rounds of MD5-crypt and SHA-crypt. */
export interface CryptRoundsInput {
  algorithm: 'md5' | 'sha256' | 'sha512';
  rounds: number;
  /** The digest that the first round starts from. */
  first: Uint8Array;
  password: Uint8Array;
  salt: Uint8Array;
}

interface HashingJobs {
  bcryptHash: { input: { password: string; cost: number }; output: string };
  bcryptCompare: { input: { password: string; hash: string }; output: boolean };
  cryptRounds: { input: CryptRoundsInput; output: Uint8Array };
}

type JobName = keyof HashingJobs;

/**
 * A thread of its own instead of libuv's pool, because its priority can be lowered: on two cores with both busy
 * hashing, the p99 of other requests is then 1.1 to 1.3 times that of a quiet service instead of 2 to 2.5 times,
 * at the same number of logins a second. 10 and not 19, so that logins still get a tenth of a core when all cores
 * are busy with other things. On Linux a priority belongs to a thread, elsewhere it is left alone.
 */
const NICENESS = 10;

/**
 * Text and not a file of its own, so that it runs alike from the build and from the TypeScript sources in tests,
 * which a thread cannot load. Packages come in by path, since such text has no place to resolve them from.
 */
const THREAD_SOURCE = `'use strict';
const { createHash } = require('node:crypto');
const { readlinkSync } = require('node:fs');
const { setPriority } = require('node:os');
const { parentPort, workerData } = require('node:worker_threads');
const bcrypt = require(workerData.bcryptPath);

if (process.platform === 'linux') {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').pop()), workerData.niceness);
  } catch {
    // A sandbox may forbid it: hashing then competes with requests on equal terms, and all else is the same.
  }
}

const jobs = {
  bcryptHash: ({ password, cost }) => bcrypt.hashSync(password, cost),
  bcryptCompare: ({ password, hash }) => bcrypt.compareSync(password, hash),
  cryptRounds({ algorithm, rounds, first, password, salt }) {
    let digest = first;
    for (let round = 0; round < rounds; round++) {
      const hash = createHash(algorithm);
      hash.update(round % 2 ? password : digest);
      if (round % 3) hash.update(salt);
      if (round % 7) hash.update(password);
      hash.update(round % 2 ? digest : password);
      digest = hash.digest();
    }
    return digest;
  },
};

parentPort.on('message', ({ name, input }) => {
  try {
    parentPort.postMessage({ output: jobs[name](input) });
  } catch (error) {
    parentPort.postMessage({ failure: error.message });
  }
});
`;

/**
 * Threads that hash passwords, started when first needed and kept: as many as there are cores, since more at once
 * would only make each hash slower. Further work waits in order of arrival; whoever calls limits how much.
 */
export class HashingThreads {
  private readonly idle: HashingThread[] = [];
  private readonly started = new Set<HashingThread>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  private closed = false;

  async run<Name extends JobName>(
    name: Name,
    input: HashingJobs[Name]['input'],
  ): Promise<HashingJobs[Name]['output']> {
    if (this.running >= availableParallelism()) await new Promise<void>((turn) => this.waiting.push(turn));
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

  private async runNow<Name extends JobName>(
    name: Name,
    input: HashingJobs[Name]['input'],
  ): Promise<HashingJobs[Name]['output']> {
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

type Answer = { output: never } | { failure: string };

/** One thread with at most one job. */
class HashingThread {
  private readonly worker = new Worker(THREAD_SOURCE, {
    eval: true,
    name: 'password-hashing',
    env: {},
    execArgv: [],
    workerData: { bcryptPath: require.resolve('bcrypt'), niceness: NICENESS },
  });
  private settle: { resolve: (output: never) => void; reject: (reason: Error) => void } | undefined;

  constructor(onEnd: () => void) {
    this.worker.on('message', (answer: Answer) => {
      if ('failure' in answer) this.settle?.reject(new Error(answer.failure));
      else this.settle?.resolve(answer.output);
    });
    this.worker.on('error', (error: Error) => this.settle?.reject(error));
    this.worker.on('exit', () => {
      onEnd();
      this.settle?.reject(new Error('The hashing thread has ended'));
    });
  }

  async run<Name extends JobName>(
    name: Name,
    input: HashingJobs[Name]['input'],
  ): Promise<HashingJobs[Name]['output']> {
    // Only a thread with work keeps the process alive.
    this.worker.ref();
    try {
      return await new Promise((resolve, reject) => {
        this.settle = { resolve, reject };
        this.worker.postMessage({ name, input });
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
