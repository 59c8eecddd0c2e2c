// PostgreSQL without room: a server of its own on a small file system in memory, which only root may mount.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { figuresOfLoad, told } from '../figures.mjs';
import { Answers, Load } from '../load.mjs';
import { makeServiceNode } from '../nodes.mjs';
import { freePort, pause, startProgram, stopProgram, until } from '../processes.mjs';
import { ask, canConnect } from '../sql.mjs';
import { verify } from '../verify.mjs';

const SIZE = '400m';
const FULL = 15_000;

export async function fullDisk(stage, times) {
  const root = join(stage.folder, 'disk');
  mkdirSync(root);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', root]).status !== 0) {
    return [told('not played', 'needs root that may mount')];
  }
  const unmount = () => spawnSync('umount', ['-l', root]);
  process.once('exit', unmount);
  try {
    return await onDisk(stage, root, times);
  } finally {
    unmount();
    process.removeListener('exit', unmount);
  }
}

async function onDisk(stage, root, times) {
  const server = await makeServer(stage, root);
  const { ask } = server;
  const node = await makeServiceNode({
    name: 'full',
    folder: stage.folder,
    settings: { ...stage.common, DATABASE_URL: server.url },
  });
  try {
    await node.start();
    const answers = new Answers();
    const rounds = [];
    let refused = 0;
    for (let time = 0; time < times; time++) {
      const load = new Load({ targets: [node], writers: 4, answers });
      load.start();
      await pause(2000);
      const filler = join(root, 'filler');
      writeFileSync(filler, Buffer.alloc(freeBytes(root) - 4096 * 64));
      const before = answers.byStatus[503] ?? 0;
      // Rows of its own, so that the last pages are used up.
      for (const end = performance.now() + FULL; performance.now() < end; await pause(100)) {
        await ask(
          'INSERT INTO filler SELECT repeat(md5(random()::text), 20) FROM generate_series(1, 2000)',
        ).catch(() => undefined);
      }
      refused += (answers.byStatus[503] ?? 0) - before;
      rmSync(filler);
      await server.restartWhenGone();
      await ask('DROP TABLE filler');
      await ask('CREATE TABLE filler (text text)');
      await node.ready();
      await pause(3000);
      await load.stop();
      rounds.push(await verify({ ledger: load.ledger, mail: stage.mail, ask, target: node }));
    }
    return [...figuresOfLoad(rounds, answers), told('answers 503 while it was full', refused)];
  } finally {
    if (node.program) await node.stop();
    await server.stop();
  }
}

const freeBytes = (root) => {
  const { bavail, bsize } = statfsSync(root);
  return Number(bavail) * Number(bsize);
};

async function makeServer({ folder, programs, as }, root) {
  const port = await freePort();
  const dataDir = join(root, 'data');
  mkdirSync(dataDir);
  if (as.uid !== undefined) chownSync(dataDir, as.uid, as.gid);
  chmodSync(dataDir, 0o700);
  execFileSync(
    join(programs.postgres, 'initdb'),
    ['-D', dataDir, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'],
    { ...as, cwd: '/', stdio: 'ignore' },
  );
  const start = () =>
    startProgram(
      'postgres-full',
      join(programs.postgres, 'postgres'),
      [
        '-D',
        dataDir,
        '-p',
        String(port),
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'unix_socket_directories=',
        '-c',
        'min_wal_size=32MB',
        '-c',
        'max_wal_size=64MB',
      ],
      { folder, as, cwd: '/' },
    );
  let program = start();
  const url = (user, name) => `postgresql://${user}@127.0.0.1:${port}/${name}`;
  const isThere = () => until('the server takes connections', () => canConnect(url('postgres', 'postgres')));
  const askAccount = (text, values) => ask(url('postgres', 'account'), text, values, { connecting: 3000 });
  await isThere();
  await ask(url('postgres', 'postgres'), 'CREATE ROLE account LOGIN');
  await ask(
    url('postgres', 'postgres'),
    "CREATE DATABASE account OWNER account ENCODING 'UTF8' TEMPLATE template0",
  );
  await askAccount('CREATE TABLE filler (text text)');
  return {
    url: url('account', 'account'),
    ask: askAccount,
    /** As systemd does: a server that could not write its log ends, and is started again. */
    async restartWhenGone() {
      if (program.hasEnded) program = start();
      await isThere();
    },
    stop: () => stopProgram(program),
  };
}
