// Starts the programs of the command: each writes to its own log file and ends with the command.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parentOf } from '../bench/parts/linux-processes.mjs';

const running = new Set();
/** Process ids, asked for at the very end, of what a program of ours has started in a session of its own. */
const strays = new Set();

/** Starts a program. `as` has uid and gid; `settings` replace the environment but for PATH and HOME. */
export function startProgram(name, command, args, { folder, as = {}, settings = {}, cwd = folder }) {
  const file = join(folder, `${name}.log`);
  const log = openSync(file, 'a');
  const child = spawn(command, args, {
    cwd,
    // Ctrl-C is only for the command: it stops the rest in order.
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, HOME: folder, LC_ALL: 'C.UTF-8', ...settings },
    ...as,
  });
  closeSync(log);
  const program = { name, child, pid: child.pid, file, hasEnded: false };
  program.ended = new Promise((resolve) => {
    const end = () => {
      program.hasEnded = true;
      running.delete(program);
      resolve();
    };
    child.once('exit', end);
    child.once('error', end);
  });
  running.add(program);
  return program;
}

/** The last lines of a program's log, to explain why it ended. */
export const lastWords = ({ file }) => readFileSync(file, 'utf8').trimEnd().split('\n').slice(-12).join('\n');

/** SIGTERM, and SIGKILL to all of its group where that does not end it. */
export async function stopProgram(program, grace = 5000) {
  if (program.hasEnded) return;
  signal(program.pid, 'SIGCONT');
  signal(program.pid, 'SIGTERM');
  const timer = setTimeout(() => signal(-program.pid, 'SIGKILL'), grace);
  await program.ended;
  clearTimeout(timer);
}

/** Ends a program and its group at once, as a machine that loses its power. */
export async function killProgram(program) {
  signal(-program.pid, 'SIGKILL');
  await program.ended;
}

/** Whose process id `find` gives, if it gives one, ends with the command. */
export const alsoEnd = (find) => strays.add(find);

/** Ends whatever still runs, without waiting for it. */
export function killAll() {
  for (const { pid } of running) signal(-pid, 'SIGKILL');
  for (const find of strays) {
    const pid = find();
    if (pid !== undefined) for (const one of treeOf(pid)) signal(one, 'SIGKILL');
  }
}

export function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** A process and all that it has started, parents first. */
export function treeOf(pid) {
  const children = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(name);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [pid];
  for (const one of found) found.push(...(children.get(one) ?? []));
  return found;
}

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until the function returns a true value, and returns it. */
export async function until(what, find, { within = 60_000, every = 200 } = {}) {
  const end = performance.now() + within;
  for (;;) {
    const found = await find();
    if (found) return found;
    if (performance.now() > end) throw new Error(`Not within ${within / 1000} s: ${what}`);
    await pause(every);
  }
}

let nextPort = 20_000 + Math.floor(Math.random() * 8000);

/**
 * A free port below those that systems give to whoever connects, so that it stays free
 * while its program restarts.
 */
export async function freePort() {
  for (;;) {
    nextPort += 1;
    if (await isFree(nextPort)) return nextPort;
  }
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
