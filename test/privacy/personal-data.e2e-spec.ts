import { DataSource, type EntityManager } from 'typeorm';
import type { DeclaredTexts, Person, PersonalData } from '@app/lifecycle/personal-data';
import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { PersonErasure } from '@app/records/privacy/person-erasure';
import { TABLE_RULES } from '@app/service/extensions.module';
import { VARIANTS } from '../../qa/variants';
import { ENTITIES, SOURCE_FILES, tablesRuledBy } from '../support/generators/table-owners';
import { describeService } from '../support/service/service';

/** Tables that refer to users, or whose columns are named after what tells of a person. */
const TELLING = `
  SELECT DISTINCT c.table_name AS name FROM information_schema.columns c
  JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE t.table_type = 'BASE TABLE' AND c.table_schema = 'public'
    AND c.column_name ~ '(^|_)(user_id|inviter_id|email|first_name|last_name|full_name|username|address|user_agent|phone)$'
  UNION
  SELECT conrelid::regclass::text FROM pg_constraint WHERE contype = 'f' AND confrelid = 'users'::regclass
  ORDER BY name`;

/** Every column that can hold a text, but for those of migrations and of what belongs to no domain. */
const TEXTS = `
  SELECT concat_ws('.', nullif(c.table_schema, 'public'), c.table_name, c.column_name) AS name
  FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE t.table_type = 'BASE TABLE'
    AND c.udt_name ~ '^_?(text|varchar|bpchar|char|name|json|jsonb|inet|cidr|citext|xml|tsvector)$'
    AND (c.table_schema = 'public' AND c.table_name NOT IN ('migrations', 'organisation_types', 'schema_digests')
      OR concat_ws('.', c.table_schema, c.table_name) = '${JOB_TABLE}')
  ORDER BY 1`;

/** Tables of which something else takes care. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  erasures: 'it has ids and times alone, and must outlive the person',
  audit_log: 'PersonErasure and PersonExport go through it themselves: nothing but its functions changes it',
};

/** A person of whom nothing is stored. */
const NOBODY: Person = {
  id: 0,
  organisationId: 0,
  usernames: [],
  verifiedNames: [],
  invitationIds: [],
};

/** An export holds no secret, and nothing that stands for one. */
const SECRET = /(^|_)(digest|hash|secret|encrypted|encrypted_digest|public_key|credential_id)$/;

/**
 * What an export leaves out, in the order of its parts: counts and states of the service's own work, numbers
 * of records that stand in another part, and whose organisation it is, which the person's own record says.
 */
const NOT_EXPORTED = [
  'users.totp_last_step',
  'users.second_factor_changed_at',
  'users.version',
  'logins.support_write',
  'logins.passkey_id',
  'logins.service_key_id',
  'logins.begun_with',
  'login_notices.login_id',
  'recovery_requests.code_expires_at',
  'recovery_codes.id',
  'trusted_devices.token_used_at',
  'passkeys.counter',
  'passkeys.backup_eligible',
  'api_keys.notified_days_left',
  'api_keys.version',
  'login_links.tries',
  'login_links.refusals',
  'invitations.inviter_organisation_id',
  'invitations.made_by_organisation',
  'invitations.made_by_key',
  'invitations.version',
  'contacts.organisation_id',
  'contacts.unique_key',
  'contacts.version',
  'ssh_keys.organisation_id',
  'ssh_keys.bits',
  'ssh_keys.version',
  'user_preferences.version',
  'stored_responses.service_key_id',
  'stored_responses.organisation_id',
  'stored_responses.place',
  'suspensions.by_organisation_id',
  'notifications.send_mode',
  'notifications.priority',
  'notifications.status',
  'notifications.is_expanded',
  'notifications.link_templates',
  'notifications.is_written',
  'notifications.customer_id',
  'notification_recipients.contact_id',
  'notification_recipients.queued_at',
  'notification_recipients.waits_until',
  'notification_recipients.is_redacted',
  'mails.message_id',
  'mails.mail_key',
  'mails.origin',
  'mails.opens',
  'mails.customer_id',
  'mails.brand_of',
  'mails.waits_until',
];

describeService(VARIANTS, 'what tells of a person in Variant %s', (service) => {
  let parts: readonly PersonalData[];

  beforeAll(() => {
    parts = service.app.get(PersonErasure, { strict: false }).personalData;
  });

  /** `table.column` of all that the rules of tables declare so. */
  const columnsOf = (kind: keyof DeclaredTexts): string[] =>
    TABLE_RULES.flatMap(({ table, [kind]: columns = '' }) =>
      columns
        .split(/\s+/)
        .filter((column) => column !== '')
        .map((column) => `${table}.${column}`),
    );

  /** Columns that are declared not once, and declarations without a column. */
  const undeclared = async (): Promise<string[]> => {
    const found = await service.sql<{ name: string }>(TEXTS);
    const columns = new Set(found.map(({ name }) => name));
    const said = [...columnsOf('personalTexts'), ...columnsOf('otherTexts')];
    return [
      ...[...columns]
        .filter((name) => !said.includes(name))
        .map((name) => `${name}: neither in personalTexts nor in otherTexts`),
      ...said.filter((name) => !columns.has(name)).map((name) => `${name}: no such column`),
      ...said.filter((name, at) => said.indexOf(name) < at).map((name) => `${name}: declared twice`),
    ];
  };

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

  it('is declared, or that it is not, for every column with texts', async () => {
    expect(await undeclared()).toEqual([]);
  });

  it('is asked for a column that is new', async () => {
    await service.sql('ALTER TABLE users ADD nickname text');
    try {
      expect(await undeclared()).toEqual(['users.nickname: neither in personalTexts nor in otherTexts']);
    } finally {
      await service.sql('ALTER TABLE users DROP nickname');
    }
  });

  it('is exported and erased for every table with a personal column', () => {
    const claimed = new Set([...parts.map(({ table }) => table), ...Object.keys(ELSEWHERE)]);
    const tables = new Set(
      columnsOf('personalTexts').map((column) => column.slice(0, column.lastIndexOf('.'))),
    );
    expect([...tables].filter((table) => !claimed.has(table))).toEqual([]);
  });

  it('has a name, a word and a reason in every part', () => {
    expect(new Set(parts.map(({ part }) => part)).size).toBe(parts.length);
    expect(new Set(parts.map(({ table }) => table)).size).toBe(parts.length);
    for (const { about, erase } of parts) {
      expect(about).toMatch(/^[A-Z].{20,}\.$/);
      if (typeof erase !== 'function') expect(erase).not.toBe('');
    }
  });

  it('is exported with every column, but for those that say why not', async () => {
    const { manager } = service.app.get(DataSource);
    const missing: string[] = [];
    for (const { table, stored } of parts) {
      const statements: string[] = [];
      const reader = {
        query: (statement: string, values: unknown[]) => {
          statements.push(statement);
          return manager.query(statement, values);
        },
      };
      await stored(reader as unknown as EntityManager, NOBODY);
      const words = new Set(statements.join(' ').match(/\w+/g));
      const columns = await service.sql<{ name: string }>`
        SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = ${table} ORDER BY ordinal_position`;
      for (const { name } of columns) {
        if (!words.has(name) && !SECRET.test(name)) missing.push(`${table}.${name}`);
      }
    }
    expect(missing).toEqual(NOT_EXPORTED);
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
