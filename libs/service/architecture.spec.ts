import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Floors of docs/architecture.md, the lowest first, each with its folders. */
function drawnFloors(): string[][] {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const drawing = /## Floors[^]*?```\n([^]*?)```/.exec(page)?.[1] ?? '';
  return drawing
    .trim()
    .split('\n')
    .map((line) => line.slice(12).trim().split(/\s+/))
    .reverse();
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesBelow(path);
    return path.endsWith('.ts') && !path.endsWith('.spec.ts') ? [path] : [];
  });
}

/** `libs/users/…` → `users`, `apps/api/…` → `api`, `config/…` → `config`. */
const folderOf = (path: string): string => {
  const [top = '', folder = ''] = path.split(sep);
  return top === 'libs' || top === 'apps' ? folder : top;
};

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/(?:from|import|require)\s*\(?\s*'((?:@app\/|\.)[^']+)'/g)].map(
    ([, target = '']) =>
      target.startsWith('@app/')
        ? normalize(`libs/${target.slice(5)}`)
        : normalize(join(dirname(file), target)),
  );
}

describe('docs/architecture.md', () => {
  const floors = drawnFloors();
  const floorOf = new Map(
    floors.flatMap((folders, floor) => folders.map((folder) => [folder, floor] as const)),
  );

  it('draws every folder once', () => {
    const present = [...readdirSync(join(ROOT, 'libs')), ...readdirSync(join(ROOT, 'apps')), 'config'];
    expect(floors.flat().sort()).toEqual(present.sort());
  });

  it('draws the floors as the imports have them: from above to below only', () => {
    const climbing = ['libs', 'apps', 'config'].flatMap(sourcesBelow).flatMap((file) =>
      importsOf(file)
        .filter((target) => folderOf(target) !== folderOf(file))
        .filter((target) => (floorOf.get(folderOf(target)) ?? 0) >= (floorOf.get(folderOf(file)) ?? 0))
        .map((target) => `${file} -> ${target}`),
    );
    expect(climbing).toEqual([]);
  });
});
