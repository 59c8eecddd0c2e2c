// The build on Node 26, which the image runs: starts it in both variants and checks every contract
// scenario by npm run qa. The binary is a package of npm; it is installed aside, so that `npm ci` of
// developers does not load it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBuilt } from './built-service.mjs';
import { buildWhenStale, installWhenMissing, root } from './prepare.mjs';
import { execute } from './run.mjs';

const VERSION = '26.12.1';
const ADMIN = { username: 'admin@localhost.localdomain', password: 'Node-26-admin' };

await installWhenMissing();
const node = await installNode();
if (node === undefined) {
  console.log(`No Node ${VERSION} from npm for ${process.platform}-${process.arch} here: not tested on it.`);
  report(0, []);
} else {
  await buildWhenStale();
  let passed = 0;
  const failures = [];
  // Side by side: each waits for its service most of the time.
  const variants = ['A', 'B'];
  const checked = await Promise.all(
    variants.map((variant) =>
      checkVariant(node, variant).catch((error) => [
        { title: String(error.message), outcome: 'failed', notes: [] },
      ]),
    ),
  );
  for (const [index, results] of checked.entries()) {
    passed += results.filter(({ outcome }) => outcome === 'ok').length;
    const failed = results.filter(({ outcome }) => outcome === 'failed');
    failures.push(
      ...failed.map(({ operation = '', title }) => `Node 26, ${variants[index]}: ${operation} ${title}`),
    );
    for (const { title, notes } of failed) console.log([title, ...notes].join('\n  '));
  }
  report(passed, failures);
}

/** The path of the binary; undefined where npm has none or cannot be reached. */
async function installNode() {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(root, 'node_modules/.cache/node-26');
  mkdirSync(folder, { recursive: true });
  const install = ['install', '--no-save', '--no-package-lock', '--silent', '--prefix', folder];
  await execute('npm', [...install, `${name}@${VERSION}`], { cwd: folder, collect: true });
  const path = join(folder, 'node_modules', name, 'bin/node');
  const { output } = await execute(path, ['--version'], { collect: true }).catch(() => ({ output: '' }));
  return output.trim() === `v${VERSION}` ? path : undefined;
}

/** The results of all scenarios, against a service with a database of its own. */
async function checkVariant(node, variant) {
  const dataDir = mkdtempSync(join(tmpdir(), 'account-api-node26-'));
  const settings = {
    PATH: process.env.PATH,
    API_VARIANT: variant,
    DATA_DIR: dataDir,
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    BCRYPT_COST: '4',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
    TEST_CLOCK: 'on',
  };
  let service;
  try {
    service = await startBuilt(settings, { node });
    const file = join(dataDir, 'report.json');
    const { status, output } = await execute(
      process.execPath,
      [join(root, 'scripts/qa.mjs'), '--test-clock', '--json-file', file],
      {
        cwd: root,
        collect: true,
        env: {
          ...process.env,
          QA_URL: service.url,
          QA_VARIANT: variant,
          QA_ADMIN_USER: ADMIN.username,
          QA_ADMIN_PASSWORD: ADMIN.password,
          QA_MAIL_DIR: join(dataDir, 'mail'),
        },
      },
    );
    if (status > 1) throw new Error(`npm run qa ended with status ${status}: ${output}`);
    const { results, left } = JSON.parse(readFileSync(file, 'utf8'));
    const unchecked = results.filter(({ outcome }) => outcome === 'not checked').length;
    console.log(
      `Node ${VERSION}, variant ${variant}: ${results.length - unchecked} scenarios, ${unchecked} not checked`,
    );
    return [
      ...results,
      ...left.map((path) => ({ title: `left behind: ${path}`, outcome: 'failed', notes: [] })),
    ];
  } finally {
    await service?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * In the form that scripts/checks.mjs reads, which then writes the closing line; by itself with that line.
 */
function report(passed, failures) {
  const { CHECK_REPORT: file } = process.env;
  if (file) writeFileSync(file, JSON.stringify({ passed, failures }));
  else console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
