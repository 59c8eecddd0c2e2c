// npm run qa:suites: the suites of tools/qa/suites, against the deployment that QA_URL
// and so on name (docs/qa.md).
const [project] = require('../../jest.config.js').projects;

module.exports = {
  ...project,
  rootDir: '../..',
  testEnvironment: 'node',
  testRunner: 'jest-circus/runner',
  displayName: 'qa',
  testMatch: ['<rootDir>/tools/qa/suites/**/*.qa-spec.ts'],
  // A deployment takes 60 calls a minute without a credential: side by side, suites
  // would wait for each other.
  maxWorkers: 1,
  testTimeout: 180_000,
};
