import { Injectable } from '@nestjs/common';
import { Transactions } from '@app/core/database/transactions';
import { NotFound } from '@app/core/errors/api-error';
import { registerEntity, removeEntity } from './entity-register';
import type { EntityKind } from './entity.types';
import type { EntityInput } from './entity-registration.types';

/** What other areas of the panel say of an entity at the moment when it changes. */
@Injectable()
export class EntityRegistrationService {
  constructor(private readonly transactions: Transactions) {}

  async put(kind: EntityKind, id: number, input: EntityInput): Promise<void> {
    await this.transactions.run((manager) =>
      registerEntity(manager, { kind, id, ...input }, { keepsDomains: true }),
    );
  }

  async remove(kind: EntityKind, id: number): Promise<void> {
    const wasThere = await this.transactions.run((manager) => removeEntity(manager, { kind, id }));
    if (!wasThere) throw new NotFound('Entity');
  }
}
