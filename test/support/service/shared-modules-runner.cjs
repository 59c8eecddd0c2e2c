// Runs a test file for jest with the modules of the service that files before it have loaded
// (shared-modules-environment.cjs): Node loads them, not jest. Only the files of test/ are loaded anew for
// each test file: they declare tests and hooks.
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { default: runTestFile } = require('jest-circus/runner');
const typescript = require('./typescript-register.cjs');

const tests = join(__dirname, '../../');
/** What jest-circus keeps on the global object for one file. */
const STATE_OF_JEST = /^(?:JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|\w+_RETRY|RETRY_\w+)$/;
/** These work in jest's registry of modules, which is not asked here. */
const OF_REGISTRY = ['mock', 'doMock', 'unstable_mockModule', 'setMock', 'resetModules', 'isolateModules'];

module.exports = async (globalConfig, config, environment, runtime, testPath, sendMessage) => {
  if (environment.sharesModules) shareModules(runtime, testPath);
  return runTestFile(globalConfig, config, environment, runtime, testPath, sendMessage);
};

function shareModules(runtime, testPath) {
  forget((path) => path.startsWith(tests) && !path.endsWith('.cjs'));
  forget((path) => path.includes('/node_modules/jest-circus/build/jestAdapterInit'));
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (STATE_OF_JEST.test(symbol.description)) delete globalThis[symbol];
  }
  const refused = OF_REGISTRY.map((name) => [name, () => refuse(name)]);
  const { jest } = runtime.requireModuleOrMock(testPath, '@jest/globals');
  globalThis.jest = Object.assign(jest, Object.fromEntries(refused));
  // jest reads the map of a file when it shows a trace.
  const maps = runtime.getSourceMaps();
  for (const [path, map] of typescript.sourceMaps) maps.set(path, map);
  typescript.sourceMaps = maps;
  runtime.requireInternalModule = runtime.requireModule = (from, name) =>
    name === undefined ? require(from) : createRequire(from)(name);
}

function forget(isChosen) {
  for (const path of Object.keys(require.cache)) if (isChosen(path)) delete require.cache[path];
}

function refuse(name) {
  throw new Error(`For jest.${name} a test file begins with /** @jest-environment node */`);
}
