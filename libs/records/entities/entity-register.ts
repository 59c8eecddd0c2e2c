import type { EntityManager } from 'typeorm';
import { removeFromAllTeams } from '@app/people/teams/teams.lifecycle';
import { NO_IDENTIFIER } from '@app/platform/dto/field.decorators';
import {
  type ErrorsByField,
  type FieldError,
  fieldError,
  ValidationFailed,
} from '@app/platform/errors/api-error';
import { ENTITY_KINDS, type EntityKind, type ImportedEntity, KIND_IN_PATHS } from './entity.types';
import { faultOfMailDomains, isIdentifier, isName, mailDomainOf, MAX_NAME_LENGTH } from './mail-domains';
import { RegisteredEntity } from './registered-entity.entity';

const NO_NAME = fieldError('INVALID', `This value should be a text of 1 to ${MAX_NAME_LENGTH} characters.`);
const NO_KIND = fieldError('NOT_A_CHOICE', `This value should be one of ${ENTITY_KINDS.join(', ')}.`);

const UPSERT = `INSERT INTO entities (kind, object_id, organisation_id, name, domains)
  SELECT $1, $2, id, $4, $5::jsonb FROM organisations WHERE id = $3 AND deleted_at IS NULL
  ON CONFLICT ON CONSTRAINT entities_once DO UPDATE
    SET organisation_id = excluded.organisation_id, name = excluded.name,
      domains = CASE WHEN $6 THEN entities.domains ELSE excluded.domains END
  RETURNING id`;

interface RegisterOptions {
  /** Absent domains do not change; otherwise they are removed. */
  readonly keepsDomains?: boolean;
}

/**
 * Adds an entity to the register, or updates the entity with the same kind and id. Validates every field,
 * because the data may come from a file, and throws {@link ValidationFailed} with all bad fields.
 */
export async function registerEntity(
  manager: EntityManager,
  received: ImportedEntity,
  { keepsDomains = false }: RegisterOptions = {},
): Promise<void> {
  const { kind, id, name, organisationId, domains } = checked(received);
  const rows = await manager.query<object[]>(UPSERT, [
    kind,
    id,
    organisationId,
    name,
    kind === 'mailgroup' ? JSON.stringify(domains ?? []) : null,
    keepsDomains && domains === undefined,
  ]);
  if (rows.length === 0) {
    throw ValidationFailed.on(
      'organisationId',
      fieldError('DOES_NOT_EXIST', 'This organisation does not exist.'),
    );
  }
}

/** Removes an entity from the register and from all teams. Returns false if the register does not have it. */
export async function removeEntity(
  manager: EntityManager,
  received: Pick<ImportedEntity, 'kind' | 'id'>,
): Promise<boolean> {
  const errors = faultsOfKey(received);
  if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
  const { kind, id } = received;
  const { affected } = await manager.delete(RegisteredEntity, { kind, objectId: id });
  if (affected === 0) return false;
  await removeFromAllTeams(manager, KIND_IN_PATHS[kind], id);
  return true;
}

function checked(received: ImportedEntity): ImportedEntity {
  const errors = faultsOfEntity(received);
  if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
  const { kind, id, name, organisationId, domains } = received;
  return { kind, id, name, organisationId, domains: domains?.map(mailDomainOf) };
}

/** Errors in the fields of an entity, by field. */
export function faultsOfEntity(received: ImportedEntity): ErrorsByField {
  const { kind, name, organisationId, domains } = received;
  const faulty = domains === undefined ? undefined : faultOfDomains(kind, domains);
  return {
    ...faultsOfKey(received),
    ...(!isIdentifier(organisationId) && { organisationId: [NO_IDENTIFIER] }),
    ...(!isName(name) && { name: [NO_NAME] }),
    ...(faulty !== undefined && { domains: [faulty] }),
  };
}

/** Errors in the fields of a removal. */
export function faultsOfKey({ kind, id }: Pick<ImportedEntity, 'kind' | 'id'>): ErrorsByField {
  return {
    ...(!ENTITY_KINDS.includes(kind) && { kind: [NO_KIND] }),
    ...(!isIdentifier(id) && { id: [NO_IDENTIFIER] }),
  };
}

function faultOfDomains(kind: EntityKind, domains: unknown): FieldError | undefined {
  if (kind === 'mailgroup' || !Array.isArray(domains)) return faultOfMailDomains(domains);
  return domains.length === 0 ? undefined : fieldError('INVALID', 'Only a mail group has domains.');
}
