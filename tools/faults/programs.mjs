// Finds the programs that the command needs.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's packages by the program that is looked for. */
const PACKAGES = {
  etcd: 'etcd-server',
  patroni: 'patroni',
  haproxy: 'haproxy',
};
const FAKE_TIME = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`,
);

const isThere = (path) => {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
};

const find = (name) =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
    .map((folder) => join(folder, name))
    .find(isThere);

/** The folder of the newest PostgreSQL whose `initdb` is there: Debian keeps it off the PATH. */
function postgresFolder() {
  const root = '/usr/lib/postgresql';
  const versions = isThere(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const onPath = find('initdb');
  return (
    versions.map((version) => join(root, version, 'bin')).find((folder) => isThere(join(folder, 'initdb'))) ??
    (onPath && join(onPath, '..'))
  );
}

/** Where the programs are, or the packages that are missing. */
export function findPrograms() {
  const programs = Object.fromEntries(Object.keys(PACKAGES).map((name) => [name, find(name)]));
  const postgres = postgresFolder();
  const missing = [
    ...(postgres === undefined ? ['postgresql'] : []),
    ...Object.entries(PACKAGES)
      .filter(([name]) => programs[name] === undefined)
      .map(([, name]) => name),
    // Patroni's client of etcd's second interface; another of its clients would satisfy its package.
    ...(programs.patroni !== undefined && !hasEtcdClient() ? ['python3-etcd'] : []),
  ];
  return { missing, programs: { ...programs, postgres, fakeTime: FAKE_TIME.find(isThere) } };
}

function hasEtcdClient() {
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import etcd'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The user that PostgreSQL runs as, since it refuses root. */
export function unprivileged() {
  if (process.getuid() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((option) => Number(execFileSync('id', [option, 'postgres'])));
  return { uid, gid };
}
