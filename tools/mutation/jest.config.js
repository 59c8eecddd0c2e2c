/**
 * The specs beside the code that tools/mutation/stryker.conf.json mutates: no databases, and nothing
 * that takes seconds a mutant.
 */
const { projects } = require('../../jest.config.js');

const unit = projects.find(({ displayName }) => displayName === 'unit');

module.exports = {
  ...unit,
  rootDir: '../..',
  testEnvironment: 'node',
  testRunner: 'jest-circus/runner',
  testMatch: ['<rootDir>/libs/{security,platform}/**/*.spec.ts'],
};
