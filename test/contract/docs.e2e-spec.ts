import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readSettings } from '@app/config/env';
import { settingsIn } from '@app/config/setting';
import { SETTING_NAMES, SETTINGS } from '@app/config/setting-table';
import { PRIVILEGES } from '@app/security/access/privileges';
import { RouteTable } from '@app/security/access/route-table';
import { VARIANTS } from '../../qa/variants';
import { accessDocument } from '../../tools/docs/access-document';
import { boundsOf } from '../../tools/docs/described-service';
import { limitsDocument } from '../../tools/docs/limits-document';
import { ownReferencesOf, readRulesPages, referencesIn, rulesIndex } from '../../tools/docs/rules';
import { useServices } from '../support/service/service';

const ROOT = resolve(__dirname, '../..');

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Tables without the blanks and dashes that prettier lines them up with. */
const bare = (text: string): string => text.replaceAll(/[ \t]+/g, ' ').replaceAll(/-{3,}/g, '---');

describe('docs/rules', () => {
  const folder = join(ROOT, 'docs/rules');
  const pages = readRulesPages(folder);
  const rules = pages.flatMap((page) => page.rules);
  const named = new Set(rules.map(({ page, number }) => `${page} ${number}`));

  it('every rule has a text and tests', () => {
    expect(rules.filter(({ text, tests }) => text === '' || proofsIn(tests).length === 0)).toEqual([]);
    const items = pages.flatMap(
      ({ name }) => textOf(`docs/rules/${name}.md`).match(/^- \*\*\d+\*\* /gm) ?? [],
    );
    expect(rules.length).toBe(items.length);
    expect(rules.length).toBeGreaterThan(700);
  });

  it('no number of a page is given twice', () => {
    const numbers = rules.map(({ page, number }) => `${page} ${number}`);
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  });

  it('no rule is said twice', () => {
    const texts = rules.map(({ text }) => text);
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });

  it('every rule names tests that exist', () => {
    const files = rules.flatMap(({ tests }) => proofsIn(tests));
    expect(files.filter((file) => !isOfRemovedVariant(file) && !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('every rule names settings that exist', () => {
    const settings = new Set(SETTING_NAMES);
    const inRules = rules.flatMap(({ settings: named }) =>
      [...named.matchAll(/`([A-Z][A-Z0-9_]+)/g)].map(([, name = '']) => name),
    );
    expect(inRules.length).toBeGreaterThan(50);
    expect(inRules.filter((name) => !settings.has(name) && !name.startsWith('OTEL_'))).toEqual([]);
  });

  it('every reference to a rule has a rule', () => {
    const files = FOLDERS_WITH_REFERENCES.flatMap(filesBelow);
    const references = files.flatMap((file) =>
      referencesIn(textOf(file)).map(({ page, number }) => ({ file, rule: `${page} ${number}` })),
    );
    expect(references.length).toBeGreaterThan(200);
    expect(references.filter(({ rule }) => !named.has(rule))).toEqual([]);
    const own = pages.flatMap(ownReferencesOf).map(({ page, number }) => `${page} ${number}`);
    expect(own.length).toBeGreaterThan(40);
    expect(own.filter((rule) => !named.has(rule))).toEqual([]);
  });

  it('README.md has the list that npm run docs prints', () => {
    expect(bare(textOf('docs/rules/README.md'))).toBe(bare(rulesIndex(folder)));
  });
});

/** Where rules are referred to. */
const FOLDERS_WITH_REFERENCES = ['apps', 'docs', 'libs', 'qa', 'scripts', 'test', 'tools'];

const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:[cm]?[jt]s|sql|md|json)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1));

/** The files of tests in a text. */
function proofsIn(text: string): string[] {
  return [...text.matchAll(/`((?:test|libs|apps|config|qa|scripts|tools)\/[\w./-]+\.ts)`/g)].map(
    ([, file = '']) => file,
  );
}

/** Whether a file is about a variant that is no longer there, which took its tests with it. */
const isOfRemovedVariant = (file: string): boolean => {
  if (/variants(?:\.md|-docs)/.test(file)) return VARIANTS.length < 2;
  const variant = /\b(?:variant|openapi)-(\w)\./.exec(file)?.[1]?.toUpperCase();
  return variant !== undefined && !VARIANTS.some((name) => name === variant);
};

const FOLDERS_OF_PAGES = ['.', 'docs', 'docs/rules', 'docs/spec', 'deploy', 'tools/bench', 'tools/faults'];

/** `## Mail and jobs` → `mail-and-jobs`, as GitHub makes the anchors of headings. */
const anchorsOf = (page: string): Set<string> =>
  new Set(
    [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ),
  );

/** The contract, whose lines stay as they were written. */
const OF_OTHERS = 'docs/spec/account-api.md';
/** A line that is mostly one word, such as a key, cannot be broken. */
const isLong = (line: string): boolean => line.length > 160 && !/\S{120}/.test(line);

it('no file of the project has a line of more than 160 characters', () => {
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    ...[...FOLDERS_WITH_REFERENCES, 'config', 'deploy'].flatMap(filesBelow),
  ];
  const long = files
    .filter((file) => !file.endsWith('.json') && file !== OF_OTHERS)
    .flatMap((file) =>
      textOf(file)
        .split('\n')
        .flatMap((line, index) => (isLong(line) ? [`${file}:${index + 1}: ${line.length} characters`] : [])),
    );
  expect(files.length).toBeGreaterThan(1000);
  expect(long).toEqual([]);
});

it('every link of a page leads to a file, and to a heading of it', () => {
  const pages = FOLDERS_OF_PAGES.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(folder, file)),
  );
  const links = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
      ([link, path = '', anchor]) => ({
        page,
        link,
        target: path === '' ? page : join(dirname(page), path),
        anchor,
      }),
    ),
  );
  expect(links.length).toBeGreaterThan(150);
  const broken = links
    .filter(({ target }) => !isOfRemovedVariant(target))
    .filter(
      ({ target, anchor }) =>
        !existsSync(join(ROOT, target)) || (anchor !== undefined && !anchorsOf(target).has(anchor)),
    );
  expect(broken.map(({ page, link }) => `${page}: ${link}`)).toEqual([]);
});

/** With the route that only test systems have. */
const services = useServices(VARIANTS, { settings: { testClock: true } });

describe('docs/access.md', () => {
  it('is what npm run docs prints of the privilege table', () => {
    expect(textOf('docs/access.md')).toBe(accessDocument());
  });

  it('and the privilege table have an operation for every route, and no other', () => {
    const routes = services.flatMap(({ app }) => app.get(RouteTable).routes);
    const served = new Set(routes.flatMap(({ operation }) => operation ?? []));
    expect([...served].sort()).toEqual(Object.keys(PRIVILEGES).sort());
  });
});

describe('docs/limits.md', () => {
  const page = textOf('docs/limits.md');
  const [service] = services;

  const document = (): Promise<string> => limitsDocument(service.sql, boundsOf(service.app));

  it('is what npm run docs prints of a migrated database and a service', async () => {
    expect(bare(page)).toBe(bare(await document()));
  });

  describe('with a table whose SQL a function makes', () => {
    const makeTable = (condition: string) =>
      service.sql(`DO $$ BEGIN
        EXECUTE format('CREATE TABLE %I (user_id integer, colour text)', 'kites');
        EXECUTE format('CREATE TRIGGER kites_limit BEFORE INSERT ON kites FOR EACH ROW
          EXECUTE FUNCTION limit_rows(%L, %L, %L, %L)', 'user_id', 7000, 'kites_limit_of_user', '${condition}');
      END $$`);
    beforeEach(() => service.sql`BEGIN`);
    afterEach(() => service.sql`ROLLBACK`);

    it('shows its limit', async () => {
      await makeTable('true');
      expect(await document()).toContain('| user | `kites` | 7,000 | all |\n');
    });

    it('is not printed while nobody has words for the rows that count', async () => {
      await makeTable('colour IS NULL');
      await expect(document()).rejects.toThrow(/no words for: colour IS NULL/);
    });
  });

  it('has the amounts of every trigger of limit_rows', async () => {
    const triggers = await service.sql<{ table: string; arguments: string }>(
      `SELECT tgrelid::regclass::text AS table, encode(tgargs, 'escape') AS arguments FROM pg_trigger
       WHERE tgfoid = 'limit_rows'::regproc ORDER BY 1`,
    );
    const held = triggers.map((trigger) => {
      const [owner = '', most = ''] = trigger.arguments.split('\\000');
      return `${owner.replace('_id', '')} ${trigger.table} ${Number(most).toLocaleString('en')}`;
    });
    const printed = [...page.matchAll(/^\| (\w+)\s+\| `(\w+)`\s+\| ([\d,]+)/gm)].map(
      ([, owner, table, most]) => `${owner} ${table} ${most}`,
    );
    expect(printed.length).toBeGreaterThan(6);
    expect(new Set(held)).toEqual(new Set(printed));
  });
});

/** The items of all lists, but for those of OpenTelemetry's own settings. */
const ROWS = [
  ...textOf('docs/settings.md').matchAll(/^- \*\*`([A-Z_]+)`\*\*: (?:[^\n]|\n {2})*Default:\s+([^\n]+)$/gm),
]
  .map(([, name = '', value = '']) => ({ name, fallback: /^`(.+)`$/.exec(value)?.[1] }))
  .filter(({ name }) => !name.startsWith('OTEL_'));

/** Where the settings hold the value of a name, alone or with others that are read together. */
const keyOf = (setting: string): string | undefined =>
  Object.values(SETTINGS)
    .flatMap((rows) => Object.entries(rows))
    .find(([key, row]) => settingsIn({ [key]: row }).some(({ name }) => name === setting))?.[0];

it('docs/settings.md has one item for each setting that the service reads', () => {
  expect(ROWS.map(({ name }) => name).sort()).toEqual([...SETTING_NAMES].sort());
});

it.each(ROWS.filter(({ fallback }) => fallback !== undefined))(
  'docs/settings.md: the default of $name is $fallback',
  ({ name, fallback }) => {
    expect(readSettings({ [name]: fallback })).toEqual(readSettings({}));
  },
);

it.each(ROWS.filter(({ fallback }) => fallback === undefined))(
  'docs/settings.md: $name has no default',
  ({ name }) => {
    const key = keyOf(name) ?? '';
    const values = Object.entries(readSettings({})).filter(([of]) => of === key);
    expect(values).toHaveLength(1);
    expect([undefined, false, [], {}]).toContainEqual(values[0]?.[1]);
  },
);

it('README.md and .env.example name no setting that the service does not read', () => {
  const known = new Set([...SETTING_NAMES, 'POSTGRES_PASSWORD', 'ACCOUNT_PASSWORD']);
  const named = [
    ...textOf('README.md').matchAll(/^\| `([A-Z_]+)` \|/gm),
    ...textOf('.env.example').matchAll(/^([A-Z_]+)=/gm),
  ].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !known.has(name) && !name.startsWith('OTEL_'))).toEqual([]);
});
