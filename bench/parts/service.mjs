import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import pg from 'pg';

const MAIN = join(import.meta.dirname, '../../dist/apps/api/main.js');
/** As in the Dockerfile and `npm start`. */
const FLAGS = ['--max-old-space-size=512'];
export const ADMIN = { username: 'admin@bench.example', password: 'Benchmark-1' };

/** Creates an empty database beside the one of the URL and gives its URL. */
export async function createDatabase(serverUrl, name) {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Starts the service as its users run it: one process, its log going to a pipe that nobody reads slowly. */
export async function startService(databaseUrl, port, settings = {}) {
  const child = spawn(process.execPath, [...FLAGS, MAIN], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      PORT: String(port),
      HOST: '127.0.0.1',
      BCRYPT_COST: '10',
      RATE_LIMIT: 'off',
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const startedAt = performance.now();
  const readyAfter = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with code ${code}`)));
    let text = '';
    child.stdout.on('data', (chunk) => {
      if (text === undefined) return;
      text += chunk;
      if (!text.includes('is ready at')) return;
      text = undefined;
      resolve(performance.now() - startedAt);
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid,
    readyAfter,
    async stop() {
      child.removeAllListeners('exit');
      child.kill('SIGTERM');
      await once(child, 'exit');
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
