import { coerceInteger, MAX_INTEGER } from '@app/platform/dto/coercion';
import { field } from '@app/platform/dto/field.decorators';
import { refusingAtOnce, Satisfies } from '@app/platform/dto/field-checks';
import { type FieldError, fieldError } from '@app/platform/errors/api-error';
import { listOfText } from './import-kind';

/** A user in a cell: digits are an identifier, anything else a user name. */
export type UserReference = number | string;

const isIdentifier = (item: unknown): item is number =>
  Number.isInteger(item) && Number(item) > 0 && Number(item) <= MAX_INTEGER;

export const isUserReference = (item: unknown): item is UserReference =>
  isIdentifier(item) || (typeof item === 'string' && item !== '');

/**
 * A list in which a text of digits is an identifier. In one text its items are separated by commas or
 * semicolons.
 */
const ListField = (isItem: (item: unknown) => boolean, error: FieldError): PropertyDecorator =>
  field(
    {},
    {
      emptyIsAbsent: true,
      coerce: (value) => {
        const list = typeof value === 'number' ? [value] : listOfText(value);
        return Array.isArray(list) ? [...new Set(list.map(coerceInteger))] : list;
      },
      documentation: { type: 'array', items: { type: 'string' } },
      checks: [
        Satisfies('areItems', (list) => Array.isArray(list) && list.every(isItem), refusingAtOnce(error)),
      ],
    },
  );

const NO_IDENTIFIERS = fieldError('WRONG_TYPE', 'This value should be a list of identifiers.');
const NO_USERS = fieldError('WRONG_TYPE', 'This value should be a list of user names and identifiers.');

/** Identifiers of records. */
export const IdentifierListField = (): PropertyDecorator => ListField(isIdentifier, NO_IDENTIFIERS);

/** User names and identifiers of users. */
export const UserListField = (): PropertyDecorator => ListField(isUserReference, NO_USERS);

/** Most items of a list that a message shows. */
const MOST_SHOWN = 5;

/** Items of a list, for a message. */
export const listed = (items: readonly UserReference[]): string =>
  items.slice(0, MOST_SHOWN).join(', ') +
  (items.length > MOST_SHOWN ? ` and ${items.length - MOST_SHOWN} more` : '');
