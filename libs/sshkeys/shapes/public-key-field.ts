import { Check, field, type FieldOptions } from '@app/core/wire/fields';
import { parsePublicKey, PUBLIC_KEY_MAX_BYTES, type PublicKey } from '../public-key';

/** What reading the field found wrong; a class, so that no body can pass for one. */
class UnreadableKey {
  constructor(readonly fault: string) {}
}

function readKey(value: unknown): PublicKey | UnreadableKey {
  if (typeof value !== 'string') return new UnreadableKey('This value should be a string.');
  const key = parsePublicKey(value);
  return 'fault' in key ? new UnreadableKey(key.fault) : key;
}

/** A public key in the OpenSSH one-line format, read once: the DTO holds the checked key. */
export const PublicKeyField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    false,
    readKey,
    { type: String, maxLength: PUBLIC_KEY_MAX_BYTES },
    Check('publicKey', (value) => (value instanceof UnreadableKey ? value.fault : undefined)),
  );
