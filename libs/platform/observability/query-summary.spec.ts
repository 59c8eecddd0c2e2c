import { summaryOf } from './tracing-sdk';

it.each([
  ['SELECT id FROM users WHERE username = $1', 'SELECT users'],
  ['SELECT "User"."id" FROM "users" "User" FOR UPDATE OF "User"', 'SELECT users'],
  ['SELECT a IS DISTINCT FROM b FROM logins', 'SELECT logins'],
  ["SELECT set_config('audit.actor', $1, true)", 'SELECT'],
  ['SELECT FROM graphile_worker.add_job($1, $2::json)', 'SELECT graphile_worker.add_job'],
  ['INSERT INTO "logins" ("id") VALUES ($1) ON CONFLICT DO UPDATE SET id = 1', 'INSERT logins'],
  ['UPDATE users SET x = 1 WHERE id IN (SELECT id FROM teams FOR UPDATE SKIP LOCKED)', 'UPDATE users'],
  ['DELETE FROM ONLY attempts', 'DELETE attempts'],
  ["WITH a AS (SELECT set_config('b', 'c', true)) UPDATE logins SET d = 1 FROM a", 'UPDATE logins'],
  ['WITH deleted AS (DELETE FROM teams RETURNING id) SELECT count(*) FROM deleted', 'DELETE teams'],
  ['WITH found AS (SELECT * FROM contacts) SELECT * FROM found', 'SELECT contacts'],
  ['START TRANSACTION', 'START TRANSACTION'],
  ['COMMIT', 'COMMIT'],
  ['/* access */ SELECT id FROM logins', 'access'],
  ['/* ssh_keys.list */ SELECT id FROM ssh_keys', 'ssh_keys.list'],
])('sums %s up as %s', (text, summary) => {
  expect(summaryOf(text).summary).toBe(summary);
});

it.each(['', "VALUES ('secret')", 'SELECT 1'])('says nothing of what it cannot read: %j', (text) => {
  expect(summaryOf(text).summary).toMatch(/^[A-Z]*$/);
});
