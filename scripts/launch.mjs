// What npm start and npm run cli do after the check of Node's version. Like prepare.mjs, run.mjs and
// node-version.mjs it is there for one thing: that they work from a bare clone, with nothing installed or
// built. The image and a deployment run dist/apps/*/main.js and need none of it.
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildWhenStale, installWhenMissing, mainFile, root } from './prepare.mjs';

/** npm and its shell stay above this process; when they are killed outright, no signal arrives here. */
const PARENT_CHECK_MS = 500;

/** Installs and builds what is missing, then runs a main file in this process; that of the API by default. */
export async function launch(file = mainFile) {
  await installWhenMissing('run');
  await buildWhenStale();
  if (!existsSync(file)) {
    console.error(`The build made no ${file}.`);
    process.exit(1);
  }
  if (process.env.npm_lifecycle_event) endWithParent();
  // Node 22.1 and newer keep compiled code there, as trusted as the code beside it: the next
  // start compiles nothing again.
  module.enableCompileCache?.(join(root, 'dist/.compile-cache'));
  process.argv[1] = file;
  createRequire(import.meta.url)(file);
}

function endWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  timer.unref();
}
