import { SOURCE_FILES } from '../../test/support/generators/table-owners';
import { JOB_HANDLERS } from './extensions.module';

/** The names of the classes that extend one; of an abstract class, the names of its own subclasses. */
const classesOf = (base: string): string[] =>
  SOURCE_FILES.flatMap(({ text }) =>
    [...text.matchAll(/(abstract )?class (\w+) extends (\w+)/g)].flatMap(
      ([, abstract, name = '', extended]) => {
        if (extended !== base) return [];
        return abstract === undefined ? [name] : classesOf(name);
      },
    ),
  );

it('lists each handler of jobs once', () => {
  const declared = classesOf('JobHandler');
  expect(declared.length).toBeGreaterThan(1);
  expect(JOB_HANDLERS.map(({ name }) => name).sort()).toEqual(declared.sort());
});

const LIST = 'service/extensions.module.ts';

/** Exported rules of tables, by their type or the function that makes them. */
const RULES =
  /^export const (\w+)(?:: (?:TableRules|CredentialRules|PersonalData|readonly TableRules\[\]) = | = (?:userTable|organisationTable|userCredentials|organisationCredentials)\()/gm;

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
