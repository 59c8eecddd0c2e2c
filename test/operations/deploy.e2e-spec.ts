import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import request from 'supertest';
import { parse, parseAllDocuments } from 'yaml';
import { SETTING_NAMES } from '@app/config/setting-table';
import { MAX_FILE_BYTES } from '@app/records/documents/document.types';
import { VARIANTS } from '../../qa/variants';
import { anonymous } from '../support/service/client';
import { useFiles } from '../support/service/files';
import { useService } from '../support/service/service';

const ROOT = join(__dirname, '../..');
const DEPLOY = join(ROOT, 'deploy');
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const FILES = readdirSync(DEPLOY, { recursive: true, encoding: 'utf8' })
  .filter((path) => statSync(join(DEPLOY, path)).isFile())
  .map((path) => `deploy/${path}`);

interface HttpRoute {
  readonly spec: {
    readonly hostnames: readonly string[];
    readonly rules: readonly {
      readonly matches: readonly {
        readonly path: { readonly type: 'PathPrefix' | 'Exact'; readonly value: string };
      }[];
      readonly filters: readonly {
        readonly requestHeaderModifier?: { readonly remove?: readonly string[] };
      }[];
      readonly backendRefs: readonly { readonly name: string }[];
    }[];
  };
}
const routes = (): HttpRoute[] =>
  parseAllDocuments(textOf('deploy/kubernetes/http-route.yaml')).map(
    (document) => document.toJS() as HttpRoute,
  );

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly build?: string;
        readonly image?: string;
        readonly command?: readonly string[];
        readonly env_file?: unknown;
        readonly environment?: Readonly<Record<string, unknown>>;
      }
    >
  >;
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly gridPos: { readonly x: number; readonly y: number };
    readonly targets: readonly { readonly expr: string }[];
  }[];
}
const dashboard = JSON.parse(textOf('deploy/grafana/dashboard.json')) as Dashboard;

const ALERTS = 'deploy/prometheus/rules.yml';

/** Metrics by the beginnings of their names; labels and functions have others. */
const metricsIn = (text: string): Set<string> =>
  new Set(text.match(/\b(?:http|database|jobs|password|throttled|account_api|nodejs|process)_[a-z0-9_]+\b/g));

const service = useService('A');
const files = useFiles();
let known: Set<string>;
beforeAll(async () => {
  for (let guess = 0; guess <= 10; guess++)
    await anonymous(service).post('/login', { username: 'x@example.com', password: 'x' });
  await service.sql(
    `SELECT graphile_worker.add_job('mail.send', '{}', run_at => now() - interval '1 minute')`,
  );
  const { text } = await request(service.url).get('/metrics').expect(200);
  known = new Set([...text.matchAll(/^(\w+)[{ ]/gm)].map(([, name = '']) => name));
});

it('deploy/prometheus/rules.yml and deploy/grafana/dashboard.json ask for no metric that GET /metrics lacks', () => {
  const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n');
  for (const text of [expressions, textOf(ALERTS)]) {
    expect(metricsIn(text).size).toBeGreaterThan(10);
    expect([...metricsIn(text)].filter((name) => !known.has(name))).toEqual([]);
  }
});

it('deploy/grafana/dashboard.json shows every metric of GET /metrics', () => {
  const shown = metricsIn(JSON.stringify(dashboard));
  const own = [...known].filter((name) => /^(http|database|jobs|password|throttled|account)_/.test(name));
  const missing = own.filter((name) => !shown.has(name) && !/_(sum|count)$/.test(name));
  expect(missing).toEqual([]);
});

it('deploy/prometheus/rules.yml gives every alert a name of its own, a severity, a summary and an action', () => {
  const alerts = textOf(ALERTS)
    .split(/^ {6}- alert: /m)
    .slice(1);
  const names = alerts.map((alert) => alert.split('\n')[0]);
  expect(new Set(names).size).toBe(names.length);
  for (const alert of alerts) {
    expect(alert).toMatch(/labels: \{ severity: (info|warning|critical) \}/);
    expect(alert).toMatch(/summary: \S/);
    expect(alert).toMatch(/action: \S/);
  }
});

it('deploy/grafana/dashboard.json lays no panel over another', () => {
  const places = dashboard.panels.map(({ gridPos }) => `${gridPos.x},${gridPos.y}`);
  expect(new Set(places).size).toBe(places.length);
});

/** Settings of other programs, and of the OpenTelemetry SDK. */
const FOREIGN =
  /^(PATRONI|ETCD|POSTGRES|PGDATA|NODE_ENV|ACCOUNT_(PASSWORD|ROLE|DATABASE)|REPLICATION_PASSWORD|OTEL_)/;

it('docker-compose.yml and deploy set nothing that the service does not read', () => {
  const settings = new Set(SETTING_NAMES);
  expect(settings.has('DATABASE_URL')).toBe(true);
  const named = ['docker-compose.yml', ...FILES].flatMap((path) =>
    [
      ...textOf(path).matchAll(/^ *(?:Environment=)?([A-Z][A-Z0-9_]+)(?:: |=)/gm),
      ...textOf(path).matchAll(/\bname: ([A-Z][A-Z0-9_]+),/g),
      ...textOf(path).matchAll(/\$\{([A-Z][A-Z0-9_]+)/g),
    ].map(([, name = '']) => ({ path, name })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ name }) => !settings.has(name) && !FOREIGN.test(name))).toEqual([]);
});

it('docker-compose.yml, .env.example and deploy hold no secret', () => {
  const secret = /^ *(?:[A-Z_]*PASSWORD|SECRETS_KEY)(?:: |=)(?!\$\{[A-Z_]+:\?|''$|\s*$)(.*)$/gm;
  for (const path of ['docker-compose.yml', '.env.example', ...FILES])
    expect({ path, secrets: [...textOf(path).matchAll(secret)].map(([line]) => line) }).toEqual({
      path,
      secrets: [],
    });
  expect(textOf('deploy/kubernetes/kustomization.yaml')).not.toMatch(/secretGenerator|kind: Secret/);
});

it('deploy asks /health/live and /health/ready, which are 200', async () => {
  const paths = new Set(
    FILES.flatMap((path) => [
      ...textOf(path).matchAll(/(?:httpchk GET|httpGet: \{ path:) (\/health\/\w+)/g),
    ]).map(([, path = '']) => path),
  );
  expect([...paths].sort()).toEqual(['/health/live', '/health/ready']);
  for (const path of paths) await request(service.url).get(path).expect(200);
});

describe.each(VARIANTS)('proxies before Variant %s', (variant) => {
  const { paths } = JSON.parse(textOf(`docs/openapi-${variant.toLowerCase()}.json`)) as { paths: object };
  const isInside = (path: string): boolean => /^\/(health|metrics)(\/|$)/.test(path);
  /** Pages and documents are for people, and not in the document. */
  const called = [
    ...Object.keys(paths).filter((path) => !isInside(path)),
    '/docs',
    '/docs/openapi.json',
    '/account/pages.css',
    '/account/password/x',
  ];

  it('deploy/kubernetes/http-route.yaml passes on every path of the interface, and neither /metrics nor /health', () => {
    const host = variant === 'A' ? 'api.example.com' : 'legacy.example.com';
    const rules = routes()
      .filter(({ spec }) => spec.hostnames.includes(host))
      .flatMap(({ spec }) => spec.rules);
    const passes = (path: string): boolean =>
      rules
        .flatMap(({ matches }) => matches)
        .some(({ path: { type, value } }) =>
          type === 'Exact' ? path === value : `${path}/`.startsWith(`${value}/`),
        );
    expect(called.length).toBeGreaterThan(30);
    expect(called.filter((path) => !passes(path))).toEqual([]);
    for (const path of ['/metrics', '/health/live', '/health/ready', '/']) expect(passes(path)).toBe(false);
    expect(rules.flatMap(({ backendRefs }) => backendRefs.map(({ name }) => name))).toEqual([
      `account-api-${variant.toLowerCase()}`,
    ]);
  });

  it.each([
    ['deploy/nginx/account-api.conf', /location ~\* (\S+) \{\s+proxy_pass/g],
    ['deploy/haproxy/haproxy.cfg', /404 unless \{ path -i -m reg (\S+) \}/g],
    ['deploy/cluster/haproxy.cfg', /404 unless \{ path -i -m reg (\S+) \}/g],
  ])('%s passes on every path of the interface, and neither /metrics nor /health', (file, named) => {
    const passed = [...textOf(file).matchAll(named)].map(([, pattern = '']) => new RegExp(pattern, 'i'));
    const passes = (path: string): boolean => passed.some((pattern) => pattern.test(path));
    expect(called.filter((path) => !passes(path))).toEqual([]);
    for (const path of ['/metrics', '/METRICS', '/health/live', '/health/ready', '/', '/v1x', '/x/v1'])
      expect(passes(path)).toBe(false);
  });
});

/** What docker-compose.yml sets itself, whatever `.env` says: another file would be another deployment. */
const OF_COMPOSE = ['API_VARIANT', 'DATABASE_URL', 'PORT'];

it('docker-compose.yml hands every setting of .env to the service', () => {
  const { services } = parse(textOf('docker-compose.yml'), { merge: true }) as Compose;
  const passed = ['SECRETS_KEY', 'ADMIN_USERNAME', 'ADMIN_PASSWORD', 'SMTP_URL', 'MAIL_FROM'];
  for (const name of ['api-a', 'api-b']) {
    const { env_file: files, environment = {} } = services[name] ?? {};
    expect(files).toEqual([{ path: '.env', required: false }]);
    // An entry here wins over the file.
    expect(Object.keys(environment).sort()).toEqual([...OF_COMPOSE, ...passed, 'POSTGRES_PASSWORD'].sort());
    for (const setting of passed) expect(environment[setting]).toMatch(new RegExp(`^\\$\\{${setting}:`));
    expect(environment['POSTGRES_PASSWORD']).toBe('');
  }
});

it('haproxy.cfg, account-api.conf and http-route.yaml replace or remove X-Forwarded-For, X-Request-Id and traceparent of clients', () => {
  for (const path of [
    'deploy/haproxy/haproxy.cfg',
    'deploy/cluster/haproxy.cfg',
    'deploy/nginx/account-api.conf',
  ])
    for (const name of ['X-Forwarded-For', 'X-Request-Id', 'traceparent', 'tracestate'])
      expect({
        path,
        line: textOf(path).match(new RegExp(`^ *\\S.*(?:set|del)[-_]header ${name}\\b`, 'gm'))?.length,
      }).toEqual({ path, line: 1 });
  const removed = routes().map(({ spec }) =>
    spec.rules.flatMap(({ filters }) =>
      filters.flatMap(({ requestHeaderModifier }) => requestHeaderModifier?.remove ?? []),
    ),
  );
  expect(removed).toEqual(VARIANTS.map(() => ['X-Request-Id', 'traceparent', 'tracestate']));
});

it('nginx, Envoy and Traefik of deploy let a document of the largest size pass', () => {
  for (const [path, limit, unit] of [
    ['deploy/nginx/account-api.conf', /^ *client_max_body_size (\d+)m;$/m, 1024 * 1024],
    ['deploy/kubernetes/gateways/envoy-gateway.yaml', /^ {4}limit: (\d+)Mi$/m, 1024 * 1024],
    ['deploy/kubernetes/gateways/traefik.yaml', /^ {4}maxRequestBodyBytes: (\d+)$/m, 1],
  ] as const)
    expect(Number(limit.exec(textOf(path))?.[1]) * unit).toBeGreaterThan(MAX_FILE_BYTES);
});

it('deploy/kubernetes/autoscaling asks for a metric of GET /metrics, under the name that prometheus-adapter.yaml gives it', async () => {
  const { text } = await request(service.url).get('/metrics').expect(200);
  const adapter = textOf('deploy/kubernetes/autoscaling/prometheus-adapter.yaml');
  const [, metric = '', state = ''] = /seriesQuery: (\w+)\{.*state="(\w+)"\}/.exec(adapter) ?? [];
  expect(text).toMatch(new RegExp(`^${metric}\\{.*state="${state}".*\\} \\d`, 'm'));
  const name = /^ {8}as: (\w+)$/m.exec(adapter)?.[1] ?? '';
  expect(
    textOf('deploy/kubernetes/autoscaling/horizontal-pod-autoscaler.yaml').match(
      new RegExp(`metric: \\{ name: ${name} \\}`, 'g'),
    ),
  ).toHaveLength(VARIANTS.length);
});

it('deploy/kubernetes/monitoring/service-monitor.yaml gives what it scrapes the name of the job in rules.yml', () => {
  const monitor = parse(textOf('deploy/kubernetes/monitoring/service-monitor.yaml')) as {
    readonly spec: {
      readonly jobLabel: string;
      readonly selector: { readonly matchLabels: Record<string, string> };
    };
  };
  const [job] = /(?<=up\{job=")[\w-]+/.exec(textOf(ALERTS)) ?? [];
  expect(job).toBeDefined();
  for (const variant of VARIANTS) {
    const [manifest] = parseAllDocuments(textOf(`deploy/kubernetes/api-${variant.toLowerCase()}.yaml`))
      .map((document) => document.toJS() as { kind: string; metadata: { labels?: Record<string, string> } })
      .filter(({ kind }) => kind === 'Service');
    expect(manifest?.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels);
    expect(manifest?.metadata.labels?.[monitor.spec.jobLabel]).toBe(job);
  }
});

it('deploy/systemd runs the build that /opt/account-api/current names', () => {
  for (const unit of ['account-api@', 'account-migrate', 'account-worker']) {
    const text = textOf(`deploy/systemd/${unit}.service`);
    expect(text).toMatch(/^ExecStart=\/usr\/bin\/node .*\/opt\/account-api\/current\/dist\//m);
    expect(text).not.toMatch(/\/opt\/account-api\/(?!current)\w/);
  }
  for (const name of ['ADMIN_USERNAME', 'ADMIN_PASSWORD', 'PUBLIC_URL'])
    expect(textOf('deploy/systemd/common.env.example')).toMatch(new RegExp(`^${name}=`, 'm'));
});

it('deploy/systemd sets HOME=/, as its user has no folder', () => {
  for (const unit of ['account-api@', 'account-migrate', 'account-worker'])
    expect(textOf(`deploy/systemd/${unit}.service`)).toMatch(/^Environment=.*\bHOME=\/$/m);
});

it('HEALTHCHECK of the Dockerfile asks /health/ready on HOST and PORT', async () => {
  const [, check = ''] = /^ +CMD \["node", "-e", "(.*)"\]$/m.exec(textOf('Dockerfile')) ?? [];
  let ready = 200;
  const server = createServer(({ url }, response) =>
    response.writeHead(url === '/health/ready' ? ready : 200).end(),
  );
  server.listen(0, '127.0.0.2');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const statusWith = async (host: string): Promise<unknown> => {
    const child = spawn(process.execPath, ['-e', check], { env: { PORT: String(port), HOST: host } });
    const [status] = (await once(child, 'exit')) as [number];
    return status;
  };
  try {
    expect(await statusWith('127.0.0.2')).toBe(0);
    expect(await statusWith('0.0.0.0')).toBe(1);
    expect(await statusWith('')).toBe(1);
    ready = 503;
    expect(await statusWith('127.0.0.2')).toBe(1);
  } finally {
    server.close();
  }
});

it.each(['docker-compose.yml', 'deploy/cluster/compose.yml'])(
  '%s starts nothing in the image by a shell, which it lacks',
  (path) => {
    const { services } = parse(textOf(path), { merge: true }) as Compose;
    const ofImage = Object.values(services).filter(({ build }) => build === '.' || build === '../..');
    expect(ofImage.length).toBeGreaterThan(1);
    const programs = ofImage
      .filter(({ image }) => image !== 'account-cluster')
      .map(({ command = ['node'] }) => command[0]);
    expect(new Set(programs)).toEqual(new Set(['node']));
  },
);

it('deploy/kubernetes/gateways/traefik.yaml closes idle connections before the service does', () => {
  const [, seconds] =
    /idleConnTimeout=(\d+)s$/m.exec(textOf('deploy/kubernetes/gateways/traefik.yaml')) ?? [];
  // The service closes them after 65.
  expect(Number(seconds)).toBeLessThan(65);
});

const CHECKS: readonly (readonly [tool: string, ...args: string[]])[] = [
  ['haproxy', '-c', '-f', 'deploy/cluster/haproxy.cfg'],
  [
    'systemd-analyze',
    'verify',
    'deploy/systemd/account-worker.service',
    'deploy/systemd/account-migrate.service',
  ],
  ['promtool', 'check', 'rules', ALERTS],
  ['promtool', 'check', 'config', 'deploy/prometheus/prometheus.yml'],
  ['promtool', 'test', 'rules', 'deploy/prometheus/rules.test.yml'],
  ['kubectl', 'kustomize', 'deploy/kubernetes'],
];

/** systemd asks for the programs of its units as well. */
const isThere = (tool: string): boolean =>
  [tool, ...(tool === 'systemd-analyze' ? ['/usr/bin/node'] : [])].every(
    (program) => spawnSync('which', [program]).status === 0,
  );

function expectToPass(tool: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(tool, args, { cwd: ROOT, encoding: 'utf8' });
  expect({ status, said: status === 0 ? '' : `${stdout}${stderr}` }).toEqual({ status: 0, said: '' });
}

/** Skipped where a program is not installed. */
const itWith = (...tools: readonly string[]) => (tools.every(isThere) ? it : it.skip);

itWith('kubectl')(
  'deploy/kubernetes/autoscaling adds the autoscalers, and leaves them the number of pods',
  () => {
    const folder = files.path('kubernetes');
    cpSync(join(DEPLOY, 'kubernetes'), folder, { recursive: true });
    appendFileSync(join(folder, 'kustomization.yaml'), 'components: [autoscaling]\n');
    const { stdout } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
    const made = parseAllDocuments(stdout).map(
      (document) =>
        document.toJS() as { kind: string; metadata: { name: string }; spec?: { replicas?: number } },
    );
    expect(made.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')).toHaveLength(VARIANTS.length);
    const replicas = made
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ metadata, spec }) => [metadata.name, spec?.replicas]);
    expect(replicas.sort()).toEqual([
      ...VARIANTS.map((variant) => [`account-api-${variant.toLowerCase()}`, undefined]),
      ['account-worker', 2],
    ]);
  },
);

for (const [tool, ...args] of CHECKS)
  itWith(tool)(`${args.at(-1)} passes ${[tool, ...args].join(' ')}`, () => expectToPass(tool, args));

describe('a recipe of a proxy with a certificate', () => {
  const certificate = files.path('account.pem');

  /** With a certificate that is there, in the place of the one of the example, and what else is changed. */
  const adapted = (path: string, changes: readonly (readonly [old: string, changed: string])[]): string => {
    const text = changes.reduce((result, [old, changed]) => result.replaceAll(old, changed), textOf(path));
    expect(text).not.toMatch(/\/etc\/(?:haproxy|nginx)/);
    return files.write(basename(path), text);
  };
  /** Key and certificate in one file. */
  const makeCertificate = (): void => {
    expectToPass('openssl', [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-batch',
      '-subj',
      '/CN=api.example.com',
      '-keyout',
      certificate,
      '-out',
      files.path('certificate'),
    ]);
    appendFileSync(certificate, readFileSync(files.path('certificate'), 'utf8'));
  };

  itWith('haproxy', 'openssl')('deploy/haproxy/haproxy.cfg passes haproxy -c', () => {
    makeCertificate();
    const copy = adapted('deploy/haproxy/haproxy.cfg', [['/etc/haproxy/account.pem', certificate]]);
    expectToPass('haproxy', ['-c', '-f', copy]);
  });

  itWith('nginx', 'openssl')('deploy/nginx/account-api.conf passes nginx -t', () => {
    makeCertificate();
    // The check opens what is listened on, which may be taken or forbidden here.
    const copy = adapted('deploy/nginx/account-api.conf', [
      ['/etc/nginx/account.pem', certificate],
      ['listen 443 ssl', `listen unix:${files.path('socket')} ssl`],
    ]);
    const { folder } = files;
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder};`,
    );
    const http = ['access_log off;', ...temporary, `include ${copy};`].join('\n');
    const main = files.write('nginx.conf', `pid ${folder}/pid; events {} http { ${http} }`);
    expectToPass('nginx', ['-t', '-e', 'stderr', '-p', folder, '-c', main]);
  });
});
