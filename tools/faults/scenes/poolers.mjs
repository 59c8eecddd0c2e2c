// The service behind PgBouncer, in each of its modes.
import { nothing, told } from '../figures.mjs';
import { makeServiceNode, runCli } from '../nodes.mjs';
import { pause } from '../processes.mjs';
import { startPgBouncer } from '../proxies.mjs';
import { call, newAgent } from '../client.mjs';
import { underLoad } from './under-load.mjs';

const LOAD = 15_000;
const LOAD_SHORT = 5000;
const MODES = ['session', 'transaction'];

/** Two nodes, A and B, on a database through a pooler of this mode. */
async function makeNodes(stage, pooler, mode, database) {
  const url = (port) => stage.urlOf([port], 'account', database);
  const settings = {
    ...stage.common,
    DATABASE_URL: url(pooler.port),
    ...(mode === 'transaction' && { DATABASE_DIRECT_URL: url(stage.proxy.port) }),
  };
  const nodes = [];
  for (const variant of ['A', 'B']) {
    const name = `${mode}-${variant.toLowerCase()}`;
    nodes.push(await makeServiceNode({ name, variant, folder: stage.folder, settings }));
  }
  return nodes;
}

async function withPooler(stage, mode, act) {
  const { folder, programs, as, proxy } = stage;
  const pooler = await startPgBouncer({ folder, programs, as, mode, port: proxy.port });
  try {
    return await act(pooler);
  } finally {
    await pooler.stop();
  }
}

const stopAll = (nodes) =>
  Promise.all(nodes.map((node) => node.program && !node.program.hasEnded && node.stop()));

/** Logins, reads, writes, csv and mails through a pooler, on the database of the other nodes. */
const loadThrough = (mode) => (stage, times, isShort) =>
  withPooler(stage, mode, async (pooler) => {
    const nodes = await makeNodes(stage, pooler, mode, 'account');
    if (mode === 'transaction') await runCli(nodes[0], ['database-role-settings']);
    try {
      for (const node of nodes) await node.start();
      let failedLists = [];
      let lists = 0;
      const { figures } = await underLoad(
        stage,
        { targets: nodes, writers: 6, target: nodes[0] },
        async () => {
          const agent = newAgent();
          const hash = await stage.logIn(nodes[0]);
          for (
            const end = performance.now() + (isShort ? LOAD_SHORT : LOAD * times);
            performance.now() < end;
          ) {
            for (const [index, node] of nodes.entries()) {
              const path = index === 0 ? '/organisations?format=csv&limit=20' : '/organisations?limit=20';
              const { status } = await call(node, 'GET', path, { agent, hash });
              lists += 1;
              if (status !== 200) failedLists.push(`${node.name} ${path} ${status}`);
            }
            await pause(100);
          }
          agent.destroy();
        },
      );
      return [...figures, nothing('lists and csv, not answered with 200', failedLists, lists)];
    } finally {
      await stopAll(nodes);
      // The other nodes have no need of them.
      if (mode === 'transaction') await stage.ask('ALTER ROLE account RESET ALL');
    }
  });

export const sessionPooler = loadThrough('session');
export const transactionPooler = loadThrough('transaction');

/** Two processes that find an empty database at the same time, straight and through each mode. */
export async function startAtOnce(stage, times) {
  const twice = [];
  const broken = [];
  let starts = 0;
  for (let time = 0; time < times; time++) {
    for (const mode of MODES) {
      const database = `empty_${mode}_${time}`;
      await stage.createDatabase(database);
      await withPooler(stage, mode, async (pooler) => {
        const nodes = await makeNodes(stage, pooler, mode, database);
        try {
          starts += nodes.length;
          const results = await Promise.allSettled(nodes.map((node) => node.start()));
          broken.push(...results.flatMap(({ reason }) => (reason ? [`${mode}: ${reason.message}`] : [])));
          const rows = await stage.cluster.ask(
            database,
            'SELECT name FROM migrations GROUP BY name HAVING count(*) > 1',
          );
          twice.push(...rows.map(({ name }) => `${mode}: ${name}`));
          if (broken.length === 0) for (const node of nodes) await stage.logIn(node);
        } finally {
          await stopAll(nodes);
        }
      });
      await stage.cluster.ask('postgres', `DROP DATABASE ${database} WITH (FORCE)`);
    }
  }
  return [
    told('modes', MODES.join(', ')),
    nothing('starts that failed', broken, starts),
    nothing('migrations that ran twice', twice),
  ];
}
