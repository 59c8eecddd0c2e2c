// Removes a domain from a tree: its files, and the rows by which other files name it. Each deletable domain
// says in a domain.json of its folder what belongs to it. scripts/without-domain.mjs tries that in a copy.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { PrunedFile } from './domains/pruned-file.cjs';
import { importsOf, parsed } from './domains/syntax.cjs';
import { removeFile } from './tree-copies.mjs';

/**
 * What a domain says of itself in its domain.json.
 * @typedef {object} Manifest
 * @property {string} [cannot] why it cannot go: what stands on it by nature; then `names` is a pattern of
 *   what others name it by, and the rest is absent
 * @property {string[]} paths its folder, and its files elsewhere: SQL, tests, its page
 * @property {string[]} operations the first words of its operations: `documents` of `documents.read`
 * @property {string[]} tables
 * @property {string[]} routes patterns of paths of its routes
 * @property {Record<string, string[]>} rows other files with rows that it is named in, by the row's name; of
 *   package.json packages that it alone needs
 * @property {string[]} [stays] what a person removes afterwards
 */

const MANIFEST = /^(libs\/(?:[^/]+\/)?([^/]+))\/domain\.json$/;

/** The manifests of a tree, by the names of the domains. */
export const readManifests = (tree, paths) =>
  new Map(
    paths.flatMap((path) => {
      const [, folder, name] = MANIFEST.exec(path) ?? [];
      if (name === undefined) return [];
      return [[name, { name, folder, ...JSON.parse(readFileSync(join(tree, path), 'utf8')) }]];
    }),
  );

/**
 * Removes domains. Returns how many rows of each other file went, how many of them were tests, and what could
 * not go: places that name the domain in code instead of a list.
 */
export function removeDomains(tree, paths, manifests) {
  const removed = new Set(
    paths.filter((path) =>
      manifests.some((manifest) =>
        manifest.paths.some((own) => path === own || path.startsWith(`${own.replace(/\/$/, '')}/`)),
      ),
    ),
  );
  const unused = manifests.flatMap(({ name, paths: own }) =>
    own
      .filter((path) => ![...removed].some((file) => file === path || file.startsWith(`${path}/`)))
      .map((path) => `domain.json of ${name}: no file is ${path}`),
  );
  const served = [...removed]
    .filter((path) => CODE.test(path))
    .map((path) => [path, readFileSync(join(tree, path), 'utf8')]);
  for (const path of removed) removeFile(join(tree, path));
  const rest = paths.filter((path) => !removed.has(path));
  const pruning = new Pruning(tree, rest, removed, manifests);
  return { removed: removed.size, ...pruning.run(served), problems: [...unused, ...pruning.problems] };
}

const CODE = /\.[cm]?[jt]s$/;

/** Removes the rows of lists, members of types and tests that name what is gone. */
class Pruning {
  problems = [];
  /** Names that a file no longer exports, because they only served the domain. */
  #lost = new Map();
  #rows = new Map();
  #tests = 0;
  /** Exports that may have served the domain alone: file and name. */
  #orphans = [];

  constructor(tree, paths, removed, manifests) {
    this.tree = tree;
    this.paths = paths;
    this.removed = removed;
    const words = (key) => manifests.flatMap((manifest) => manifest[key] ?? []);
    const oneOf = (list) => (list.length === 0 ? '(?!)' : `(?:${list.join('|')})`);
    this.operation = new RegExp(`^${oneOf(words('operations'))}\\.\\w+$`);
    this.routes = new RegExp(oneOf(words('routes')));
    this.table = new RegExp(`^(?:public\\.)?${oneOf(words('tables'))}(?:[ .:].*)?$`);
    this.tables = new RegExp(
      `\\b(?:FROM|INTO|UPDATE|JOIN|TABLE|EXISTS)\\s+${oneOf(words('tables'))}\\b|\\b${oneOf(words('tables').filter((table) => table.includes('_')))}\\b`,
    );
    this.listed = new Map();
    for (const { rows = {} } of manifests)
      for (const [file, names] of Object.entries(rows))
        this.listed.set(file, [...(this.listed.get(file) ?? []), ...names]);
  }

  run(served) {
    for (const [file, names] of this.listed) {
      if (this.removed.has(file)) continue;
      if (!this.paths.includes(file))
        this.problems.push(`${file}: rows are named of a file that is not there`);
      else if (file.endsWith('.sql')) this.#pruneSql(file, names);
      else if (file === 'package.json') this.#prunePackages(file, names);
    }
    for (const file of this.paths.filter((path) => /^libs\/.*\.sql$/.test(path))) {
      const line = this.#textOf(file)
        .split('\n')
        .findIndex((one) => this.tables.test(one.replace(/--.*/, '')));
      if (line >= 0) this.problems.push(`${file}:${line + 1} names a table that is gone`);
    }
    // What a file loses may be what another imports.
    let waiting = this.paths.filter((path) => CODE.test(path));
    while (waiting.length > 0) {
      const before = new Map([...this.#lost].map(([file, names]) => [file, names.size]));
      for (const path of waiting) this.#pruneCode(path);
      const changed = [...this.#lost].filter(([file, names]) => before.get(file) !== names.size);
      waiting = changed.length === 0 ? [] : this.paths.filter((path) => CODE.test(path));
    }
    for (const [path, text] of served) this.#mayServe(importsOf(parsed(path, text)), path);
    this.#dropOrphans();
    return { rows: this.#rows, tests: this.#tests };
  }

  /** Remembers what other files exported for one that is gone, or no longer imports it. */
  #mayServe(imports, path) {
    for (const { target, names } of imports) {
      const file = this.#fileOf(path, target);
      if (file !== undefined) for (const name of names) this.#orphans.push([file, name]);
    }
  }

  /** Drops exports that nobody imports any more. */
  #dropOrphans() {
    const code = this.paths.filter((path) => CODE.test(path));
    const imported = new Map();
    for (const path of code) {
      const isWhole = /\.[cm]js$/.test(path) || /^import \* as /m.test(this.#textOf(path));
      const names = isWhole
        ? this.#textOf(path).match(/\w+/g)
        : (
            this.#textOf(path).match(
              /^(?:import|export)\s[^;]*?\bfrom '|(?:actual|require|import)[^;]*;/gms,
            ) ?? []
          ).flatMap((clause) => clause.match(/\w+/g));
      for (const name of names ?? []) imported.set(name, (imported.get(name) ?? new Set()).add(path));
    }
    while (this.#orphans.length > 0) {
      const [file, name] = this.#orphans.pop();
      if ([...(imported.get(name) ?? [])].some((path) => path !== file && this.paths.includes(path)))
        continue;
      const edit = new PrunedFile(file, this.#textOf(file), {});
      if (!edit.unexport(name)) continue;
      this.#rows.set(file, (this.#rows.get(file) ?? 0) + 1);
      this.#mayServe(edit.released, file);
      for (const { names } of edit.released) for (const one of names) imported.get(one)?.delete(file);
      writeFileSync(join(this.tree, file), edit.text);
    }
  }

  #textOf = (path) => readFileSync(join(this.tree, path), 'utf8');

  #fileOf(from, target) {
    const base = baseOf(from, target);
    return [base, `${base}.ts`, `${base}.cts`].find((file) => this.paths.includes(file));
  }

  #pruneCode(path) {
    const file = join(this.tree, path);
    const before = readFileSync(file, 'utf8');
    const words = this.#rows.has(path) ? [] : (this.listed.get(path) ?? []);
    if (words.length === 0 && !this.#mayName(before)) return;
    const edit = new PrunedFile(path, before, {
      isGone: (target) => this.#isGone(path, target),
      isOf: (text) => this.operation.test(text),
      isQuery: (text) => this.tables.test(text),
      lists: (text) => this.table.test(text),
      isUsedBy: (text) => this.routes.test(text) || this.tables.test(text),
      words,
    });
    edit.prune();
    this.problems.push(...edit.problems);
    if (edit.rows === 0) return;
    this.#rows.set(path, (this.#rows.get(path) ?? 0) + edit.rows);
    this.#tests += edit.tests;
    this.#mayServe(edit.released, path);
    if (edit.lost.size > 0) this.#lost.set(path, new Set([...(this.#lost.get(path) ?? []), ...edit.lost]));
    if (edit.isEmpty) {
      removeFile(file);
      this.removed.add(path);
      this.paths = this.paths.filter((one) => one !== path);
      this.#lost.set(path, new Set(['*']));
    } else writeFileSync(file, edit.text);
  }

  /** Spares most files the parser. */
  #mayName(text) {
    const gone = [...this.removed, ...this.#lost.keys()].map(
      (file) => /([^/]+?)(?:\.d)?\.[cm]?[jt]s$/.exec(file)?.[1],
    );
    const named = gone.some(
      (name) => name !== undefined && (text.includes(`${name}'`) || text.includes(`${name}.`)),
    );
    const asPath = [...this.removed].some((file) => text.includes(`'${file}'`));
    const operation = new RegExp(this.operation.source.replace('^', "'").replace('$', "'"));
    const listed = this.table.source.replace('^', "'").replace('$', "'");
    return (
      named ||
      asPath ||
      operation.test(text) ||
      new RegExp(listed).test(text) ||
      this.routes.test(text) ||
      this.tables.test(text)
    );
  }

  /** Whether an import leads to a removed file: all its names, or those that it lost. */
  #isGone(from, target) {
    const base = baseOf(from, target);
    for (const file of [base, `${base}.ts`, `${base}.cts`, base.replace(/\.([cm])js$/, '.d.$1ts')]) {
      if (this.removed.has(file)) return () => true;
      const lost = this.#lost.get(file);
      if (lost !== undefined) return (name) => lost.has(name);
    }
    return () => false;
  }

  #prunePackages(path, names) {
    const list = JSON.parse(this.#textOf(path));
    for (const name of names) {
      const kind = ['dependencies', 'devDependencies'].find((one) => name in list[one]);
      if (kind === undefined) this.problems.push(`${path}: no package ${name}`);
      else delete list[kind][name];
    }
    writeFileSync(join(this.tree, path), `${JSON.stringify(list, null, 2)}\n`);
    this.#rows.set(path, names.length);
  }

  /** In SQL a row is a statement about a table, or a word of a list in quotes. */
  #pruneSql(path, names) {
    const file = join(this.tree, path);
    let text = readFileSync(file, 'utf8');
    for (const name of names) {
      const later = text
        .replace(new RegExp(`^INSERT INTO ${name}\\b[^;]*;\\n`, 'gm'), '')
        .replace(new RegExp(`(string_to_array\\('[^']*?) ?\\b${name}\\b`, 'g'), '$1');
      if (later === text) this.problems.push(`${path}: no row of ${name}`);
      text = later;
      this.#rows.set(path, (this.#rows.get(path) ?? 0) + 1);
    }
    writeFileSync(file, text);
  }
}

/** The path that an import leads to, in most cases without an ending. */
function baseOf(from, target) {
  if (target.startsWith('@app/')) return `libs/${target.slice(5)}`;
  return target.startsWith('.') ? normalize(join(dirname(from), target)).replaceAll('\\', '/') : target;
}
