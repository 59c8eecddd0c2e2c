import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { judged } from './table.mjs';

export const measures = [measureImage];

/** MB, uncompressed. */
const GOAL = 250;
/** Folders that have a line of their own. */
const LARGEST = 8;

const ROOT = join(import.meta.dirname, '../../..');
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/**
 * Foreign parts of the image, in bytes. Counted on 2026-11-22: the installed size of the Debian 12 packages
 * that the base consists of (base-files, netbase, media-types, tzdata, ca-certificates, libc6, libssl3, libgcc-s1, libgomp1,
 * libstdc++6, gcc-12-base) with libatomic1, and `bin/node` of Node 26.10.0 for linux-x64. Whoever changes one of these lines
 * of the Dockerfile counts anew.
 */
const FOREIGN = [
  { folder: 'base', line: 'FROM gcr.io/distroless/cc-debian12\n', bytes: 25_734 * 1024 },
  { folder: 'node', line: 'FROM node:26-bookworm-slim AS base\n', bytes: 149_711_504 },
];

/** A listing of the image that the Dockerfile makes, without making it: from what is installed and built here. */
function measureImage() {
  const dockerfile = read('Dockerfile');
  const stale = FOREIGN.find(({ line }) => !dockerfile.includes(line));
  if (stale !== undefined)
    throw new Error(`The Dockerfile has no ${stale.line.trim()}: count ${stale.folder}`);
  const deleted = [...dockerfile.matchAll(/-name '\*(\.[\w.]+)'/g)].map(([, ending]) => ending);
  const packages = productionPackages().map((folder) => ({
    folder,
    ...sum(filesOf(folder).filter(({ path }) => !deleted.some((ending) => path.endsWith(ending)))),
  }));
  packages.sort((one, other) => other.bytes - one.bytes);
  const others = packages.slice(LARGEST);
  const lines = [
    ...FOREIGN.map(({ folder, bytes }) => ({ folder, bytes })),
    { folder: 'dist', ...sum(['apps', 'config', 'libs'].flatMap((name) => filesOf(join('dist', name)))) },
    ...packages.slice(0, LARGEST),
    { folder: `node_modules: ${others.length} others`, ...total(others) },
  ];
  const { bytes, files } = total(lines);
  const megabytes = bytes / 1e6;
  return [
    ...lines.map(({ folder, files, bytes }) => ({ folder, files, MB: bytes / 1e6 })),
    judged({ image: 'all of it', files, MB: megabytes }, { goal: `< ${GOAL}`, isMet: megabytes < GOAL }),
  ];
}

/** The folders that `npm ci --omit=dev --omit=optional` makes. */
const productionPackages = () =>
  Object.entries(JSON.parse(read('package-lock.json')).packages)
    .filter(([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional)
    .map(([path]) => path);

/** Files beneath a folder, without the packages that another one has within it. */
const filesOf = (folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesOf(path);
    return entry.isFile() ? [{ path, bytes: statSync(join(ROOT, path)).size }] : [];
  });

const sum = (files) => ({ files: files.length, bytes: files.reduce((bytes, file) => bytes + file.bytes, 0) });

const total = (lines) => ({
  files: lines.reduce((files, line) => files + (line.files ?? 0), 0),
  bytes: lines.reduce((bytes, line) => bytes + line.bytes, 0),
});
