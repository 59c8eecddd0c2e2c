import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { assertTreeWhole, tablesOnDisk } from './database.mjs';
import { highestResidentMegabytes } from './linux-processes.mjs';
import { atMost } from './table.mjs';

export const measures = [measureImport];

const CLI = join(import.meta.dirname, '../../../dist/apps/cli/main.js');
const ORGANISATIONS = Number(process.env.BENCH_ORGANISATIONS ?? 100_000);
const USERS = 3 * ORGANISATIONS;
/** Seconds for organisations, users, contacts and keys together, on two cores (issue "Move in"). */
const GOAL = 300;

/** Numbers that are the same in every run. */
function* seeded(seed) {
  for (let state = seed; ;) {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    yield state;
  }
}

const HASH =
  '$6$Zp3kWq81$Y6.zFOVIsjdZpSoyV5QQYc56FqbKMq/MX2sdW7.j.vdX.piG4qbNAV5m3tvSOXwiLc474Se0MFxddYBg8Wopo0';
const sha256 = (text) => createHash('sha256').update(text).digest();

function ed25519Key(n) {
  const type = Buffer.from('ssh-ed25519');
  const length = (bytes) => Buffer.from([0, 0, 0, bytes.length]);
  const key = sha256(`key ${n}`);
  return `ssh-ed25519 ${Buffer.concat([length(type), type, length(key), key]).toString('base64')} user${n}@laptop`;
}

/**
 * Customers of resellers, every fortieth of which is one; each eighth lies beneath
 * another customer. In any order.
 */
function* organisations() {
  const random = seeded(1);
  const ids = Array.from({ length: ORGANISATIONS }, (_, n) => n + 2);
  for (let last = ids.length - 1; last > 0; last--) {
    const other = random.next().value % (last + 1);
    [ids[last], ids[other]] = [ids[other], ids[last]];
  }
  yield 'id,name,taxNumber,parentOrganisation,resellerOrganisation,organisationType,street,houseNumber,zip,city,country,externalId';
  for (const id of ids) {
    const isReseller = id % 40 === 2;
    const reseller = isReseller ? '' : id - ((id - 2) % 40);
    const parent = id % 8 === 7 ? id - 1 : '';
    const name = sha256(`name ${id}`).toString('hex').slice(0, 12);
    yield `${id},Customer ${name},NL${id},${parent},${reseller},${isReseller ? 2 : 1},Dorpsstraat,${id % 200},1234 AB,Utrecht,NL,EXT-${id}`;
  }
}

function* users() {
  yield 'id,organisationId,username,firstName,lastName,passwordHash,language,roles,totpSecret';
  for (let n = 2; n < USERS + 2; n++) {
    const lastName = sha256(`person ${n}`).toString('hex').slice(0, 10);
    const secret = n % 10 === 0 ? 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' : '';
    const roles = n % 3 === 2 ? 'ROLE_CUSTADMIN' : 'ROLE_MAIL;ROLE_DOMAIN';
    yield `${n},${2 + ((n - 2) % ORGANISATIONS)},user${n}@move.example,Jan,${lastName},${HASH},nl,${roles},${secret}`;
  }
}

function* contacts() {
  yield 'userId,type,name,preferences';
  for (let n = 2; n < USERS + 2; n++) yield `${n},email,user${n}@move.example,System;Finance`;
}

function* sshKeys() {
  yield 'username,content,description';
  for (let n = 2; n < USERS + 2; n++) yield `user${n}@move.example,${ed25519Key(n)},Laptop`;
}

function* apiKeys() {
  yield 'username,name,digest,whitelist';
  for (let n = 2; n < USERS + 2; n++) {
    yield `user${n}@move.example,Deployment,${sha256(`secret ${n}`).toString('hex')},192.0.2.0/24;2001:db8::1`;
  }
}

/** Files in the order in which they are taken over. */
const STEPS = [
  ['import-organisations', 'organisations', organisations, []],
  ['import-users', 'users', users, ['--no-contacts']],
  ['import-contacts', 'contacts', contacts, []],
  ['import-sshkeys', 'sshkeys', sshKeys, []],
  ['import-apikeys', 'apikeys', apiKeys, []],
];

async function write(path, lines) {
  const stream = createWriteStream(path);
  for (const line of lines) if (!stream.write(`${line}\n`)) await once(stream, 'drain');
  stream.end();
  await once(stream, 'finish');
}

/** Runs a command; gives its report, the seconds it took and its largest resident size in MB. */
async function cli(env, args) {
  const start = performance.now();
  const child = spawn(process.execPath, [CLI, ...args, '--json'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let memory = 0;
  const sampling = setInterval(() => (memory = Math.max(memory, highestResidentMegabytes(child.pid))), 200);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  clearInterval(sampling);
  if (code !== 0) throw new Error(`${args[0]} ended with code ${code}: ${output}`);
  return { report: JSON.parse(output), seconds: (performance.now() - start) / 1000, memory };
}

/**
 * How long a whole panel takes to move in: 100,000 organisations with 300,000 users,
 * contacts and keys of both kinds.
 */
async function measureImport(stage) {
  const folder = stage.folder();
  const databaseUrl = await stage.database('bench_import');
  const env = { DATABASE_URL: databaseUrl, SECRETS_KEY: randomBytes(32).toString('base64') };
  const rows = [];
  let total = 0;
  for (const [command, kind, lines, options] of STEPS) {
    const file = join(folder, `${kind}.csv`);
    await write(file, lines());
    const { report, seconds, memory } = await cli(env, [command, file, ...options]);
    if (report.refused > 0) throw new Error(`${command} refused ${report.refused} rows`);
    total += seconds;
    rows.push(rowOf(command, report.stored, seconds, memory));
  }
  await assertTreeWhole(databaseUrl);
  const all = rows.reduce((sum, row) => sum + row.rows, 0);
  const unit = ` seconds for ${ORGANISATIONS} organisations`;
  rows.push(atMost(rowOf('all imports', all, total, 0), total, GOAL, { unit }));
  return [...rows, ...(await tablesOnDisk(databaseUrl))];
}

const rowOf = (command, rows, seconds, memory) => ({
  command,
  rows,
  seconds,
  'rows a second': Math.round(rows / seconds),
  'MB at most': memory,
});
