// npm run lint:openapi: the OpenAPI documents against the recommended rules of Redocly
// (docs/redocly.yaml), without network.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { execute } from './run.mjs';
import { readWords } from './words.mjs';

readWords('npm run lint:openapi');

const documents = readdirSync(join(root, 'docs')).filter((name) => /^openapi-.*\.json$/.test(name));
const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js');
const { status, output } = await execute(
  process.execPath,
  [redocly, 'lint', '--config', 'docs/redocly.yaml', ...documents.map((name) => `docs/${name}`)],
  {
    cwd: root,
    collect: true,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
);
console.log(status === 0 ? `${documents.join(' and ')} follow the rules` : output.trim());
process.exitCode = status;
