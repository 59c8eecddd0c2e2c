import { SettingError } from './operator-errors';

/** Of each key. */
export const KEY_BYTES = 32;
const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{43}=?$/;

/** `SECRETS_KEY` cannot be used. The reason shows no key. */
export class InvalidSecretsKey extends SettingError {
  constructor(readonly reason: string) {
    super(`SECRETS_KEY cannot be used: ${reason}`);
  }
}

/**
 * The keys of `SECRETS_KEY`: base64 of 32 bytes each, comma-separated, the current key first.
 * @throws InvalidSecretsKey
 */
export function secretsKeysIn(text: string): readonly [Buffer, ...Buffer[]] {
  if (text.trim() === '') throw new InvalidSecretsKey('no key is given');
  const keys = text.split(',').map((part, index) => keyIn(part.trim(), index + 1));
  const repeated = keys.findIndex((key, index) => keys.findIndex((other) => other.equals(key)) < index);
  if (repeated >= 0) throw new InvalidSecretsKey(`key ${repeated + 1} is given twice`);
  return keys as [Buffer, ...Buffer[]];
}

function keyIn(text: string, position: number): Buffer {
  const key = Buffer.from(text, 'base64');
  // Buffer.from skips invalid characters and ignores stray bits in the last digit.
  if (!BASE64_OF_32_BYTES.test(text) || key.toString('base64') !== text.padEnd(44, '=')) {
    throw new InvalidSecretsKey(`key ${position} is not the base64 of exactly ${KEY_BYTES} bytes`);
  }
  return key;
}
