import { AccessDenied } from '@app/platform/errors/api-error';
import type { Caller } from './caller';

/** 403: a key would do what asks for a person. */
export const keyRefused = (refused: string): AccessDenied =>
  new AccessDenied(`An API key or service key cannot ${refused}`, 'API_KEY_REFUSED');

/**
 * Throws 403 for a key that would do what asks for a person, because it would outlive the limits of the key.
 */
export function assertByPerson({ credential }: Pick<Caller, 'credential'>, refused: string): void {
  if (credential.kind !== 'login') throw keyRefused(refused);
}
