// Starts the built service in a process of its own, for tools that ask it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mainFile } from './prepare.mjs';

const START_TIMEOUT_MS = 120_000;

/**
 * Gives the process, where it listens and what ends it, once it is ready; fails with what it wrote where it
 * ends before. `env` is the whole environment.
 */
export async function startBuilt(env, { node = process.execPath, flags = [] } = {}) {
  const child = spawn(node, [...flags, mainFile], {
    env: { ...env, HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const timer = setTimeout(() => child.kill(), START_TIMEOUT_MS);
  let output = '';
  const port = await new Promise((resolve, reject) => {
    child.stdout.on('data', function look(chunk) {
      output += chunk;
      const found = /is ready at http:\/\/127\.0\.0\.1:(\d+)\/v1/.exec(output)?.[1];
      if (found === undefined) return;
      child.stdout.off('data', look);
      resolve(found);
    });
    void ended.then(() => reject(new Error(`The service ended before it was ready:\n${output}`)));
  });
  clearTimeout(timer);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { child, url: `http://127.0.0.1:${port}`, stop };
}
