// npm run check:without-b: proves that removing Variant B is deleting its folders and its lines where the variants are
// chosen. Does that in a copy of the tree, and checks types and dead code there; with
// --tests, the unit tests and some of the end-to-end tests of Variant A too.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { root } from './prepare.mjs';
import { execute } from './run.mjs';

/** The lines of Variant B in files that stay: the places that docs/architecture.md, "The two variants", names. */
const LINES = {
  'libs/service/variants/variants.module.ts': [
    ["import { VARIANT_B } from './variant-b';\n", ''],
    [', B: VARIANT_B', ''],
  ],
  'libs/platform/process/settings.ts': [
    [" | 'B'", ''],
    ["import type { VariantBEnd } from './variant-b.settings';\n\n", ''],
    ['  /** `VARIANT_B_…`: the end of Variant B. */\n  readonly variantBEnd!: VariantBEnd;\n', ''],
  ],
  'config/env.ts': [
    ["oneOf('A', 'B')", "oneOf('A')"],
    ["import { brownoutList, calendarDate, faultOfEnd } from './variant-b.env';\n", ''],
    ["  'VARIANT_B_DEPRECATED',\n  'VARIANT_B_SUNSET',\n  'VARIANT_B_BROWNOUTS',\n", ''],
    [/ {4}variantBEnd: \{[^}]*\},\n/, ''],
    [/ {2}const faultOfVariantB = .*\n.*\n/, ''],
  ],
  'apps/api/configure-app.ts': [
    ["import { InterfaceSteps } from '@app/platform/http/interface-steps.variant-b';\n", ''],
    [/ {2}const steps = .*\n.*\n/, ''],
    [', ...steps.exposedHeaders', ''],
    ["  for (const gate of steps.gates) app.use('/v1', gate);\n", ''],
  ],
  'apps/cli/commands/variants.command.ts': [
    ["import { declareEndOfVariant } from '../variants/variant-b/commands';\n", ''],
    ['  declareEndOfVariant(variants);\n', ''],
  ],
  'libs/security/access/access.module.ts': [
    ["import { InterfaceSteps } from '@app/platform/http/interface-steps.variant-b';\n", ''],
    ['    InterfaceSteps,\n', ''],
    [' InterfaceSteps,', ''],
  ],
  'libs/platform/observability/metrics.ts': [
    [" | 'brownout'", ''],
    [/ {2}\/\/ The operator has planned it\.\n.*\n/, ''],
  ],
  'test/contract/contract.e2e-spec.ts': [[/ {6}\/\/ Clients that know nothing .*\n.*\n/, '']],
  'docs/settings.md': [[/## The end of Variant B\n[^]*?(?=## )/, '']],
  'docs/choices.md': [[/(?:\| 12-1[1-9] \|.*\n)+/, '']],
  // Its paths alone are not here.
  'docs/architecture.md': [['not-implemented  ', '']],
  'test/contract/scenarios.ts': [
    ["import { VARIANT_B_SCENARIOS } from './variant-b.scenarios';\n", ''],
    ['  ...VARIANT_B_SCENARIOS,\n', ''],
  ],
  'test/support/service/variants.ts': [["'A', 'B'", "'A'"]],
};

/** Whether a path belongs to Variant B alone. */
const isOfVariantB = (path) => /(^|\/)variant-b\/|(^|[/.-])variant-b\.[^/]+$/.test(path);

/** End-to-end tests for each kind of thing that a variant decides: shapes, routes, rules, errors. */
const TESTS = [
  'users',
  'organisations',
  'invitations',
  'login',
  'contacts',
  'teams',
  'routes',
  'preferences',
];

const bin = (name, ...args) => [process.execPath, [join('node_modules', name), ...args]];
const tsc = (project) => bin('typescript/bin/tsc', '--noEmit', '--incremental', 'false', '-p', project);
const jest = (...args) =>
  bin('jest/bin/jest.js', `--reporters=${join(root, 'scripts/progress-reporter.cjs')}`, ...args);

const steps = [
  [
    'types',
    tsc(existsSync(join(root, 'test/support/service/variants.ts')) ? 'tsconfig.json' : 'tsconfig.build.json'),
  ],
  ['dead code', bin('knip/bin/knip.js', '--no-progress', '--production')],
];
const testSteps = [
  [
    'tests',
    jest('--testPathPatterns', '\\.spec\\.ts$', `/test/.*/(${TESTS.join('|')})[^/]*\\.e2e-spec\\.ts$`),
  ],
];

const copy = mkdtempSync(join(tmpdir(), 'account-api-without-b-'));
try {
  copyTree();
  removeVariantB();
  const wanted = process.argv.includes('--tests') ? testSteps : steps;
  for (const [title, [command, args]] of wanted) {
    const collect = wanted === steps;
    const { status, output } = await execute(command, args, { cwd: copy, collect });
    console.log(`${title}: ${status === 0 ? 'ok' : `FAILED\n${output}`}`);
    if (status !== 0) process.exitCode = 1;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** What git knows or would add: no build, no data. */
function copyTree() {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const path of listed.split('\0').filter((name) => name !== '' && !isOfVariantB(name))) {
    // A file that was deleted and not yet committed is listed too.
    if (existsSync(join(root, path))) cpSync(join(root, path), join(copy, path));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

function removeVariantB() {
  for (const [path, edits] of Object.entries(LINES)) {
    const file = join(copy, path);
    if (path.startsWith('test/') && !existsSync(file)) continue;
    let text = readFileSync(file, 'utf8');
    for (const [before, after] of edits) {
      const changed = text.replace(before, () => after);
      if (changed === text) throw new Error(`${path} does not hold ${String(before)}`);
      text = changed;
    }
    writeFileSync(file, text);
  }
}
