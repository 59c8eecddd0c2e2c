import type { MailDomain } from '@app/people/teams/team.types';
import { coerceBoolean, coerceInteger, coerceText, MAX_INTEGER } from '@app/platform/dto/coercion';
import { isStorableText } from '@app/platform/dto/field.decorators';
import { type FieldError, fieldError } from '@app/platform/errors/api-error';

/** Maximum length of the name of an entity or domain (the column's width). */
export const MAX_NAME_LENGTH = 255;

/** Maximum domains of a mail group. */
export const MAX_DOMAINS = 1000;

/**
 * Accepts identifiers and flags as text, like all bodies. A value that is not a list is returned unchanged.
 */
export const coerceMailDomains = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(coerceMailDomain) : value;

function coerceMailDomain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { id, name, mailPrimary, domaintype } = value as Record<string, unknown>;
  const type = typeof domaintype === 'object' && domaintype !== null ? domaintype : {};
  const { id: typeId, name: typeName, extension } = type as Record<string, unknown>;
  return {
    id: coerceInteger(id),
    name: coerceText(name),
    mailPrimary: coerceBoolean(mailPrimary),
    domaintype: {
      id: coerceInteger(typeId),
      ...(typeName !== undefined && typeName !== null && { name: coerceText(typeName) }),
      extension: coerceText(extension),
    },
  };
}

export const NO_LIST = fieldError('WRONG_TYPE', 'This value should be a list.');
export const TOO_MANY_DOMAINS = fieldError('TOO_LONG', `This list should have ${MAX_DOMAINS} items or less.`);
export const NO_MAIL_DOMAINS = fieldError(
  'INVALID',
  'Each item should have id, name, mailPrimary and domaintype.',
);

export const areMailDomains = (domains: unknown): boolean =>
  Array.isArray(domains) && domains.every((item: unknown) => isMailDomain(item));

/** Checks the domains of a mail group. */
export function faultOfMailDomains(domains: unknown): FieldError | undefined {
  if (!Array.isArray(domains)) return NO_LIST;
  if (domains.length > MAX_DOMAINS) return TOO_MANY_DOMAINS;
  return areMailDomains(domains) ? undefined : NO_MAIL_DOMAINS;
}

/** A copy with only the known fields. */
export const mailDomainOf = ({ id, name, mailPrimary, domaintype }: MailDomain): MailDomain => ({
  id,
  name,
  mailPrimary,
  domaintype: {
    id: domaintype.id,
    ...(domaintype.name !== undefined && { name: domaintype.name }),
    extension: domaintype.extension,
  },
});

export const isIdentifier = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_INTEGER;

const isText = (value: unknown): boolean =>
  typeof value === 'string' && [...value].length <= MAX_NAME_LENGTH && isStorableText(value);

/** A non-blank text of at most 255 characters. */
export const isName = (value: unknown): boolean => isText(value) && (value as string).trim() !== '';

function isMailDomain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, mailPrimary, domaintype } = value as Partial<MailDomain>;
  return (
    isIdentifier(id) &&
    isName(name) &&
    typeof mailPrimary === 'boolean' &&
    isIdentifier(domaintype?.id) &&
    isName(domaintype?.extension) &&
    (domaintype?.name === undefined || isText(domaintype.name))
  );
}
