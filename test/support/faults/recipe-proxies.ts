import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../service/until';
import { freePort } from './free-port';
import { askRaw } from './raw-targets';

const DEPLOY = join(__dirname, '../../../deploy');

interface Ports {
  readonly proxy: number;
  readonly a: string;
  readonly b: string;
  /** For what else a recipe listens on. */
  readonly other: number;
}

/** A recipe of `deploy/` with plain HTTP on one port. */
export interface RecipeProxy {
  readonly recipe: string;
  readonly program: string;
  readonly adapt: (text: string, ports: Ports) => string;
  readonly options: (folder: string, file: string) => readonly string[];
}

export const NGINX: RecipeProxy = {
  recipe: 'nginx/account-api.conf',
  program: '/usr/sbin/nginx',
  adapt: (text, { proxy, a, b }) =>
    `daemon off; pid nginx.pid; error_log stderr crit; events { worker_connections 4096; }
     http { access_log off; client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f;
     uwsgi_temp_path u; scgi_temp_path s;
     ${text
       .replaceAll(/10\.0\.0\.1[12]:3000/g, `127.0.0.1:${a}`)
       .replaceAll(/10\.0\.0\.1[12]:3001/g, `127.0.0.1:${b}`)
       .replace('listen 443 ssl', `listen 127.0.0.1:${proxy}`)
       .replaceAll(/^ *ssl_.*$/gm, '')} }`,
  options: (folder, file) => ['-p', folder, '-c', file],
};

export const HAPROXY: RecipeProxy = {
  recipe: 'haproxy/haproxy.cfg',
  program: '/usr/sbin/haproxy',
  adapt: (text, { proxy, a, b }) =>
    text
      .replaceAll(/10\.0\.0\.1[12]:3000/g, `127.0.0.1:${a}`)
      .replaceAll(/10\.0\.0\.1[12]:3001/g, `127.0.0.1:${b}`)
      .replace(/bind :443 ssl .*/, `bind 127.0.0.1:${proxy}`),
  options: (_, file) => ['-db', '-f', file],
};

export const CLUSTER_HAPROXY: RecipeProxy = {
  recipe: 'cluster/haproxy.cfg',
  program: '/usr/sbin/haproxy',
  adapt: (text, { proxy, a, b, other }) =>
    text
      .replaceAll(/api-a[12]:3000/g, `127.0.0.1:${a}`)
      .replaceAll(/api-b[12]:3000/g, `127.0.0.1:${b}`)
      .replace('bind :8080', `bind 127.0.0.1:${proxy}`)
      .replace('bind :5000', `bind 127.0.0.1:${other}`),
  options: (_, file) => ['-db', '-f', file],
};

/** Describes what needs the program of a recipe; a program that is not installed is named and skipped. */
export const describeBehind = (proxy: RecipeProxy, describeIt: () => void): void => {
  const name = `behind deploy/${proxy.recipe}`;
  if (existsSync(proxy.program)) describe(name, describeIt);
  else describe.skip(`${name}, whose ${proxy.program} is not installed`, describeIt);
};

export interface RunningProxy {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Runs the program of a recipe in front of services with the variants A and B.
 * @param folder for its files, made anew
 */
export async function startRecipeProxy(
  { recipe, program, adapt, options }: RecipeProxy,
  folder: string,
  a: string,
  b: string,
): Promise<RunningProxy> {
  const own = mkdtempSync(folder);
  const ports = {
    proxy: await freePort(),
    a: new URL(a).port,
    b: new URL(b).port,
    other: await freePort(),
  };
  const text = adapt(readFileSync(join(DEPLOY, recipe), 'utf8'), ports);
  expect(text).not.toMatch(/:443\b|10\.0\.0|\bapi-[ab]\d:/);
  const file = join(own, 'proxy.conf');
  writeFileSync(file, text);
  const child: ChildProcess = spawn(program, options(own, file), { stdio: 'ignore', cwd: own });
  const url = `http://127.0.0.1:${ports.proxy}`;
  await until(async () => {
    const answer = await askRaw(url, '/v1/whoami').catch(() => undefined);
    return answer?.status === 401;
  });
  return {
    url,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}
