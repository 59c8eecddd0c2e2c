import type { EntityManager } from 'typeorm';
import { ValidationFailed } from '@app/core/errors/api-error';
import { fault, type Fault } from '@app/core/errors/fault';
import { isStorableText, MAX_INTEGER, NO_IDENTIFIER } from '@app/core/wire/field.decorators';
import { ENTITY_KINDS, type EntityKind, type ImportedEntity, type MailDomain } from './entity.types';

/** Longest name of an entity and of a domain (the column's width). */
const MAX_NAME_LENGTH = 255;

/** Most domains of one mail group. */
const MAX_DOMAINS = 1000;

const NO_NAME = fault('INVALID', `This value should be a text of 1 to ${MAX_NAME_LENGTH} characters.`);

const UPSERT = `INSERT INTO entities (kind, object_id, organisation_id, name, domains)
  SELECT $1, $2, id, $4, $5::jsonb FROM organisations WHERE id = $3 AND deleted_at IS NULL
  ON CONFLICT ON CONSTRAINT entities_once DO UPDATE
    SET organisation_id = excluded.organisation_id, name = excluded.name, domains = excluded.domains
  RETURNING id`;

/**
 * Takes one entity into the register, or brings it up to date where its kind and id are there already. What comes
 * from a file is not trusted: throws {@link ValidationFailed} naming every bad field, `domains` included.
 */
export async function importEntity(manager: EntityManager, received: ImportedEntity): Promise<void> {
  const entity = checked(received);
  const domains = entity.kind === 'mailgroup' ? JSON.stringify(entity.domains ?? []) : null;
  const rows = await manager.query<object[]>(UPSERT, [
    entity.kind,
    entity.id,
    entity.organisationId,
    entity.name,
    domains,
  ]);
  if (rows.length === 0)
    throw ValidationFailed.on('organisationId', fault('DOES_NOT_EXIST', 'This organisation does not exist.'));
}

function checked(received: ImportedEntity): ImportedEntity {
  const { kind, id, name, organisationId, domains } = received;
  const errors: Record<string, readonly Fault[]> = {};
  if (!ENTITY_KINDS.includes(kind))
    errors['kind'] = [fault('NOT_A_CHOICE', `This value should be one of ${ENTITY_KINDS.join(', ')}.`)];
  if (!isIdentifier(id)) errors['id'] = [NO_IDENTIFIER];
  if (!isIdentifier(organisationId)) errors['organisationId'] = [NO_IDENTIFIER];
  if (!isName(name)) errors['name'] = [NO_NAME];
  const validateDomains = domains === undefined ? undefined : domainsError(kind, domains);
  if (validateDomains !== undefined) errors['domains'] = [validateDomains];
  if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
  return { kind, id, name, organisationId, domains: domains?.map(domainOf) };
}

function domainsError(kind: EntityKind, domains: readonly MailDomain[]): Fault | undefined {
  if (!Array.isArray(domains)) return fault('WRONG_TYPE', 'This value should be a list.');
  if (kind !== 'mailgroup')
    return domains.length === 0 ? undefined : fault('INVALID', 'Only a mail group has domains.');
  if (domains.length > MAX_DOMAINS)
    return fault('TOO_LONG', `This list should have ${MAX_DOMAINS} items or less.`);
  return domains.every(isMailDomain)
    ? undefined
    : fault('INVALID', 'Each item should have id, name, mailPrimary and domaintype.');
}

/** The known fields alone. */
const domainOf = ({ id, name, mailPrimary, domaintype }: MailDomain): MailDomain => ({
  id,
  name,
  mailPrimary,
  domaintype: { id: domaintype.id, extension: domaintype.extension },
});

const isIdentifier = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_INTEGER;

const isName = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  [...value].length <= MAX_NAME_LENGTH &&
  isStorableText(value);

function isMailDomain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, mailPrimary, domaintype } = value as Partial<MailDomain>;
  return (
    isIdentifier(id) &&
    isName(name) &&
    typeof mailPrimary === 'boolean' &&
    isIdentifier(domaintype?.id) &&
    isName(domaintype?.extension)
  );
}
