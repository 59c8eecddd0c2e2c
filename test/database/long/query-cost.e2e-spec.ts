import { type PerVariant, VARIANTS } from '../../../qa/variants';
import { type MadeUser, makeCustomer, makeGrant, makeOrganisation } from '../../support/factories/factories';
import { pageWorkOf, rowWorkOf } from '../../support/generators/query-cost';
import { ApiClient, asAdmin } from '../../support/service/client';
import { describeService } from '../../support/service/service';

const MANY = 2000;
const PARTS = 8;

/**
 * What a list may cost for each row that there is, before it counts as looking through one
 * table for each row of another.
 */
const MAX_PER_ROW = 40;

/** Pages of an index that lead over all those organisations; they themselves fill more than 40. */
const MAX_PAGES_TO_LEAP = 15;

const SEARCHES: PerVariant<readonly string[]> = {
  A: ['userFullname=bakker', 'userFullname=[]', 'userEmail=customer', 'userEmail=[]', 'name=ustom'],
  B: [],
};

/** Searches of the organisations that match everything outside the reach of a small reader. */
const WIDE_SEARCHES: PerVariant<readonly string[]> = {
  A: [
    'userFullname=bakker',
    'userFullname=ak',
    'userEmail=customer',
    'userEmail=us&userFullname=ja&filter=e',
  ],
  B: [],
};

/** What a search may cost a reader who reaches three organisations, however many there are. */
const MAX_SMALL_REACH = 150;

/** Lists of an organisation, or orders of them, that not every variant has. */
const LISTS: PerVariant<readonly string[]> = {
  A: ['organisations?orderBy=invitationCount'],
  B: ['entities'],
};

/** Orders of the organisations that are read from an index, in one variant alone. */
const ORDERS: PerVariant<readonly string[]> = { A: ['externalId'], B: [] };

describeService(VARIANTS, 'the work of a list in Variant %s', (service, variant) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let custadmin: MadeUser;
  let organisationId: number;
  let small: Awaited<ReturnType<typeof makeCustomer>>;

  /** A reseller with as many customers, users, invitations and teams as the tests promise to bear. */
  beforeAll(async () => {
    ({ organisationId, custadmin } = await makeCustomer(service));
    // In parts: each row of a statement is a lock, and a server has room for some thousands.
    for (let part = 0; part < PARTS; part++) {
      await service.sql`INSERT INTO organisations (name, tax_number, parent_id, reseller_id)
         SELECT 'Customer ' || n, 'NL' || n, 1, ${organisationId} FROM generate_series(1, ${MANY}) n
           WHERE n % ${PARTS} = ${part}`;
    }
    for (let part = 0; part < PARTS; part++) {
      await service.sql`INSERT INTO users (organisation_id, username, first_name, last_name, password_hash)
         SELECT id, 'user' || id || '@customer.example', 'Jan', 'Bakker', '' FROM organisations
           WHERE reseller_id = ${organisationId} AND id % ${PARTS} = ${part}`;
    }
    // More than may be made today: what was there before stays.
    await service.sql(`ALTER TABLE invitations DISABLE TRIGGER invitations_limit_of_organisation`);
    await service.sql(`ALTER TABLE teams DISABLE TRIGGER teams_limit_of_organisation`);
    // All of one organisation, which says nothing about the others.
    await service.sql`INSERT INTO invitations (organisation_id, inviter_id, email, first_name, last_name, token_digest, expires_at)
       SELECT ${organisationId}, ${custadmin.id}, n || '@customer.example', 'Jan', 'Bakker', sha256(n::text::bytea), now() + interval '1 day'
       FROM generate_series(1, ${MANY}) n`;
    await service.sql`INSERT INTO teams (organisation_id, name) SELECT ${organisationId}, 'Team ' || n
       FROM generate_series(1, ${MANY}) n`;
    await service.sql`INSERT INTO team_members (team_id, user_id) SELECT id, ${custadmin.id} FROM teams
       WHERE organisation_id = ${organisationId}`;
    await service.sql`INSERT INTO entities (kind, object_id, organisation_id, name)
       SELECT 'app', 2 * id + n, id, 'App' FROM organisations, generate_series(0, 1) n
         WHERE id > ${organisationId}`;
    const granting = await makeOrganisation(service);
    await makeGrant(service, granting, organisationId);
    small = await makeCustomer(service);
    await service.sql`INSERT INTO organisations (name, tax_number, parent_id, reseller_id)
       VALUES ('Small customer', 'NL0', 1, ${small.organisationId})`;
    await makeGrant(service, granting, small.organisationId);
  });

  const workOf = (client: ApiClient, path: string, accept = 'application/json'): Promise<number> =>
    rowWorkOf(service.database.url, () => client.get(path).set('Accept', accept).expect(200));

  describe.each(['before', 'after'])('%s PostgreSQL has looked at the tables', (when) => {
    beforeAll(async () => {
      if (when === 'after') await service.sql('ANALYZE');
    });

    it.each([
      '/organisations?filter=bak',
      '/organisations?filter=[]',
      '/organisations?orderBy=city',
      '/organisations?offset=1900',
      ...SEARCHES[variant].map((search) => `/organisations?${search}`),
    ])('stays in proportion to the organisations that there are: GET %s', async (path) => {
      expect(await workOf(admin, path)).toBeLessThan(MAX_PER_ROW * MANY);
      expect(await workOf(custadmin.client, path)).toBeLessThan(MAX_PER_ROW * MANY);
    });

    it.each(['name', 'taxNumber', 'zip', 'city', ...ORDERS[variant]])(
      'is that of the page in GET /organisations?orderBy=%s',
      async (field) => {
        for (const direction of ['ASC', 'DESC'])
          expect(await workOf(admin, `/organisations?orderBy=${field}&orderType=${direction}`)).toBeLessThan(
            MANY / 4,
          );
      },
    );

    it.each([
      'organisations?limit=0',
      'organisations?limit=0&filter=customer',
      'users?limit=0',
      'invitations?limit=0',
      ...LISTS[variant],
    ])('stays in proportion to the rows of an organisation: GET …/%s', async (list) => {
      const path = `/organisations/${organisationId}/${list}`;
      expect(await workOf(custadmin.client, path)).toBeLessThan(MAX_PER_ROW * MANY);
      if (list === 'entities') return;
      expect(await workOf(custadmin.client, path, 'text/csv')).toBeLessThan(MAX_PER_ROW * MANY);
    });

    it('does not grow with the rows before a page of GET /organisations, which an index leads over', async () => {
      await service.sql('VACUUM organisations');
      const pagesOf = (path: string) => pageWorkOf(service.database.url, () => admin.get(path).expect(200));
      const first = await pagesOf('/organisations');
      expect((await pagesOf('/organisations?offset=1900')) - first).toBeLessThan(MAX_PAGES_TO_LEAP);
    });

    it('is small for a far page of GET …/teams, whose details are not gathered on the way', async () => {
      const path = `/organisations/${organisationId}/teams?limit=1&offset=1900`;
      expect(await workOf(custadmin.client, path)).toBeLessThan(6 * MANY);
    });
  });

  describe('for an admin who searches in GET /organisations', () => {
    beforeAll(async () => {
      await service.sql`INSERT INTO organisations (name, tax_number, parent_id)
        SELECT 'Latecomer ' || n, 'NL' || n, 1 FROM generate_series(1, ${MANY / 200}) n`;
      await service.sql('VACUUM ANALYZE organisations');
    });

    it('is one look at each organisation if most match: for the total, not again for the page', async () => {
      expect(await workOf(admin, '/organisations?filter=customer')).toBeLessThan(1.5 * MANY);
    });

    it('is no walk past all others if the few that match are the last of the order', async () => {
      expect(await workOf(admin, '/organisations?filter=latecomer')).toBeLessThan(MANY / 2);
    });
  });

  describe('for a reader who reaches few organisations', () => {
    beforeAll(async () => {
      await service.sql('ANALYZE');
    });

    it.each([
      '/organisations?filter=customer',
      '/organisations?filter=e',
      ...WIDE_SEARCHES[variant].map((search) => `/organisations?${search}`),
    ])('stays in proportion to those in reach: GET %s', async (path) => {
      expect(await workOf(small.custadmin.client, path)).toBeLessThan(MAX_SMALL_REACH);
      expect(await workOf(small.plain.client, path)).toBeLessThan(MAX_SMALL_REACH);
    });

    it('stays in proportion to those beneath: GET …/organisations?filter=e', async () => {
      const path = `/organisations/${small.organisationId}/organisations?filter=e`;
      expect(await workOf(small.custadmin.client, path)).toBeLessThan(MAX_SMALL_REACH);
    });
  });
});

describeService(['A'], 'the pages that a bound of a customer touches', (service) => {
  /** A plan that walks over them touches more pages than the tests allow. */
  const ORGANISATIONS = 4000;
  const OTHERS = 200;
  const IN_A_STATEMENT = 250;
  let customer: number;
  let grantee: number;

  const webhookOfEach = (those: string): Promise<unknown> =>
    service.sql(`INSERT INTO webhooks (organisation_id, url, events, encrypted_secret, made_after)
      SELECT id, 'https://receiver.example/', '{*}', 'encrypted', 0 FROM ${those}`);
  const grantOfEach = (those: string): Promise<unknown> =>
    service.sql(`INSERT INTO acls (organisation_id, grantee_id) SELECT id, ${grantee} FROM ${those}`);

  beforeAll(async () => {
    customer = await makeOrganisation(service);
    grantee = await makeOrganisation(service);
    for (let made = 0; made < ORGANISATIONS; made += IN_A_STATEMENT) {
      await service.sql`INSERT INTO organisations (name, tax_number, parent_id)
        SELECT 'Of the customer', 'NL' || n, ${customer} FROM generate_series(1, ${IN_A_STATEMENT}) n`;
    }
    await service.sql`INSERT INTO organisations (name, tax_number, parent_id)
      SELECT 'Other', 'NL' || n, 1 FROM generate_series(1, ${OTHERS}) n`;
    await webhookOfEach(`organisations, generate_series(1, 20) WHERE name = 'Other'`);
    await grantOfEach(`organisations WHERE name = 'Other'`);
    const own = `(SELECT id FROM organisations WHERE parent_id = ${customer} ORDER BY id LIMIT 199) own`;
    await webhookOfEach(own);
    await grantOfEach(own);
  });

  async function pagesOf(insert: () => Promise<unknown>): Promise<number> {
    const touched = async (): Promise<number> => {
      const [row] = await service.sql<{ pages: number }>(
        `SELECT sum(pg_stat_get_xact_blocks_fetched(oid))::integer AS pages FROM pg_class
         WHERE relnamespace = 'public'::regnamespace`,
      );
      return row?.pages ?? 0;
    };
    await service.sql('BEGIN');
    try {
      const before = await touched();
      await insert();
      return (await touched()) - before;
    } finally {
      await service.sql('ROLLBACK');
    }
  }

  describe.each(['before PostgreSQL has looked at the tables', 'after'])('%s', (when) => {
    beforeAll(async () => {
      if (when === 'after') await service.sql('VACUUM ANALYZE');
    });

    it('are those of its webhooks, however many organisations it has', async () => {
      const pages = await pagesOf(() => webhookOfEach(`organisations WHERE id = ${customer}`));
      expect(pages).toBeLessThan(300);
    });

    it('are those of the grants that the grantee has, however many organisations it has', async () => {
      const pages = await pagesOf(() => grantOfEach(`organisations WHERE id = ${customer}`));
      // 400 grants, and of each the organisation that gives it.
      expect(pages).toBeLessThan(400 * 5);
    });
  });
});
