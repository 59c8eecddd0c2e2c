/** The specs beside the code that stryker.conf.json mutates: no databases, and nothing that takes seconds a mutant. */
const { projects } = require('./jest.config.js');

const unit = projects.find(({ displayName }) => displayName === 'unit');

module.exports = {
  ...unit,
  testMatch: ['<rootDir>/libs/core/{access,paging,secrets,wire}/**/*.spec.ts'],
};
