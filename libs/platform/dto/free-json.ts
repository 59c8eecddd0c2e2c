import { fieldError } from '../errors/api-error';
import { isStorableText } from './field.decorators';

/** JSON of a client, which the service stores and does not read. The body parser limits its depth. */

export const INEXACT_NUMBER = fieldError(
  'WRONG_TYPE',
  'This value should hold no number beyond ±9007199254740991, whose digits would be lost: send it as text.',
);

/** Whether names and texts at every depth can be stored. */
export function holdsStorableText(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isStorableText(value);
  return Object.entries(value).every(([name, held]) => isStorableText(name) && holdsStorableText(held));
}

/** Whether every number is as it was sent: beyond 2^53 − 1 it has become another one (rule requests 21). */
export function holdsExactNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value !== 'object' || value === null || Object.values(value).every(holdsExactNumbers);
}
