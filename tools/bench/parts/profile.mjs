import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FLOOR_SERVER, startEquipped } from './floor.mjs';
import { load } from './load.mjs';
import { logIn } from './service.mjs';

export const measures = [measureProfile];

const SECONDS = 5;

/** The layer of a profiled function: the first line that matches its name or file decides. */
const LAYERS = [
  ['collecting garbage', /^\(garbage collector\)/],
  [
    'sending and receiving',
    /^(writev|writeString|writeBuffer|writeUtf8String|writeLatin1String|read|shutdown|onStreamRead) /,
  ],
  ['contexts of asynchronous work', /node:(internal\/)?async_hooks/],
  [
    "Node's http, streams and timers",
    / node:(_http|net|events|stream|internal\/(streams|stream_base|http|timers|process))/,
  ],
  [
    'Express and its router',
    /node_modules\/(express|router|path-to-regexp|body-parser|finalhandler|parseurl|encodeurl|accepts|negotiator|qs|vary|on-finished|type-is|content-type|send|etag|fresh)\//,
  ],
  ['Nest', /node_modules\/(@nestjs|rxjs|reflect-metadata)\//],
  [
    'database driver',
    /node_modules\/(pg|pg-pool|pg-protocol|pg-types|postgres-[a-z]+)\/|libs\/platform\/database\//,
  ],
  [
    'log and metrics',
    /node_modules\/(pino|prom-client|sonic-boom|quick-format-unescaped|fast-safe-stringify|safe-stable-stringify|tdigest|bintrees)\/|libs\/(platform\/observability|usage)\//,
  ],
  ['credential and right to the route', /libs\/(security|platform\/context)\//],
  ['request and answer: paths, headers, fields', /libs\/platform\/(http|dto|lists|errors)\//],
  ['handlers and services', /libs\/|apps\/|floor-server/],
  ['other packages', /node_modules\//],
  ['V8 and the rest of Node', /./],
];
const LEFT_OUT = /^\((idle|root)\)/;

/**
 * What is between the service and the floor: the microseconds of a request in Node, by whose work they are,
 * from a profile of each under the same load. Elapsed time of the event loop's thread, so that what
 * interrupts it counts where it was.
 */
async function measureProfile(stage) {
  const { databaseUrl, service, reads } = await startEquipped(stage, 'bench_profile');
  await service.stop();
  const { path, hash } = reads['GET …/users/{id}/contacts'];
  const folder = stage.folder();
  const flags = (name) => ['--cpu-prof', `--cpu-prof-dir=${join(folder, name)}`];
  const starts = {
    service: () => stage.service(databaseUrl, {}, flags('service')),
    floor: () => stage.server(FLOOR_SERVER, databaseUrl, flags('floor')),
  };
  const profiles = {};
  for (const [name, start] of Object.entries(starts)) {
    const server = await start();
    // From the first write on Node keeps track of what belongs to which asynchronous work.
    await logIn(server.url);
    await load({ url: `${server.url}${path}`, hash }, { seconds: 2 });
    const begin = process.hrtime.bigint() / 1000n;
    const { count } = await load({ url: `${server.url}${path}`, hash }, { seconds: SECONDS });
    const end = process.hrtime.bigint() / 1000n;
    await server.stop();
    profiles[name] = byLayer(readProfile(join(folder, name)), Number(begin), Number(end), count);
  }
  return rowsOf(profiles);
}

/** That of the event loop: other threads have their own, with another number in the name. */
function readProfile(folder) {
  const name = readdirSync(folder).find((file) => /^CPU\.\d+\.\d+\.\d+\.0\./.test(file));
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

/** Microseconds of a request by layer, of the samples between two times of the system's clock. */
function byLayer({ nodes, samples, timeDeltas, startTime }, begin, end, count) {
  const layers = new Map(nodes.map(({ id, callFrame }) => [id, layerOf(callFrame)]));
  const sums = {};
  let time = startTime;
  for (const [index, node] of samples.entries()) {
    time += timeDeltas[index];
    const layer = layers.get(node);
    if (time < begin || time > end || layer === undefined) continue;
    sums[layer] = (sums[layer] ?? 0) + timeDeltas[index] / count;
  }
  return sums;
}

function layerOf({ functionName, url }) {
  const place = `${functionName} ${url}`;
  return LEFT_OUT.test(place) ? undefined : LAYERS.find(([, pattern]) => pattern.test(place))[0];
}

function rowsOf({ service, floor }) {
  const sum = (layers) => Object.values(layers).reduce((one, other) => one + other, 0);
  const row = (what, ours, floors) => ({
    'µs of GET …/users/{id}/contacts in Node': what,
    service: ours,
    floor: floors,
    more: ours - floors,
  });
  return [
    ...LAYERS.map(([name]) => row(name, service[name] ?? 0, floor[name] ?? 0)),
    row('together', sum(service), sum(floor)),
  ];
}
