import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { until } from './until';

/** Where Debian's package `chromium`, and others, put the browser. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);

/** Milliseconds for one command of the protocol. */
const MAX_WAIT = 30_000;

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** A page in Chromium, driven by the DevTools protocol over a pipe: its messages end with NUL. */
export class ChromiumPage {
  private readonly waiting = new Map<number, (message: Message) => void>();
  private sessionId: string | undefined;
  private sent = 0;
  private received = '';

  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {
    (process.stdio[4] as Readable).setEncoding('utf8').on('data', (part: string) => this.receive(part));
  }

  static async open(program: string): Promise<ChromiumPage> {
    const folder = mkdtempSync(join(tmpdir(), 'chromium-'));
    const child = spawn(
      program,
      ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'].concat(
        '--remote-debugging-pipe',
        `--user-data-dir=${folder}`,
      ),
      // A group of its own: with it all its processes end.
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true },
    );
    const page = new ChromiumPage(child, folder);
    const { targetId } = await page.command<{ targetId: string }>('Target.createTarget', {
      url: 'about:blank',
    });
    const attached = { targetId, flatten: true };
    page.sessionId = (await page.command<{ sessionId: string }>('Target.attachToTarget', attached)).sessionId;
    return page;
  }

  command<Result>(method: string, params: object = {}): Promise<Result> {
    const id = ++this.sent;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} takes too long`)), MAX_WAIT);
      this.waiting.set(id, ({ result, error }) => {
        clearTimeout(timer);
        if (error === undefined) resolve(result as Result);
        else reject(new Error(`${method}: ${error.message}`));
      });
      const message = {
        id,
        method,
        params,
        ...(this.sessionId !== undefined && { sessionId: this.sessionId }),
      };
      (this.process.stdio[3] as Writable).write(`${JSON.stringify(message)}\0`);
    });
  }

  /** The value of an expression, or of its promise. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const { result, exceptionDetails } = await this.command<{
      readonly result: { readonly value: Value };
      readonly exceptionDetails?: { readonly exception?: { readonly description?: string } };
    }>('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails === undefined) return result.value;
    throw new Error(exceptionDetails.exception?.description ?? 'The page threw');
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('close', resolve));
    process.kill(-(this.process.pid as number), 'SIGKILL');
    await ended;
    // One of them may still have written a file after `rmSync` had read its folder: it reads no folder twice.
    await until(() => {
      try {
        rmSync(this.folder, { recursive: true, force: true });
        return Promise.resolve(true);
      } catch {
        return Promise.resolve(false);
      }
    });
  }

  private receive(part: string): void {
    const messages = (this.received + part).split('\0');
    this.received = messages.pop() ?? '';
    for (const text of messages) {
      const message = JSON.parse(text) as Message;
      const { id } = message;
      if (id === undefined) continue;
      this.waiting.get(id)?.(message);
      this.waiting.delete(id);
    }
  }
}
