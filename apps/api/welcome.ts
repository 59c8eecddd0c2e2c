import type { VariantName } from '@app/core/settings/settings';
import type { PreparedDatabase } from './prepare-database';

interface Started {
  readonly port: number;
  readonly variant: VariantName;
  /** Whether admins can move the clock. */
  readonly testClock: boolean;
  /** How many processes serve. */
  readonly processes: number;
  readonly database: PreparedDatabase;
}

const TEST_CLOCK_LINES = [
  '  TEST CLOCK     ON: admins can move the clock of this service (POST /v1/testClock).',
  '                 For tests alone: keep customers out of this database, for ever.',
];

/** What start-up tells a person: where the service is, who the admin is, and how to log in. */
export function welcome({ port, variant, testClock, processes, database }: Started): string {
  const { admin, embedded } = database;
  const address = `http://localhost:${port}`;
  const password = admin.madeUpPassword ?? '<password>';
  const body = JSON.stringify({ username: admin.username, password });
  return [
    '',
    `Account API, Variant ${variant}, is ready at ${address}/v1`,
    `  Documentation  ${address}/docs`,
    `  Database       ${embedded ? 'embedded PostgreSQL' : 'DATABASE_URL'}`,
    ...(processes === 1 ? [] : [`  Processes      ${processes}`]),
    `  Admin          ${admin.username}`,
    ...(admin.madeUpPassword === undefined
      ? []
      : [`  Password       ${admin.madeUpPassword}   (shown this once; change it after the first login)`]),
    ...(testClock ? TEST_CLOCK_LINES : []),
    '  Log in with',
    `    curl -s ${address}/v1/login -H 'Content-Type: application/json' -d '${body}'`,
    '',
  ].join('\n');
}
