import { tablesOnDisk, withClient } from './database.mjs';
import { latencyInTurns } from './load.mjs';
import { FIRST_CUSTOMER, RESELLER, seed } from './seed.mjs';
import { logIn } from './service.mjs';
import { atMost } from './table.mjs';

/**
 * Milliseconds of a page of 1,000 events at 10,000,000 rows of the log.
 * `BENCH_EVENTS=10000000` for that many.
 */
const GOAL = 50;
const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const PAGE = 1000;

const CUSTOMERS = 1000;

/** Transactions with locks, as far as the server has room. */
const WRITERS = 40;
const LOCKS_EACH = 100;

/** Pages at the beginning and far into the log, and what other transactions' locks cost. */
export async function measureFeed(stage) {
  const databaseUrl = await stage.database('bench_feed');
  const service = await stage.service(databaseUrl, { WORKER: 'off' });
  await seed(databaseUrl, CUSTOMERS);
  const began = performance.now();
  const last = await seedEvents(databaseUrl);
  console.log(`seeded ${EVENTS} events in ${Math.round((performance.now() - began) / 1000)} s`);
  const hash = await logIn(service.url);
  const page = (organisation, after, beneath) => ({
    url: `${service.url}/v1/organisations/${organisation}/events?limit=${PAGE}&after=${after}&beneath=${beneath}`,
    hash,
  });
  const far = Math.floor(last * 0.85);
  const feeds = {
    'a customer': (after) => page(FIRST_CUSTOMER + 7, after, false),
    'a customer, with those beneath': (after) => page(FIRST_CUSTOMER + 7, after, true),
    'a reseller of all, with those beneath': (after) => page(RESELLER, after, true),
    'the operator, with those beneath': (after) => page(1, after, true),
  };
  const rows = [];
  for (const [name, at] of Object.entries(feeds)) {
    await assertFull(at(far), hash);
    const [first, deep] = await latencyInTurns([at(0), at(far)], { rounds: 20, warmUp: 5 });
    const row = { 'feed, 1,000 events of': name, rows: EVENTS, 'first ms': first, 'far ms': deep };
    rows.push(atMost(row, Math.max(first, deep), GOAL, { unit: ' ms' }));
  }
  rows.push(await measureLocks(stage, databaseUrl, page(FIRST_CUSTOMER + 7, last, false)));
  return [...rows, ...(await tablesOnDisk(databaseUrl))];
}

async function assertFull({ url }, hash) {
  const response = await fetch(url, { headers: { authorization: hash } });
  const { events } = await response.json();
  // A customer has a thousandth of all events, so its last page may be shorter.
  if (response.status !== 200 || events.length < Math.min(PAGE, (EVENTS / CUSTOMERS) * 0.1))
    throw new Error(`${url}: ${response.status} with ${events?.length} events`);
}

/** An empty page, which asks for the locks of open transactions, while few and many of them are held. */
async function measureLocks(stage, databaseUrl, target) {
  const [few] = await latencyInTurns([target]);
  const clients = await Promise.all(Array.from({ length: WRITERS }, () => stage.client(databaseUrl)));
  for (const client of clients) {
    await client.query('BEGIN');
    await client.query(
      `SELECT count(pg_advisory_xact_lock_shared(n)) FROM generate_series(1, ${LOCKS_EACH}) n`,
    );
  }
  const [many] = await latencyInTurns([target]);
  for (const client of clients) await client.query('ROLLBACK');
  return {
    'an empty page': `${WRITERS} transactions hold ${LOCKS_EACH} locks each`,
    'ms without': few,
    'ms with': many,
  };
}

/**
 * Changes of users in bulk, with the audience that the trigger would have noted. Indexes are built
 * afterwards, as nobody else uses the table. Gives the last id.
 */
const seedEvents = (databaseUrl) =>
  withClient(databaseUrl, async (client) => {
    const { rows: indexes } = await client.query(`
      SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE schemaname = current_schema() AND tablename IN ('audit_log', 'event_audience')
        AND indexname NOT IN (SELECT conname FROM pg_constraint WHERE contype = 'p')`);
    await client.query(`SET work_mem = '256MB'; SET maintenance_work_mem = '512MB'`);
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
    await client.query('ALTER TABLE audit_log DISABLE TRIGGER USER');
    await client.query(`
      INSERT INTO audit_log (at, actor_user_id, action, table_name, record_id, organisation_id, before, after)
      SELECT now() - make_interval(secs => ${EVENTS} - n), 1, 'update', 'users', ${FIRST_CUSTOMER} + n % ${CUSTOMERS},
        ${FIRST_CUSTOMER} + n % ${CUSTOMERS}, '{"first_name": "Jan"}', '{"first_name": "Piet", "last_name": "de Vries"}'
      FROM generate_series(1, ${EVENTS}) n`);
    await client.query('ALTER TABLE audit_log ENABLE TRIGGER USER');
    await client.query(`
      INSERT INTO event_audience (event_id, organisation_id, beneath)
      SELECT a.id, told.organisation_id, told.organisation_id <> a.organisation_id
      FROM audit_log a CROSS JOIN LATERAL (VALUES (1), (${RESELLER}), (a.organisation_id)) told (organisation_id)
      WHERE a.before = '{"first_name": "Jan"}' ORDER BY a.id, 2`);
    for (const { definition } of indexes) await client.query(definition);
    await client.query('VACUUM ANALYZE audit_log, event_audience');
    const { rows } = await client.query('SELECT max(id) AS last FROM audit_log');
    return Number(rows[0].last);
  });
