import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { registerEntity } from '@app/entities/entity-register';
import type { ImportedEntity } from '@app/entities/entity.types';
import type { TestService } from './service';

/** Takes entities into the register, in one transaction, the way the import does. */
export const register = (service: TestService, ...entities: ImportedEntity[]): Promise<void> =>
  service.app.get<DataSource>(getDataSourceToken()).transaction(async (manager) => {
    for (const entity of entities) await registerEntity(manager, entity);
  });

export interface StoredEntity {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly domains: object[] | null;
}

/** The register's entities of an organisation, by kind and id. */
export const registeredEntities = (service: TestService, organisationId: number): Promise<StoredEntity[]> =>
  service.sql<StoredEntity>(
    'SELECT kind, object_id AS id, name, domains FROM entities WHERE organisation_id = $1 ORDER BY kind, object_id',
    [organisationId],
  );
