/**
 * The folders of libs/, with config/, and the domains in them. Each may import those before it, never those
 * after it. When the code needs another order, change it here.
 */
const folders = {
  formats: [],
  config: [],
  platform: [],
  migrations: [],
  'embedded-postgres': [],
  lifecycle: [],
  security: [],
  mail: [],
  people: [
    'organisations',
    'users',
    'notifications',
    'teams',
    'acls',
    'contacts',
    'suspensions',
    'invitations',
    'preferences',
    'brands',
  ],
  'sign-in': [
    'auth',
    'recovery',
    'username-links',
    'login-notices',
    'logins',
    'tokens2fa',
    'passkeys',
    'keys',
    'apikeys',
    'servicekeys',
    'support',
    'login-links',
    'sshkeys',
  ],
  feeds: ['audit', 'events', 'webhooks'],
  records: ['entities', 'documents', 'reference', 'privacy'],
  rights: ['introspection', 'access-list'],
  edge: ['usage', 'idempotency', 'pages', 'test-clock', 'not-implemented'],
  service: [],
};

const domains = Object.entries(folders).flatMap(([folder, names]) =>
  names.length === 0 ? [folder] : names.map((name) => `${folder}/${name}`),
);

/** The settings have the folder of their own that stands beside libs/. */
const folderOf = (name) => (name === 'config' ? name : `libs/${name}`);

const anyOf = (names) => `^(${names.map(folderOf).join('|')})/`;

const domainOrder = domains.slice(0, -1).map((domain, position) => ({
  name: `order-of-${domain}`,
  comment: `${folderOf(domain)} imports only domains before it in the order of .dependency-cruiser.cjs`,
  severity: 'error',
  from: { path: anyOf([domain]) },
  to: { path: anyOf(domains.slice(position + 1)) },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'modules that import each other cannot be loaded or understood one at a time',
      severity: 'error',
      from: { path: '^(libs|apps|config)/' },
      // `import type` leaves nothing at run time: both sides of a relation between entities need it.
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-circular-settings',
      comment: 'who reads the settings reads them in one direction, types too',
      severity: 'error',
      from: { path: '^config/' },
      to: { circular: true },
    },
    ...domainOrder,
    {
      name: 'variant-a-by-itself',
      comment: 'what is the same in both variants stands in shared/',
      severity: 'error',
      from: { path: '/variant-a/' },
      to: { path: '/variant-b[/.]' },
    },
    {
      name: 'variant-b-only-from-its-choice',
      comment: 'removing Variant B is deleting its folders and the lines of the files that choose it',
      severity: 'error',
      from: {
        path: '^(libs|apps|config)/',
        pathNot:
          '/variant-b/|^libs/service/variants/variant-b\\.ts$|^apps/cli/commands/variants\\.command\\.ts$|\\.spec\\.ts$',
      },
      to: { path: '/variant-b/' },
    },
    {
      name: 'variant-b-without-a',
      severity: 'error',
      from: { path: '/variant-b/' },
      to: { path: '/variant-a/' },
    },
    {
      name: 'apps-by-themselves',
      comment: 'what two apps need is a lib',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'domain-has-a-place',
      comment: 'add a new folder of libs/ to the order in .dependency-cruiser.cjs',
      severity: 'error',
      from: { path: '^libs/', pathNot: anyOf(domains) },
      to: {},
    },
    {
      name: 'libs-without-apps',
      severity: 'error',
      from: { path: '^(libs|config)/' },
      to: { path: '^apps/' },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { path: '^(libs|apps|config)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(qa|test|tools)/|\\.spec\\.ts$' },
    },
    {
      name: 'qa-by-itself',
      comment: 'qa/ says what any deployment answers: it imports neither the service nor the tests of it',
      severity: 'error',
      from: { path: '^qa/' },
      to: { path: '^(apps|config|libs|scripts|test|tools)/' },
    },
    {
      name: 'qa-tool-without-tests',
      comment: 'the QA tool and the tests take what both need from qa/',
      severity: 'error',
      from: { path: '^tools/qa/' },
      to: { path: '^(apps|config|libs|test)/' },
    },
    {
      name: 'tests-without-qa-tool',
      comment: 'only the tests of the tool import it; other tests take what both need from qa/',
      severity: 'error',
      from: { path: '^(apps|config|libs|test)/', pathNot: '^test/tools/' },
      to: { path: '^tools/qa/' },
    },
    {
      name: 'no-barrels',
      comment: 'import the file that defines the name',
      severity: 'error',
      from: {},
      to: { path: ['^libs/index\\.ts$', '^libs/.+/index\\.ts$'] },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules|coverage|reports)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'import', 'default', 'types'],
    },
    cache: { folder: 'node_modules/.cache/dependency-cruiser', strategy: 'content' },
  },
};
