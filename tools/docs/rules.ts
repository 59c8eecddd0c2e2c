import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { item } from './lines.cjs';

/** An item of a page of `docs/rules/`: `- **7** text`, with a line of settings, if any, and one of tests. */
export interface Rule {
  /** The name of the page, as references write it: `passkeys`. */
  readonly page: string;
  /** Within the page, from 1 in its order. */
  readonly number: number;
  readonly text: string;
  /** The settings that change it; empty without one. */
  readonly settings: string;
  /** The tests that prove it. */
  readonly tests: string;
}

/** A page of `docs/rules/`. */
interface RulesPage {
  readonly name: string;
  readonly title: string;
  /** Its first sentence. */
  readonly about: string;
  readonly rules: readonly Rule[];
}

const INDEX = 'README.md';

/** The pages of rules in the order of their names. */
export const readRulesPages = (folder: string): RulesPage[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md') && file !== INDEX)
    .sort()
    .map((file) => pageOf(basename(file, '.md'), readFileSync(join(folder, file), 'utf8')));

/** A rule with the lines that belong to it, which are indented. */
const ITEM =
  /^- \*\*(\d+)\*\* ((?:(?!\n(?: {2}(?:Setting|Test): |\S|\n))[^])*)(?:\n {2}Setting: ([^]*?))?\n {2}Test: ((?:.|\n {2})*)/gm;

function pageOf(name: string, text: string): RulesPage {
  const [heading = '', ...rest] = text.split('\n');
  const introduction = rest.join(' ').trim();
  const rules = [...text.matchAll(ITEM)].map(([, number, said = '', settings = '', tests = '']): Rule => ({
    page: name,
    number: Number(number),
    text: said.trim(),
    settings: settings.trim(),
    tests: tests.trim(),
  }));
  return {
    name,
    title: heading.replace(/^# /, ''),
    about: /^.*?\.(?= |$)/.exec(introduction)?.[0] ?? '',
    rules,
  };
}

/** The list of pages that `npm run docs` prints into the folder. */
export function rulesIndex(folder: string): string {
  const pages = readRulesPages(folder);
  const items = pages.map(({ name, title, about, rules }) =>
    item(`[${title}](${name}.md), ${rules.length}: ${about}`),
  );
  return `# Rules

\`npm run docs\` prints this page from the pages beside it.

What holds where [the interface description](../spec/account-api.md) is silent, each rule once. A rule has a number
within its page; \`passkeys 7\` is rule 7 of the page passkeys. It names the setting that changes it and the tests that
prove it. **(wire)** marks what real clients depend on: they break if it changes. An _addition_ is what the description does not
have at all.

A number has its reason beside it: a standard, another rule, a bound of a machine. A number that is _chosen_ could be another one.
The rule then says what the number protects; a length or a size without more keeps one record small.

The pages, and how many rules each has:

${items.join('')}`;
}

interface Reference {
  readonly page: string;
  readonly number: number;
}

/** `31`, `35, 36`, `26 and 27`, `16 to 34`. */
const NUMBERS = String.raw`(\d+(?:(?:, | and | to )\d+)*)\b`;
const IN_CODE = new RegExp(String.raw`\brule ([a-z]+(?:-[a-z]+)?) ${NUMBERS}`, 'g');
const IN_DOCUMENTS = new RegExp(String.raw`\]\([^)\s]*?([a-z-]+)\.md\) ${NUMBERS}`, 'g');
const WITHIN_A_PAGE = new RegExp(String.raw`\brules? ()${NUMBERS}`, 'gi');

/** A reference may go on in the next line, of a comment too. */
const inOneLine = (text: string): string => text.replaceAll(/\s*\n\s*(?:(?:\*|--|\/\/|#) )?/g, ' ');

const found = (text: string, pattern: RegExp): Reference[] =>
  [...inOneLine(text).matchAll(pattern)].flatMap(([, page = '', numbers = '']) =>
    (numbers.match(/\d+/g) ?? []).map((number) => ({ page, number: Number(number) })),
  );

/** References such as `rule passkeys 7` in code and `[passkeys](rules/passkeys.md) 7` in documents. */
export const referencesIn = (text: string): Reference[] => [
  ...found(text, IN_CODE),
  ...found(text, IN_DOCUMENTS),
];

/** References such as `rule 7` of the rules of a page to its own. */
export const ownReferencesOf = ({ name, rules }: Pick<RulesPage, 'name' | 'rules'>): Reference[] =>
  rules.flatMap(({ text }) => found(text, WITHIN_A_PAGE)).map(({ number }) => ({ page: name, number }));
