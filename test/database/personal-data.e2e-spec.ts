import type { PersonalData } from '@app/lifecycle/personal-data';
import { PersonErasure } from '@app/records/privacy/person-erasure';
import { ENTITIES, SOURCE_FILES, tablesRuledBy } from '../support/generators/table-owners';
import { describeService } from '../support/service/service';
import { VARIANTS } from '../support/service/variants';

/** Tables that refer to users, or whose columns are named after what tells of a person. */
const TELLING = `
  SELECT DISTINCT c.table_name AS name FROM information_schema.columns c
  JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE t.table_type = 'BASE TABLE' AND c.table_schema = 'public'
    AND c.column_name ~ '(^|_)(user_id|inviter_id|email|first_name|last_name|full_name|username|address|user_agent|phone)$'
  UNION
  SELECT conrelid::regclass::text FROM pg_constraint WHERE contype = 'f' AND confrelid = 'users'::regclass
  ORDER BY name`;

/** Tables of which something else takes care. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  erasures: 'it has ids and days alone, and must outlive the person',
  erasure_remains: 'PersonErasure keeps and ends it: it is sealed, and holds what an erasure looks for',
  audit_log: 'PersonErasure and PersonExport go through it themselves: nothing but its functions changes it',
};

describeService(VARIANTS, 'what tells of a person in Variant %s', (service) => {
  let parts: readonly PersonalData[];

  beforeAll(async () => {
    parts = service.app.get(PersonErasure, { strict: false }).personalData;
  });

  const unclaimed = async (): Promise<string[]> => {
    const claimed = new Set([...parts.map(({ table }) => table), ...Object.keys(ELSEWHERE)]);
    return (await service.sql<{ name: string }>(TELLING))
      .map(({ name }) => name)
      .filter((name) => !claimed.has(name));
  };

  it('is exported and erased for every such table', async () => {
    expect((await service.sql(TELLING)).length).toBeGreaterThan(12);
    expect(await unclaimed()).toEqual([]);
  });

  it('is asked for a table that is new', async () => {
    await service.sql('CREATE TABLE badges (id integer, shown_to_user_id integer)');
    try {
      expect(await unclaimed()).toEqual(['badges']);
    } finally {
      await service.sql('DROP TABLE badges');
    }
  });

  it('has a name, a word and a reason in every part', () => {
    expect(new Set(parts.map(({ part }) => part)).size).toBe(parts.length);
    expect(new Set(parts.map(({ table }) => table)).size).toBe(parts.length);
    for (const { about, erase } of parts) {
      expect(about).toMatch(/^[A-Z].{20,}\.$/);
      if (typeof erase !== 'function') expect(erase).not.toBe('');
    }
  });

  it('is said by the domain that owns the table', () => {
    const folderOf = new Map([...ENTITIES.values()].map(({ table, domain }) => [table, domain]));
    const claims = SOURCE_FILES.flatMap((file) =>
      tablesRuledBy(file)
        .filter((table) => parts.some((part) => part.table === table))
        .map((table) => [table, file.domain] as const),
    );
    expect(claims.length).toBeGreaterThan(12);
    expect(claims.filter(([table, domain]) => folderOf.get(table) !== domain)).toEqual([]);
  });
});
