import { join } from 'node:path';
import { DELETED_WITH_USERS, type DeletionRules, Deletions } from '@app/lifecycle/deletions';
import { DeclaredConstraintErrors } from '@app/platform/errors/constraint-errors';
import { TABLE_RULES } from '@app/service/extensions.module';
import { VARIANTS } from '../../qa/variants';
import {
  ENTITIES,
  SOURCE_FILES,
  tablesMentionedBy,
  tablesRuledBy,
  tablesWrittenBy,
} from '../support/generators/table-owners';
import { describeService } from '../support/service/service';

/** Tables with a foreign key to users or organisations, and to which of the two. */
const REFERRING = `
  SELECT conrelid::regclass::text AS name,
    bool_or(confrelid = 'users'::regclass) AS "toUsers",
    bool_or(confrelid = 'organisations'::regclass) AS "toOrganisations"
  FROM pg_constraint
  WHERE contype = 'f' AND confrelid IN ('users'::regclass, 'organisations'::regclass)
  GROUP BY conrelid ORDER BY name`;

/** Tables with what a credential is known by. The digests of an address or a name let nobody in. */
const CREDENTIALS = `
  SELECT DISTINCT c.table_name AS name FROM information_schema.columns c
  JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE t.table_type = 'BASE TABLE' AND c.table_schema = 'public'
    AND c.column_name ~ '(^|_)(digest|secret|public_key|password_hash)$'
    AND c.column_name NOT IN ('address_digest', 'name_digest')
  ORDER BY name`;

interface Referring {
  readonly name: string;
  readonly toUsers: boolean;
  readonly toOrganisations: boolean;
}

/** What is wrong with the claims to the tables that refer to users or organisations. */
function errorsOf(tables: readonly Referring[], handlers: readonly DeletionRules[]): string[] {
  const claims = new Map(handlers.map((handler) => [handler.table, handler]));
  const isGiven = (rule: object | string): boolean => rule !== '';
  return [
    ...handlers
      .filter(({ table }, index) => handlers.findIndex((other) => other.table === table) < index)
      .map(({ table }) => `${table}: claimed twice`),
    ...[...claims.keys()]
      .filter((table) => !['users', 'organisations'].includes(table))
      .filter((table) => !tables.some(({ name }) => name === table))
      .map((table) => `${table}: claimed, but refers to neither`),
    ...tables.flatMap(({ name, toUsers, toOrganisations }) => {
      const claim = claims.get(name);
      if (claim === undefined) return [`${name}: no deletion rules`];
      const { withUsers, withOrganisation } = claim;
      const errors: string[] = [];
      if (!isGiven(withUsers) || !isGiven(withOrganisation)) errors.push(`${name}: stays without a reason`);
      if (withOrganisation === DELETED_WITH_USERS) {
        if (!toUsers || typeof withUsers !== 'function') errors.push(`${name}: does not go with users`);
        if (toOrganisations) errors.push(`${name}: belongs to organisations too`);
      }
      return errors;
    }),
  ];
}

describeService(VARIANTS, 'the deletion rules of tables in Variant %s', (service) => {
  let handlers: readonly DeletionRules[];

  beforeAll(async () => {
    handlers = service.app.get(Deletions).handlers;
  });

  it('are there for every table with a foreign key to users or organisations', async () => {
    const tables = await service.sql<Referring>(REFERRING);
    expect(tables.length).toBeGreaterThan(10);
    expect(errorsOf(tables, handlers)).toEqual([]);
  });

  it('are missed for a new table with a foreign key to users', async () => {
    await service.sql('CREATE TABLE badges (user_id integer REFERENCES users)');
    try {
      expect(errorsOf(await service.sql<Referring>(REFERRING), handlers)).toEqual([
        'badges: no deletion rules',
      ]);
    } finally {
      await service.sql('DROP TABLE badges');
    }
  });

  it('stand with the domain that owns the table', () => {
    const folderOf = new Map([
      ...[...ENTITIES.values()].map(({ table, domain }) => [table, domain] as const),
      // Without an entity: plain statements move the clock of tests, triggers keep the closure, a function
      // counts attempts.
      ['organisation_closure', 'organisations'],
      ['attempts', 'security'],
      ['test_clock', 'test-clock'],
      ['variant_usage', 'usage'],
      ['variant_programs', 'usage'],
    ]);
    const claimed = SOURCE_FILES.flatMap((file) =>
      tablesRuledBy(file).map((table) => [table, file.domain] as const),
    );
    const tables = new Set(claimed.map(([table]) => table));
    expect(handlers.map(({ table }) => table).filter((table) => !tables.has(table))).toEqual([]);
    expect(claimed.filter(([table, domain]) => folderOf.get(table) !== domain)).toEqual([]);
  });

  it('DeclaredConstraintErrors has the texts of every *_CONSTRAINT_ERRORS', () => {
    const named = SOURCE_FILES.filter(({ text }) => /^export const \w+_CONSTRAINT_ERRORS\b/m.test(text))
      .map(({ path }) => jest.requireActual<Record<string, object>>(join(__dirname, '../../libs', path)))
      .flatMap((exported) => Object.entries(exported))
      .flatMap(([name, errors]) => (name.endsWith('_CONSTRAINT_ERRORS') ? Object.keys(errors) : []));
    expect(named.length).toBeGreaterThan(30);
    expect(Object.keys(service.app.get(DeclaredConstraintErrors).all).sort()).toEqual(named.sort());
  });

  it('every table of credentials says in afterRestore what a restore does with it', async () => {
    const tables = await service.sql<{ name: string }>(CREDENTIALS);
    const said = TABLE_RULES.filter(({ afterRestore }) => afterRestore !== undefined && afterRestore !== '');
    const names = tables.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['users', 'api_keys', 'passkeys', 'webhooks']));
    expect(names.filter((name) => !said.some(({ table }) => table === name))).toEqual([]);
  });

  it('lock the tables in one order', () => {
    const changing = ({ withUsers, withOrganisation }: DeletionRules): boolean =>
      typeof withUsers === 'function' || typeof withOrganisation === 'function';
    expect(handlers.filter(changing).map(({ table }) => table)).toEqual([
      'suspensions',
      'users',
      'logins',
      'known_networks',
      'first_logins',
      'login_notices',
      'recovery_requests',
      'recovery_codes',
      'trusted_devices',
      'passkeys',
      'passkey_challenges',
      'api_keys',
      'service_keys',
      'webhooks',
      'login_links',
      'support_access',
      'brands',
      'team_members',
      'invitations',
      'notifications',
      'contacts',
      'former_contacts',
      'documents',
      'acls',
      'ssh_keys',
      'user_preferences',
      'entities',
      'stored_responses',
    ]);
  });
});

describe('a table', () => {
  const ownerOf = new Map([...ENTITIES.values()].map(({ table, domain }) => [table, domain]));

  it('has one entity', () => {
    expect(ownerOf.size).toBe(ENTITIES.size);
    expect(ENTITIES.size).toBeGreaterThan(15);
  });

  it('is written by its own domain alone', () => {
    const written = SOURCE_FILES.flatMap((file) =>
      tablesWrittenBy(file).flatMap((table) => {
        const owner = ownerOf.get(table);
        return owner === undefined ? [] : [{ table, owner, by: file.domain, path: file.path }];
      }),
    );
    expect(written.length).toBeGreaterThan(40);
    expect(written.filter(({ owner, by }) => owner !== by)).toEqual([]);
  });

  it('of a domain is unknown to platform, lifecycle and mail', () => {
    const ground = ['platform', 'lifecycle', 'mail'];
    const known = SOURCE_FILES.filter(({ domain }) => ground.includes(domain)).flatMap((file) =>
      tablesMentionedBy(file)
        .filter((table) => ![...ground, 'security'].includes(ownerOf.get(table) ?? 'platform'))
        .map((table) => ({ table, path: file.path })),
    );
    expect(known).toEqual([]);
  });
});
