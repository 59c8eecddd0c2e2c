import type { VariantName } from '@app/core/settings/settings';
import type { FirstAdmin } from './bootstrap-database';

interface Started {
  readonly port: number;
  readonly variant: VariantName;
  readonly admin: FirstAdmin;
  /** Whether admins can move the clock. */
  readonly testClock: boolean;
  /** Whether the database is the embedded one. */
  readonly embedded: boolean;
}

const TEST_CLOCK_LINES = [
  '  TEST CLOCK     ON: admins can move the clock of this service (POST /v1/testClock).',
  '                 For tests alone: keep customers out of this database, for ever.',
];

/** What start-up tells a person: where the service is, who the admin is, and how to log in. */
export function welcome({ port, variant, testClock, admin, embedded }: Started): string {
  const address = `http://localhost:${port}`;
  const password = admin.madeUpPassword ?? '<password>';
  const body = JSON.stringify({ username: admin.username, password });
  return [
    '',
    `Account API, Variant ${variant}, is ready at ${address}/v1`,
    `  Documentation  ${address}/docs`,
    `  Database       ${embedded ? 'embedded PostgreSQL' : 'DATABASE_URL'}`,
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
