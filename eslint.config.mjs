import eslint from '@eslint/js';
import stylistic from '@stylistic/eslint-plugin';
import { defineConfig, globalIgnores } from 'eslint/config';
import prettier from 'eslint-config-prettier';
import importSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

const nodeGlobals = Object.fromEntries(
  [
    'process',
    'console',
    'Buffer',
    'URL',
    'URLSearchParams',
    'fetch',
    'performance',
    'structuredClone',
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'setImmediate',
    'AbortController',
    'AbortSignal',
    'TextEncoder',
    'TextDecoder',
  ].map((name) => [name, 'readonly']),
);
const commonJsGlobals = { require: 'readonly', module: 'writable', __dirname: 'readonly' };

/** A literal within a literal of its kind: its members stand on the outer one's lines. */
const spreadLiterals = [
  { selector: 'ObjectExpression > SpreadElement > ObjectExpression', message: 'Write the fields out.' },
  { selector: 'ArrayExpression > SpreadElement > ArrayExpression', message: 'Write the elements out.' },
];

// Without Variant B (npm run remove:variant-b) a variant is 'A' alone, and a comparison with 'B' does not
// compile.
const comparedWithB = [
  {
    selector: 'BinaryExpression[operator=/^[!=]==$/] > Literal[value="B"]',
    message: "Compare with 'A': the tree without Variant B does not compile otherwise.",
  },
];

// graphile-worker may change its private tables with any release.
const privateTables = [
  'Literal[value=/graphile_worker\\._private_/]',
  'TemplateElement[value.raw=/graphile_worker\\._private_/]',
].map((selector) => ({
  selector,
  message: 'Only libs/platform/jobs/job-tables.ts names the private tables of graphile-worker.',
}));

export default defineConfig(
  globalIgnores(['dist/', '.data/', 'coverage/', 'reports/', 'docs/']),
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    // Rules that need types stand in .oxlintrc.json: they took two minutes here.
    extends: [tseslint.configs.recommended],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      // consistent-type-imports stays off: with `import type`, Nest finds no constructor types to inject.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // Tables add their words to an interface of the ground: their names are its members.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      // Modules of Nest are classes without a body.
      '@typescript-eslint/no-extraneous-class': 'off',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read settings through config/env.ts.' },
      ],
      eqeqeq: 'error',
      'no-console': 'error',
      'no-duplicate-imports': 'error',
    },
  },
  {
    files: ['**/*.{ts,mjs,js,cjs}'],
    plugins: { 'simple-import-sort': importSort },
    rules: {
      // Longer files hold more than one thing.
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'simple-import-sort/imports': [
        'error',
        // Built-ins, packages, @app/…, relative. What is imported for its effect stays first.
        { groups: [['^\\u0000', '^node:', '^@?\\w', '^@app/', '^\\.']] },
      ],
      'no-restricted-syntax': ['error', ...spreadLiterals, ...privateTables, ...comparedWithB],
    },
  },
  {
    // Tests and written samples of one subject share its set-up, which costs seconds a file.
    files: ['test/**/*.e2e-spec.ts', 'qa/responses.ts', 'qa/scenarios/*.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    files: ['libs/platform/jobs/job-tables.ts', 'test/support/service/jobs.ts'],
    rules: { 'no-restricted-syntax': ['error', ...spreadLiterals, ...comparedWithB] },
  },
  {
    // No column reaches a client because somebody added it to a table: responses are written field by field.
    files: ['libs/**/shapes/**/*.ts', 'libs/**/*.{response,dto,shapes}.ts'],
    ignores: ['**/*.decorators.ts', '**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '\\.entity$',
              allowTypeImports: true,
              message: 'Shapes know the types of entities, never entities: move constants to *.types.ts.',
            },
          ],
        },
      ],
      'no-restricted-syntax': [
        'error',
        ...spreadLiterals,
        ...privateTables,
        ...comparedWithB,
        {
          selector: 'ObjectExpression > SpreadElement > Identifier',
          message:
            'Write the fields of a shape one by one. The facts of one may be spread: `...RECORD.field`, not `...RECORD`.',
        },
      ],
    },
  },
  {
    files: [
      'config/**',
      'scripts/**',
      'tools/**/*.mjs',
      'tools/**/*.cjs',
      'test/**',
      'tools/qa/suite.ts',
      '**/*.spec.ts',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  // The commands of the operator speak on standard output.
  {
    files: ['apps/cli/**', 'scripts/**', 'tools/**/*.mjs', 'tools/**/*.cjs'],
    rules: { 'no-console': 'off' },
  },
  { files: ['**/*.mjs'], languageOptions: { globals: nodeGlobals } },
  {
    files: ['**/*.js', '**/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: { ...nodeGlobals, ...commonJsGlobals } },
  },
  prettier,
  {
    // After the settings of Prettier, which switch the rule off.
    files: ['**/*.{ts,mjs,js,cjs}'],
    plugins: { '@stylistic': stylistic },
    rules: {
      // Prettier breaks code, but no comment.
      '@stylistic/max-len': [
        'error',
        {
          code: 110,
          comments: 110,
          ignoreUrls: true,
          ignoreStrings: true,
          ignoreTemplateLiterals: true,
          ignoreRegExpLiterals: true,
        },
      ],
    },
  },
);
