import { SOURCE_FILES } from '../../test/support/generators/table-owners';

const LIST = 'service/extensions.module.ts';

/** Exported rules of tables, by their type or the function that makes them. */
const RULES = new RegExp(
  String.raw`^export const (\w+)(?:` +
    String.raw`: (?:(?:readonly )?(?:Table|Credential)Rules(?:\[\]| & PersonalData)?|PersonalData) = |` +
    String.raw` = (?:user|organisation)(?:Table|Credentials)\()`,
  'gm',
);

describe('the list of the rules of tables', () => {
  it('names each rule once', () => {
    const declared = SOURCE_FILES.filter(({ path }) => path !== LIST).flatMap(({ text }) =>
      [...text.matchAll(RULES)].map(([, name]) => name),
    );
    expect(declared.length).toBeGreaterThan(30);
    const source = SOURCE_FILES.find(({ path }) => path === LIST)?.text ?? '';
    const [, list = ''] = /^export const TABLE_RULES: .*? = \[$(.*?)^\];$/ms.exec(source) ?? [];
    const named = [...list.matchAll(/^ {2}(?:\.\.\.)?(\w+),$/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(declared.sort());
  });
});
