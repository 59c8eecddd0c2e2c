import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { importEntity } from '@app/entities/entity-import';
import type { ImportedEntity } from '@app/entities/entity.values';
import type { TestService } from './service';

/** Takes entities into the register, in one transaction, the way the import does. */
export const register = (service: TestService, ...entities: ImportedEntity[]): Promise<void> =>
  service.app.get<DataSource>(getDataSourceToken()).transaction(async (manager) => {
    for (const entity of entities) await importEntity(manager, entity);
  });
