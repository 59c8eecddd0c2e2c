// npm run remove:variant-b: removes Variant B from this tree, docs/retire-variant-b.md step 5, and then runs
// npm test. scripts/without-b.mjs does the same in a copy, so that it stays possible.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './prepare.mjs';
import { execute } from './run.mjs';
import { readWords } from './words.mjs';

/** Files that are about Variant B, beside those whose path says so. */
const FILES = [
  'apps/cli/commands/variants.command.ts',
  'deploy/kubernetes/api-b.yaml',
  'docs/openapi-b.json',
  'docs/retire-variant-b.md',
  'docs/variants.md',
  'scripts/remove-variant-b.mjs',
  'scripts/without-b.mjs',
  'test/contract/variants-docs.e2e-spec.ts',
  'tools/docs/variants-document.cjs',
  'tools/docs/variants-document.d.cts',
  'tools/docs/variants.cjs',
  'tools/docs/variants.d.cts',
];

/** Its page of rules stays: it also has what Variant A took from it. */
const RULES = 'docs/rules/variant-b.md';

/** Whether a path belongs only to Variant B. */
const isOfVariantB = (path) =>
  path !== RULES && (/(^|\/)variant-b\/|(^|[/.-])variant-b\.[^/]+$/.test(path) || FILES.includes(path));

/** What is about Variant B in files that stay: a text, or a pattern of lines, and what takes its place. */
const EDITS = {
  'libs/service/variants/variants.module.ts': [
    ["import { VARIANT_B } from './variant-b';\n", ''],
    [', B: VARIANT_B', ''],
  ],
  'config/setting-table.ts': [
    ["oneOf('A', 'B')", "oneOf('A')"],
    [/^import .* from '\.\/variant-b\.env';\n/m, ''],
    [/^ {2}'The end of Variant B': .*\n/m, ''],
    [/^ {4}ValuesOf<typeof END_OF_VARIANT_B>,\n/m, ''],
  ],
  'config/env.ts': [
    [/^import .* from '\.\/variant-b\.env';\n/m, ''],
    [/^ {2}const faultOfVariantB = .*\n.*\n/m, ''],
  ],
  // Its end: headers and the command.
  'apps/api/configure-app.ts': [
    [/^import \{ InterfaceSteps \} .*\n/m, ''],
    [/^ {2}const steps = .*\n.*\n/m, ''],
    [', ...steps.exposedHeaders', ''],
  ],
  'apps/cli/command-line.ts': [[/^ {2}variants: \{\n[^]*?^ {2}\},\n/m, '']],
  'libs/edge/usage/usage.module.ts': [
    [/^import \{ InterfaceSteps \} .*\n/m, ''],
    [/, InterfaceSteps/g, ''],
  ],
  'test/contract/contract.e2e-spec.ts': [[/^ {6}\/\/ Clients that know nothing .*\n.*\n/m, '']],
  'docs/settings.md': [[/^## The end of Variant B\n[^]*?(?=^## )/m, '']],
  [RULES]: [[/^## The end of Variant B\n[^]*/m, '']],
  'docs/cli.md': [[/^- `variants plan\b.*\n(?: {2}.*\n)*/gm, '']],
  'qa/scenarios/all.ts': [
    ["import { VARIANT_B_SCENARIOS } from './variant-b.scenarios';\n", ''],
    ['  ...VARIANT_B_SCENARIOS,\n', ''],
  ],
  'qa/variants.ts': [["'A', 'B'", "'A'"]],
  'test/auth/passwords-names.e2e-spec.ts': [
    ['import { anonymous, asAdmin }', 'import { anonymous }'],
    [/\ndescribe\('the user name as password, where admins of Variant B[^]*/, ''],
  ],
  'test/auth/step-up-people.e2e-spec.ts': [
    ['type ApiClient, asAdmin, failingFields', 'type ApiClient, failingFields'],
    [/^const MD5_HASH = .*\n/m, ''],
    [/^const cp3 =\n[^]*?\}\);\n\n/m, ''],
    [/^ {2}'another hash by cp3': [^]*?(?=^\};\n)/m, ''],
    [/^ {2}'the same hash by cp3': [^]*?(?=^\};\n)/m, ''],
    [/\n\/\*\* .*the login of an admin[^]*/, ''],
  ],
  'test/rights/impersonation-table.ts': [[/^ {2}'(?:acls\.\w+|users\.\w+Migrated)'.*,\n/gm, '']],
  // What no other file imports any more.
  'libs/people/users/shapes/user.decorators.ts': [['export const UsernameField', 'const UsernameField']],
  'libs/security/access/privileges.ts': [
    [/^ {2}(?:'acls\.\w+'|'users\.\w+Migrated'): .*\n/gm, ''],
    [/^ {2}\/\/ The operation sets a password.*\n/m, ''],
  ],
  'tools/docs/run.mjs': [
    [', openapi, variants', ', openapi'],
    [/^ {2}variants: async \(\) => \{\n[^]*?^ {2}\},\n/m, ''],
    [
      '/** In the order in which they must run: the way from Variant B to A is read from both descriptions. */\n',
      '',
    ],
  ],
  'scripts/checks.mjs': [
    [/^ {4}\{\n {6}name: 'without-b',[^]*?^ {4}\},\n/m, ''],
    [/^ {4}\{\n {6}name: 'a-without-b',[^]*?^ {4}\},\n/m, ''],
  ],
  'scripts/node26.mjs': [["['A', 'B']", "['A']"]],
  '.ci/run': [
    [/ without-b(?: a-without-b)?\)/g, ')'],
    ['contract of both variants on Node 26, the tree without Variant B,', 'contract on Node 26,'],
    [', the tests of Variant A in the tree without\n# Variant B,', ','],
  ],
  'package.json': [[/^ {4}"(check:without-b|remove:variant-b)": .*\n/gm, '']],
  'docs/.redocly.lint-ignore.yaml': [[/^openapi-b[^]*?(?=^\S|(?![^]))/gm, '']],
  'docs/architecture.md': [
    [', areas of other services', ''],
    [/^To remove Variant B: [^]*?\n\n/m, ''],
  ],
  'README.md': [
    [' and [docs/openapi-b.json](docs/openapi-b.json)', ''],
    [/,\s+\[differences of the variants\]\(docs\/variants\.md\)/, ''],
    [/,\s+\[retire Variant B\]\(docs\/retire-variant-b\.md\)/, ''],
    [/ The other variant on the\nsame database[^]*?```sh\n[^]*?```\n/m, '\n'],
  ],
  'docs/generated-clients.md': [
    [
      /The files\s+\[openapi-a\.json\]\(openapi-a\.json\) and \[openapi-b\.json\]\(openapi-b\.json\) are those/,
      'The file [openapi-a.json](openapi-a.json) is that',
    ],
    [' and …-b', ''],
  ],
  'docker-compose.yml': [
    [/^ {2}api-b:\n( {4}.*\n)+\n/m, ''],
    ['Both variants on one database', 'The service on one database'],
  ],
  'deploy/kubernetes/kustomization.yaml': [['  - api-b.yaml\n', '']],
  'deploy/kubernetes/gateway.yaml': [[/^ {4}- name: legacy[^]*/m, '']],
  'deploy/kubernetes/http-route.yaml': [
    [/^---\n[^]*/m, ''],
    [/^# Old clients[^]*?nothing else\. /m, '# '],
  ],
  'deploy/kubernetes/gateways/envoy-gateway.yaml': [[/^.*\n.*\n.*name: account-api-b\n/m, '']],
  'deploy/kubernetes/gateways/traefik.yaml': [['both routes of', 'the route of']],
  'deploy/kubernetes/autoscaling/horizontal-pod-autoscaler.yaml': [
    [/^---\n[^]*/m, ''],
    ['must cover both variants and', 'must cover all pods and'],
  ],
  'deploy/haproxy/haproxy.cfg': [
    [/^ {2}use_backend variant-b.*\n/m, ''],
    [/\nbackend variant-b\n( {2}.*\n)+/, ''],
    [/^# In front[^]*?Variant A\.\n/, '# In front of processes on two machines.\n'],
  ],
  'deploy/cluster/haproxy.cfg': [
    [/^ {2}use_backend variant-b.*\n/m, ''],
    [/\nbackend variant-b\n( {2}.*\n)+/, ''],
  ],
  'deploy/cluster/compose.yml': [[/^ {2}api-b[12]: .*\n/gm, '']],
  'deploy/nginx/account-api.conf': [
    [/^upstream account_variant_b \{[^]*?\n\}\n\n/m, ''],
    ['  legacy.example.com account_variant_b;\n', ''],
    ['api.example.com legacy.example.com', 'api.example.com'],
    [/^# For[^]*?Variant A\.\n/, '# For the http block of nginx (conf.d).\n'],
  ],
};

/** What git knows or would add in this tree: no build, no data. */
export const listFiles = () =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    // A file that was deleted and not yet committed is listed too.
    .filter((path) => path !== '' && existsSync(join(root, path)));

/** Git knows no empty folders, but architecture.spec.ts does. */
function removeFile(path) {
  rmSync(path, { force: true });
  for (let folder = dirname(path); readdirSync(folder).length === 0; folder = dirname(folder)) {
    rmdirSync(folder);
  }
}

/**
 * Removes Variant B from a tree. A text that is not found is an error: the tree has
 * changed, and this list must too.
 */
export async function removeVariantB(tree, paths) {
  const { format, resolveConfig } = await import('prettier');
  for (const path of paths.filter(isOfVariantB)) removeFile(join(tree, path));
  for (const [path, edits] of Object.entries(EDITS)) {
    const file = join(tree, path);
    let text = readFileSync(file, 'utf8');
    for (const [before, after] of edits) {
      const later = text.replace(before, after);
      if (later === text) throw new Error(`${path} does not hold ${before}`);
      text = later;
    }
    const options = { ...(await resolveConfig(join(root, path))), filepath: path };
    writeFileSync(file, /\.[cm]?[jt]s$/.test(path) ? await format(text, options) : text);
  }
  execFileSync(process.execPath, ['tools/docs/run.mjs', 'access', 'rules'], { cwd: tree, stdio: 'ignore' });
}

/** Where the tree still names Variant B: texts, which a person must read. */
function stillNaming() {
  const { status, stdout } = spawnSync(
    'git',
    ['grep', '--line-number', '-E', 'Variant B|variant-b|legacy\\.example'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  return status === 0 ? stdout : '';
}

async function command() {
  readWords('npm run remove:variant-b, with everything committed');
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (changes !== '') {
    console.error('Commit or stash your changes first: then `git restore .` undoes the removal.');
    return 2;
  }
  await removeVariantB(root, listFiles());
  console.log(`Variant B is removed. These lines still name it:\n\n${stillNaming()}`);
  const { status } = await execute(process.execPath, ['scripts/test.mjs'], { cwd: root });
  return status;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = await command();
