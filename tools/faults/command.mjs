// npm run faults: its options, its scenes, and the table of their figures.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildWhenStale } from '../../scripts/prepare.mjs';
import { printTable } from '../bench/parts/table.mjs';
import { told } from './figures.mjs';
import { killAll } from './processes.mjs';
import { findPrograms, unprivileged } from './programs.mjs';
import { etcdAway, freeze, freezeStandby, kill, switchover } from './scenes/database-faults.mjs';
import { fullDisk } from './scenes/full-disk.mjs';
import { mailAway, mailAwayForAnHour } from './scenes/mail-faults.mjs';
import { rollingRestart } from './scenes/rolling-restart.mjs';
import { idleConnections, killNodes, wrongClocks } from './scenes/service-faults.mjs';
import { killNodesWithReceivers } from './scenes/webhook-faults.mjs';
import { setStage } from './stage.mjs';

/**
 * Every scene. `short` is its number in the short form; scenes without it take too long for that. A scene
 * with `isAskedFor` runs only if `--only` names it.
 */
const SCENES = [
  {
    name: 'rolling-restart',
    title: 'rolling restart of the four nodes',
    times: 20,
    short: 1,
    play: rollingRestart,
  },
  { name: 'switchover', title: 'planned switchover', times: 5, short: 1, play: switchover },
  { name: 'kill-primary', title: 'kill -9 of the primary', times: 5, short: 1, play: kill },
  { name: 'freeze-primary', title: 'primary frozen for 40 s', times: 3, play: freeze },
  { name: 'freeze-standby', title: 'synchronous standby frozen for 40 s', times: 2, play: freezeStandby },
  { name: 'etcd-away', title: 'etcd away for 60 s', times: 1, play: etcdAway },
  { name: 'kill-nodes', title: 'kill -9 of nodes of the service', times: 200, short: 10, play: killNodes },
  {
    name: 'kill-nodes-webhooks',
    title: 'kill -9 of nodes while 20 receivers are told of changes',
    times: 50,
    short: 4,
    play: killNodesWithReceivers,
  },
  { name: 'mail-away', title: 'mail server away for 60 s (short: 10 s)', times: 1, play: mailAway },
  {
    name: 'mail-away-an-hour',
    title: 'mail server away for an hour',
    times: 1,
    isAskedFor: true,
    play: mailAwayForAnHour,
  },
  { name: 'wrong-clocks', title: 'one node 10 minutes ahead, one behind', times: 1, play: wrongClocks },
  {
    name: 'idle-connections',
    title: 'idle connections, 10,000 or what the machine lets',
    times: 1,
    play: idleConnections,
  },
  { name: 'full-disk', title: 'no room under PostgreSQL for 15 s', times: 2, play: fullDisk },
];

/** Exit codes: as the command line of the operator has them, and one for programs that are not installed. */
const FAILED = 1;
const WRONG_USE = 2;
const NOT_HERE = 3;

const HELP = `Usage: npm run faults -- [--only SCENE,…] [--times N] [--short] [--json FILE] [--keep] [--list]

  --only   plays only these scenes
  --times  plays each scene this often instead of its own number
  --short  plays each cheap scene once, for CI
  --json   writes the figures to a file, too
  --keep   keeps the folder with all logs
  --list   lists the scenes`;

function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      times: { type: 'string' },
      json: { type: 'string' },
      ...Object.fromEntries(['short', 'keep', 'list', 'help'].map((name) => [name, { type: 'boolean' }])),
    },
  });
  const names = values.only?.split(',');
  const unknown = names?.filter((name) => !SCENES.some((scene) => scene.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`Unknown scene ${unknown.join(', ')}: --list shows the scenes`);
  if (values.times !== undefined && !/^[1-9]\d*$/.test(values.times))
    throw new Error('--times must be a whole number above 0');
  return { ...values, names };
}

/** Which scenes are played, and how often each. */
function chosenScenes({ names, short, times }) {
  const chosen = SCENES.filter(
    (scene) => names?.includes(scene.name) ?? (short ? scene.short : !scene.isAskedFor),
  );
  return chosen.map((scene) => ({
    ...scene,
    count: Number(times ?? (short ? (scene.short ?? 1) : scene.times)),
  }));
}

/** Gives the exit code. */
export async function faultsCommand(args) {
  let options;
  try {
    options = readOptions(args);
  } catch (error) {
    console.error(`${error.message.split('. ')[0]}: --help shows the usage`);
    return WRONG_USE;
  }
  if (options.help) return (console.log(HELP), 0);
  if (options.list) return (listScenes(), 0);
  const { missing, programs } = findPrograms();
  if (missing.length > 0) {
    console.error(`Packages are missing: apt-get install ${missing.join(' ')}`);
    return NOT_HERE;
  }
  await buildWhenStale();
  return play(options, programs);
}

function listScenes() {
  for (const { name, title, times, short, isAskedFor } of SCENES) {
    console.log(
      `${name.padEnd(19)} ×${String(times).padEnd(4)} ${title}${short ? `; ×${short} in the short form` : ''}${isAskedFor ? '; only with --only' : ''}`,
    );
  }
}

async function play(options, programs) {
  const folder = mkdtempSync(join(tmpdir(), 'account-faults-'));
  // Programs that run as another user have folders in it.
  chmodSync(folder, 0o755);
  const cleanUp = () => {
    killAll();
    if (options.keep) console.log(`Logs: ${folder}`);
    else rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  process.once('exit', cleanUp);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => process.exit(128));
  const began = new Date();
  const stage = await setStage({
    folder,
    programs,
    as: unprivileged(),
    say: (line) => console.log(line),
    // HAProxy holds two files a connection.
    maxClients: Math.floor((Number(execFileSync('sh', ['-c', 'ulimit -n']).toString()) - 400) / 2) || 500,
  });
  const results = [];
  for (const scene of chosenScenes(options)) {
    console.log(`\n${scene.name}: ${scene.title} ×${scene.count}`);
    results.push(await playScene(stage, scene, options.short === true));
    if (options.json) writeFileSync(options.json, `${JSON.stringify(report(began, results), null, 2)}\n`);
  }
  console.log(`\n${machine()}`);
  printTable(rowsOf(results));
  const failures = results.flatMap(({ figures }) => figures).filter(({ isFailure }) => isFailure);
  return failures.length > 0 ? FAILED : 0;
}

async function playScene(stage, { name, title, count, play: playIt }, isShort) {
  const began = new Date();
  let figures;
  try {
    figures = await playIt(stage, count, isShort);
  } catch (error) {
    console.error(error);
    figures = [{ ...told('the scene', error.message), verdict: 'BROKE OFF', isFailure: true }];
  }
  for (const { name: what, details } of figures) {
    if (details) console.log(`  ${what}:\n${details.map((detail) => `    ${detail}`).join('\n')}`);
  }
  const seconds = Math.round((Date.now() - began) / 1000);
  return { name, title, times: count, at: began.toISOString(), seconds, load: loadavg()[0], figures };
}

const machine = () =>
  `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, Node ${process.version}, load ${loadavg()[0].toFixed(1)}`;

const report = (began, results) => ({ at: began.toISOString(), machine: machine(), scenes: results });

/** A row for each figure; the name of a scene stands beside its first. */
const rowsOf = (results) =>
  results.flatMap(({ name, times, figures }) =>
    figures.map(({ name: figure, figure: seen, goal, verdict }, position) => ({
      scene: position === 0 ? `${name} ×${times}` : '',
      figure,
      seen,
      goal,
      verdict,
    })),
  );
