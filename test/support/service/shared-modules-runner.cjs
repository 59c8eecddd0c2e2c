// Runs a test file for jest with the modules of the service that files before it have loaded
// (shared-modules-environment.cjs): Node loads them, not jest. Only the files of test/ are loaded anew for
// each test file: they declare tests and hooks.
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { default: runTestFile } = require('jest-circus/runner');
const sharesServices = require('./shares-services.cjs');
const typescript = require('../../../scripts/typescript-register.cjs');

const tests = join(__dirname, '../../');
/** What jest-circus keeps on the global object for one file. */
const STATE_OF_JEST = /^(?:JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|\w+_RETRY|RETRY_\w+)$/;
/** The map of shared-services.ts. */
const sharedServices = new Map();
/** These work in jest's registry of modules, which is not asked here. */
const OF_REGISTRY = ['mock', 'doMock', 'unstable_mockModule', 'setMock', 'resetModules', 'isolateModules'];

module.exports = async (globalConfig, config, environment, runtime, testPath, sendMessage) => {
  if (!sharesServices(testPath)) await stopSharedServices();
  if (environment.sharesModules) shareModules(runtime, testPath);
  return runTestFile(globalConfig, config, environment, runtime, testPath, sendMessage);
};

// jest-worker stops to listen to its parent when there are no more tests. The services that the files shared
// would keep the worker running.
process.on('removeListener', (event) => {
  if (event === 'message' && sharedServices.size > 0 && process.listenerCount(event) === 0) process.exit();
});

function shareModules(runtime, testPath) {
  globalThis.sharedServices = sharedServices;
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

/** A file with services of its own may count the statements or connections of the process. */
async function stopSharedServices() {
  const started = [...sharedServices.values()];
  sharedServices.clear();
  for (const service of started) await (await service).stop();
}

function forget(isChosen) {
  for (const path of Object.keys(require.cache)) if (isChosen(path)) delete require.cache[path];
}

function refuse(name) {
  throw new Error(`For jest.${name} a test file begins with /** @jest-environment node */`);
}
