import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingError } from '../settings/setting-error';
import type { Settings } from '../settings/settings';
import { SecretsKeyring } from './encryption';

/**
 * The keys for secrets at rest: `SECRETS_KEY`, or with the embedded PostgreSQL one that is made up once and
 * kept beside its data. Processes that start at the same time agree on the one that was written first.
 */
export function secretsKeyOf(settings: Pick<Settings, 'secretsKey' | 'dataDir'>): string {
  if (settings.secretsKey !== undefined) return settings.secretsKey;
  const file = join(settings.dataDir, 'secrets.key');
  mkdirSync(settings.dataDir, { recursive: true });
  try {
    writeFileSync(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

/** Throws a {@link SettingError} that says what is wrong with the key. */
export function checkSecretsKey(secretsKey: string): void {
  try {
    SecretsKeyring.parse(secretsKey);
  } catch (error) {
    throw new SettingError('SECRETS_KEY', `can not be used: ${(error as Error).message}`);
  }
}
