// The environment of all tests: test files of one worker share the modules of the service, which take
// longer to load than most files take to run. The files run in the context of the process, as the
// service does, one after another.
//
// A file that replaces modules (jest.mock) needs jest's own registry: it begins with /**
// @jest-environment node */.
const { TestEnvironment } = require('jest-environment-node');

class SharedModulesEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const { collectCoverage, watch, watchAll } = config.globalConfig;
    // Coverage needs jest's own transformer; sources change while jest watches.
    if (collectCoverage || watch || watchAll) return;
    this.sharesModules = true;
    // jest's own helpers go on in the context that it has made.
    this.global = globalThis;
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    this.fakeTimersModern.dispose();
    this.fakeTimersModern = new this.fakeTimersModern.constructor({
      config: config.projectConfig,
      global: globalThis,
    });
    // jest replaces both for each file.
    this.replaced = { console: globalThis.console, exit: process.exit, env: { ...process.env } };
  }

  async teardown() {
    if (this.sharesModules) {
      this.moduleMocker.restoreAllMocks();
      const { console, exit, env } = this.replaced;
      Object.assign(globalThis, { console });
      process.exit = exit;
      for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
      Object.assign(process.env, env);
    }
    await super.teardown();
  }
}

module.exports = SharedModulesEnvironment;
