import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { startBuilt } from '../../../scripts/built-service.mjs';

/** As in the Dockerfile and `npm start`. */
const FLAGS = ['--max-old-space-size=512', '--max-semi-space-size=8'];
export const ADMIN = { username: 'admin@bench.example', password: 'Benchmark-1' };

/** Starts the service as its users run it: its log going to a pipe that nobody reads slowly. */
export async function startService(databaseUrl, settings = {}) {
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    BCRYPT_COST: '10',
    RATE_LIMIT: 'off',
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    ...settings,
  };
  const { child, url } = await startBuilt(env, { flags: FLAGS });
  child.stdout.on('data', keepWarnings);
  return running(child, url);
}

/** Lines of the log from `warn` on that are about a request. */
const WARNING = /^.*"level":[4-6]0,.*"requestId".*$/gm;
const MAX_WARNINGS = 3;
const warnings = [];

function keepWarnings(chunk) {
  if (!chunk.includes('"level":40') && !chunk.includes('"level":50')) return;
  for (const [line] of chunk.toString().matchAll(WARNING)) warnings.push(line);
  warnings.splice(0, warnings.length - MAX_WARNINGS);
}

/** The last warnings of the measured services, each once: they say why a request failed. */
export const takeWarnings = () => warnings.splice(0);

/**
 * Starts another server to measure the service against: a file that takes a database, and
 * prints its port when ready.
 */
export async function startServer(file, databaseUrl) {
  const child = spawn(process.execPath, [...FLAGS, file, databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const port = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with code ${code}`)));
    child.stdout.once('data', resolve);
  });
  child.removeAllListeners('exit');
  return running(child, `http://127.0.0.1:${String(port).trim()}`);
}

/** A failed bench leaves no process behind. */
function running(child, url) {
  const kill = () => child.kill();
  process.once('exit', kill);
  return {
    url,
    pid: child.pid,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      // What it says of clients that have left is of no interest.
      child.stdout.removeAllListeners('data').resume();
      child.kill('SIGTERM');
      await once(child, 'exit');
      process.removeListener('exit', kill);
    },
  };
}

/** Logs in and gives the hash. */
export async function logIn(url, credentials = ADMIN) {
  const response = await fetch(`${url}/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  if (response.status !== 200) throw new Error(`login answered ${response.status}: ${await response.text()}`);
  return (await response.json()).hash;
}
