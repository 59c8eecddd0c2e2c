// npm run start:dev: runs the service, and after each change of a source transpiles that file and
// starts the service again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { assertNodeVersion } from './node-version.mjs';

assertNodeVersion();
const { buildFile, builtFolders, isBuilt } = await import('./build.mjs');
const { buildWhenStale, installWhenMissing, mainFile, root } = await import('./prepare.mjs');

/** Editors write a file in several steps, and a checkout writes many files. */
const QUIET_MS = 50;

await installWhenMissing('run');
await buildWhenStale();
let service = startService();
let work = Promise.resolve();
const changed = new Set();
let timer;

for (const folder of builtFolders) {
  watch(join(root, folder), { recursive: true }, (_event, name) => {
    if (name === null || !isBuilt(join(folder, name))) return;
    changed.add(join(root, folder, name));
    clearTimeout(timer);
    timer = setTimeout(() => (work = work.then(restart)), QUIET_MS);
  });
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void stopService().then(() => process.exit()));
}

/** A file that does not parse leaves the running service as it is. */
async function restart() {
  const files = [...changed];
  changed.clear();
  if (files.length === 0) return;
  try {
    for (const file of files) await buildFile(file);
  } catch (error) {
    console.error(error.message);
    return;
  }
  console.log(`Changed: ${files.map((file) => file.slice(root.length + 1)).join(', ')}`);
  await stopService();
  service = startService();
}

function startService() {
  // As launch.mjs keeps compiled code.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(root, 'dist/.compile-cache') };
  return spawn(process.execPath, ['--enable-source-maps', mainFile], { cwd: root, env, stdio: 'inherit' });
}

async function stopService() {
  if (service.exitCode !== null || service.signalCode !== null) return;
  const ended = once(service, 'exit');
  service.kill('SIGTERM');
  await ended;
}
