// Writes docs/openapi-a.json and docs/openapi-b.json from the running service, one variant after the other, and before
// it the examples that the service shows, from the written samples of test/contract.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import { buildWhenStale, installWhenMissing, mainFile, root } from './prepare.mjs';

await installWhenMissing();
await writeExamples();
await buildWhenStale();
const dataDir = mkdtempSync(join(tmpdir(), 'account-api-docs-'));
try {
  for (const variant of ['A', 'B']) {
    const file = join(root, `docs/openapi-${variant.toLowerCase()}.json`);
    await writeJson(file, await describedBy(variant));
    console.log(`Wrote ${file}`);
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

/** The examples are a file of each variant, so that no sample and no test is part of the service. */
async function writeExamples() {
  const require = createRequire(import.meta.url);
  require('../test/support/typescript-register.cjs');
  const { interfaceExamples } = require('../test/contract/interface-examples.ts');
  for (const variant of ['A', 'B']) {
    const file = join(root, `libs/service/variants/variant-${variant.toLowerCase()}.examples.json`);
    await writeJson(file, JSON.stringify(await interfaceExamples(variant)));
  }
}

async function writeJson(file, text) {
  writeFileSync(file, await format(text, { parser: 'json', printWidth: 110 }));
}

/** The text of the description that a service of its own, on a database of its own, gives of itself. */
async function describedBy(variant) {
  const { PATH, HOME } = process.env;
  const service = spawn(process.execPath, [mainFile], {
    env: {
      PATH,
      HOME,
      API_VARIANT: variant,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      BCRYPT_COST: '4',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => service.once('close', resolve));
  try {
    const response = await fetch(`${await addressOf(service)}/docs/openapi.json`);
    if (!response.ok) throw new Error(`Variant ${variant} answers ${response.status} for its description`);
    return JSON.stringify(await response.json());
  } finally {
    service.kill('SIGTERM');
    await ended;
  }
}

function addressOf(service) {
  let output = '';
  return new Promise((resolve, reject) => {
    service.stdout.on('data', (part) => {
      output += part;
      const address = /ready at (http:\/\/localhost:\d+)/.exec(output)?.[1];
      if (address) resolve(address);
    });
    service.once('close', () => reject(new Error(`The service did not start:\n${output}`)));
  });
}
