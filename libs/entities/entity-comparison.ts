import type { EntityManager } from 'typeorm';
import { differences } from '@app/core/imports/import-fields';
import { absent, present, type Finding } from '@app/core/imports/import-kind';
import type { MailDomain } from '@app/teams/mail-domain.types';
import type { EntityKind, ImportedEntity } from './entity.types';

/** What a row of a file says: how an entity is, or that it is gone. */
export interface EntityRow {
  readonly entity: ImportedEntity;
  readonly isRemoved: boolean;
}

interface StoredEntity {
  readonly kind: EntityKind;
  readonly id: number;
  readonly name: string;
  readonly organisationId: number;
  readonly domains: readonly MailDomain[] | null;
}

/** What the register has for rows of a file, which are not checked yet. */
export async function findEntities(manager: EntityManager, rows: readonly EntityRow[]): Promise<Finding[]> {
  const ids = rows.map(({ entity }) => entity.id).filter((id) => Number.isInteger(id));
  const stored = await manager.query<StoredEntity[]>(
    `SELECT kind, object_id AS id, name, organisation_id AS "organisationId", domains
     FROM entities WHERE object_id = ANY ($1::bigint[])`,
    [ids],
  );
  const byKey = new Map(stored.map((entity) => [`${entity.kind} ${entity.id}`, entity]));
  return rows.map(({ entity, isRemoved }) => {
    const found = byKey.get(`${entity.kind} ${entity.id}`);
    if (isRemoved) return present(found === undefined ? [] : ['removed']);
    if (found === undefined) return absent(entity);
    const { name, organisationId, domains = [] } = entity;
    return present(
      differences({ name, organisationId, domains }, { ...found, domains: found.domains ?? [] }),
    );
  });
}
