import { fieldError } from '../errors/api-error';
import type { QueryText } from './route-declaration';

const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const NO_SWITCH = fieldError('NOT_A_CHOICE', 'This value should be true or false.');

/** A parameter of the query string that is true or false, and false if it is absent. */
export const querySwitch = (
  parameter: Pick<QueryText, 'name' | 'description' | 'maxLength'>,
): QueryText<boolean> => ({
  ...parameter,
  example: 'true',
  schema: { type: 'boolean', default: false },
  check: (text) => (SWITCHES.has(text) ? undefined : NO_SWITCH),
  toValue: (text) => SWITCHES.get(text) === true,
});
