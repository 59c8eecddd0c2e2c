import { fault, type Fault } from '@app/core/errors/fault';
import { Check, field } from '@app/core/wire/field.decorators';
import { parsePublicKey, PUBLIC_KEY_MAX_BYTES, type PublicKey } from '../public-key';
import { SSH_KEY } from './ssh-key.properties';

/** What reading the field found wrong; a class, so that no body can pass for one. */
class UnreadableKey {
  constructor(readonly error: Fault) {}
}

function readKey(value: unknown): PublicKey | UnreadableKey {
  if (typeof value !== 'string')
    return new UnreadableKey(fault('WRONG_TYPE', 'This value should be a string.'));
  const key = parsePublicKey(value);
  return 'error' in key ? new UnreadableKey(key.error) : key;
}

/** A public key in the OpenSSH one-line format, read once: the DTO holds the checked key. */
export const PublicKeyField = (): PropertyDecorator =>
  field(
    { required: true, ...SSH_KEY.content },
    false,
    readKey,
    { type: String, maxLength: PUBLIC_KEY_MAX_BYTES },
    Check('publicKey', (value) => (value instanceof UnreadableKey ? value.error : undefined)),
  );
