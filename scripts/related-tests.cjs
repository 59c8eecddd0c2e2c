// @ts-check
'use strict';

/**
 * The tests that a change can break although neither their folder nor their name tells: npm run check runs
 * them. CONTRIBUTING.md prints this list, and related-tests.spec.ts holds both together.
 *
 * @typedef {{ what: string, changed: RegExp, tests: readonly string[] }} RelatedTests
 */

/** @type {readonly RelatedTests[]} */
exports.RELATED_TESTS = [
  {
    what: 'entities, shapes, migrations',
    changed: /^libs\/.*(\.(entity|columns|dto|shapes|response)\.ts$|\/shapes\/)|^libs\/migrations\//,
    tests: [
      'test/database/schema.e2e-spec.ts',
      'test/database/upgrades.e2e-spec.ts',
      'test/audit/audit-customers.e2e-spec.ts',
      'test/contract/csv.e2e-spec.ts',
      'test/contract/openapi.e2e-spec.ts',
      'test/contract/contract.e2e-spec.ts',
    ],
  },
  {
    what: 'columns of lists',
    changed: /^libs\/.*\.columns\.ts$/,
    tests: ['test/conventions/lists.e2e-spec.ts', 'test/database/list-orders.e2e-spec.ts'],
  },
  {
    what: 'controllers and privileges',
    changed: /^libs\/.*(\.controller|\/access\/privileges)\.ts$/,
    tests: [
      'test/rights/matrix.e2e-spec.ts',
      'test/contract/openapi.e2e-spec.ts',
      'test/contract/contract.e2e-spec.ts',
    ],
  },
  {
    what: 'kinds of events',
    changed: /^libs\/feeds\/events\/event\.types\.ts$/,
    tests: ['test/database/schema.e2e-spec.ts'],
  },
  {
    what: 'kinds of notifications',
    changed: /^libs\/.*\.notifications\.ts$/,
    tests: ['libs/people/notifications/notification-words.spec.ts'],
  },
  {
    what: 'bounds of mails',
    changed: /^libs\/mail\/mail-(bounds|release)/,
    tests: [
      'test/notifications/long/notifications-to-address.e2e-spec.ts',
      'test/mail/long/mail-budget.e2e-spec.ts',
    ],
  },
  {
    what: 'scenarios, their values and what runs them',
    changed: /^qa\//,
    tests: ['test/contract/contract.e2e-spec.ts', 'test/contract/openapi.e2e-spec.ts'],
  },
  {
    what: 'rules of tables',
    changed:
      /^libs\/(.*\.(lifecycle|privacy)\.ts$|lifecycle\/|service\/extensions\.module\.ts$)|^libs\/migrations\//,
    tests: [
      'test/database/owners.e2e-spec.ts',
      'test/privacy/personal-data.e2e-spec.ts',
      'test/audit/audit-customers.e2e-spec.ts',
      'test/events/events.e2e-spec.ts',
    ],
  },
];

/**
 * @param {readonly string[]} changed paths below the root
 * @returns {readonly string[]} each test once
 */
exports.relatedTo = (changed) => [
  ...new Set(
    exports.RELATED_TESTS.filter((row) => changed.some((path) => row.changed.test(path))).flatMap(
      ({ tests }) => tests,
    ),
  ),
];
