/** Packages that exist as ES modules only, which jest cannot require on Node 20: compiled like our code. */
const esModulePackages = [
  '@nestjs',
  '@scure',
  '@noble',
  'otplib',
  '@otplib',
  'file-type',
  'strtok3',
  'token-types',
  '@tokenizer',
  'uint8array-extras',
  'stream-chain',
  'stream-json',
];

const compilerOptions = {
  target: 'es2023',
  keepClassNames: true,
  transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
};

const project = {
  testEnvironment: '<rootDir>/test/support/service/shared-modules-environment.cjs',
  // What shared modules keep on the global scope stays with them from file to file.
  testEnvironmentOptions: { globalsCleanup: 'off' },
  testRunner: '<rootDir>/test/support/service/shared-modules-runner.cjs',
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  moduleNameMapper: { '^@app/(config/.*)$': '<rootDir>/$1', '^@app/(.*)$': '<rootDir>/libs/$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { ...compilerOptions, parser: { syntax: 'typescript', decorators: true } },
        module: { type: 'commonjs' },
        sourceMaps: true,
      },
    ],
    '\\.m?js$': [
      '@swc/jest',
      {
        jsc: { target: 'es2023', parser: { syntax: 'ecmascript' } },
        module: { type: 'commonjs' },
        sourceMaps: true,
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esModulePackages.join('|')})/)`],
};

module.exports = {
  maxWorkers: 2,
  testSequencer: '<rootDir>/test/support/service/slowest-first.cjs',
  // Jest keeps something of every file that a worker has run: after dozens of them
  // collecting garbage takes seconds.
  workerIdleMemoryLimit: '1GB',
  // For a busy machine: no test waits for a timeout to end. Some start dozens of
  // processes, one after the other.
  testTimeout: 600_000,
  projects: [
    {
      ...project,
      displayName: 'unit',
      testMatch: ['<rootDir>/{libs,apps,config,qa,scripts,tools}/**/*.spec.ts'],
    },
    {
      ...project,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'],
      globalSetup: '<rootDir>/test/support/service/jest-global-setup.ts',
      globalTeardown: '<rootDir>/test/support/service/jest-global-teardown.ts',
    },
  ],
};
