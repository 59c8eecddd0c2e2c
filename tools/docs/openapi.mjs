// Writes docs/openapi-a.json and docs/openapi-b.json from the running service, one variant after the other.
// Before that it writes the examples that the service shows, from the written samples of qa/scenarios.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBuilt } from '../../scripts/built-service.mjs';
import { buildWhenStale } from '../../scripts/prepare.mjs';

/** `write` takes a path below the root and JSON as text. */
export async function writeDescriptions(write) {
  await writeExamples(write);
  await buildWhenStale();
  const dataDir = mkdtempSync(join(tmpdir(), 'account-api-docs-'));
  try {
    for (const variant of ['A', 'B']) {
      await write(`docs/openapi-${variant.toLowerCase()}.json`, await describedBy(variant, dataDir));
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The examples of each variant are a file, so that no sample and no test is part of the service. */
async function writeExamples(write) {
  const require = createRequire(import.meta.url);
  const { interfaceExamples } = require('./interface-examples.ts');
  for (const variant of ['A', 'B']) {
    const file = `libs/service/variants/variant-${variant.toLowerCase()}.examples.json`;
    await write(file, JSON.stringify(await interfaceExamples(variant)));
  }
}

/** The description that a service of its own, on a database of its own, gives of itself. */
async function describedBy(variant, dataDir) {
  const { PATH, HOME } = process.env;
  const { url, stop } = await startBuilt({
    PATH,
    HOME,
    API_VARIANT: variant,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    BCRYPT_COST: '4',
    PASSKEY_RP_ID: 'example.com',
    PASSKEY_ORIGINS: 'https://panel.example.com',
  });
  try {
    const response = await fetch(`${url}/docs/openapi.json`);
    if (!response.ok) throw new Error(`Variant ${variant} answers ${response.status}`);
    return await response.text();
  } finally {
    await stop();
  }
}
