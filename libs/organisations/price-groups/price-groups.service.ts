import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { insertReturningId } from '@app/core/database/insert-returning-id';
import { Transactions } from '@app/core/database/transactions';
import { NotFound } from '@app/core/errors/api-error';
import { Organisation } from '../organisation.entity';
import { PriceGroup } from '../price-group.entity';
import { DefaultPriceGroupStays, PriceGroupInUse } from './price-groups.errors';

/** The one that organisations get where nobody says another. */
const DEFAULT_PRICE_GROUP = 1;

/** What admins say of a price group. */
export type PriceGroupInput = Pick<PriceGroup, 'description'>;

/** What organisations are invoiced by: the operator's own words, in no other language than theirs. */
@Injectable()
export class PriceGroupsService {
  constructor(
    @InjectRepository(PriceGroup) private readonly groups: Repository<PriceGroup>,
    private readonly transactions: Transactions,
  ) {}

  list(): Promise<PriceGroup[]> {
    return this.groups.find({ order: { id: 'ASC' } });
  }

  async create({ description }: PriceGroupInput): Promise<PriceGroup> {
    const id = await this.transactions.run((manager) =>
      insertReturningId(manager, PriceGroup, { description }),
    );
    return { id, description };
  }

  async delete(id: number): Promise<void> {
    if (id === DEFAULT_PRICE_GROUP) throw new DefaultPriceGroupStays();
    const wasThere = await this.transactions.run(async (manager) => {
      // Whoever gives it to an organisation meanwhile waits, and finds it gone.
      const group = await manager.findOne(PriceGroup, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (group !== null && (await manager.existsBy(Organisation, { priceGroupId: id })))
        throw new PriceGroupInUse();
      return group !== null && (await manager.delete(PriceGroup, { id })).affected === 1;
    });
    if (!wasThere) throw new NotFound('Price group');
  }

  async rename(id: number, { description }: PriceGroupInput): Promise<void> {
    const { affected } = await this.transactions.run((manager) =>
      manager.update(PriceGroup, { id }, { description }),
    );
    if (affected === 0) throw new NotFound('Price group');
  }
}
