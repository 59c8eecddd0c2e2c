import type { TableRules } from '@app/lifecycle/table-rules';
import { SOURCE_FILES } from '../../test/support/generators/table-owners';
import { TABLE_RULES } from './extensions.module';

const LIST = 'service/extensions.module.ts';

/** Exported rules of tables, by their type or the function that makes them. */
const RULES = new RegExp(
  String.raw`^export const (\w+)(?:` +
    String.raw`: (?:(?:readonly )?(?:Table|Credential)Rules(?:\[\]| & PersonalData)?|PersonalData) = |` +
    String.raw` = (?:user|organisation)(?:Table|Credentials)\()`,
  'gm',
);

/** The names in one of the lists. */
function namesIn(list: string): string[] {
  const source = SOURCE_FILES.find(({ path }) => path === LIST)?.text ?? '';
  const [, names = ''] = new RegExp(`^const ${list}: .*? = \\[$(.*?)^\\];$`, 'ms').exec(source) ?? [];
  return [...names.matchAll(/^ {2}(?:\.\.\.)?(\w+),$/gm)].map(([, name = '']) => name);
}

describe('the lists of the rules of tables', () => {
  it('name each rule once', () => {
    const declared = SOURCE_FILES.filter(({ path }) => path !== LIST).flatMap(({ text }) =>
      [...text.matchAll(RULES)].map(([, name]) => name),
    );
    expect(declared.length).toBeGreaterThan(30);
    const named = [...namesIn('LOCK_ORDER'), ...namesIn('WITHOUT_LOCKS')];
    expect(named.sort()).toEqual(declared.sort());
  });

  it('have what changes rows at deletions, or reacts to changes of users, where its order is said', () => {
    const isOrdered = (rules: TableRules): boolean => {
      const { withUsers, withOrganisation, handle, handler } = rules;
      return [withUsers, withOrganisation, handle, handler].some((rule) => typeof rule === 'function');
    };
    const ordered = namesIn('LOCK_ORDER').length;
    expect(TABLE_RULES.slice(ordered).filter(isOrdered)).toEqual([]);
    expect(TABLE_RULES.slice(0, ordered).filter(isOrdered).length).toBeGreaterThan(25);
  });
});
