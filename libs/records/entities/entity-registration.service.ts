import { Injectable } from '@nestjs/common';
import { Transactions } from '@app/platform/database/transactions';
import { NotFound } from '@app/platform/errors/api-error';
import type { RequestContext } from '@app/security/context/request-context';
import type { EntityInput, EntityKind } from './entity.types';
import { registerEntity, removeEntity } from './entity-register';

/** Receives changes of entities from the other areas of the panel. */
@Injectable()
export class EntityRegistrationService {
  constructor(private readonly transactions: Transactions) {}

  async put(ctx: RequestContext, kind: EntityKind, id: number, input: EntityInput): Promise<void> {
    await this.transactions.run(ctx, (manager) =>
      registerEntity(manager, { kind, id, ...input }, { keepsDomains: true }),
    );
  }

  async remove(ctx: RequestContext, kind: EntityKind, id: number): Promise<void> {
    const wasThere = await this.transactions.run(ctx, (manager) => removeEntity(manager, { kind, id }));
    if (!wasThere) throw new NotFound('Entity');
  }
}
