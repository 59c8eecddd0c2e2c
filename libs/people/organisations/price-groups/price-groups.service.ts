import { Injectable } from '@nestjs/common';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { insertReturningId, Transactions } from '@app/platform/database/transactions';
import {
  assertFound,
  BadRequest,
  type ConstraintErrors,
  found,
  limitReached,
} from '@app/platform/errors/api-error';
import type { RequestContext } from '@app/security/context/request-context';
import { Organisation, PriceGroup } from '../organisation.entity';

/** Maximum price groups. A trigger of the table counts them. */
const PRICE_GROUP_LIMIT = 500;

const TOO_MANY = `There are at most ${PRICE_GROUP_LIMIT} price groups.`;

export const PRICE_GROUP_CONSTRAINT_ERRORS: ConstraintErrors = {
  price_groups_description_unique: {
    field: 'description',
    reason: 'ALREADY_TAKEN',
    message: 'This price group exists already.',
  },
  price_groups_default_stays: {
    field: 'description',
    reason: 'NOT_CHANGEABLE',
    message: 'The price group named default keeps its name.',
  },
  price_groups_limit: limitReached(TOO_MANY),
};

/** 400: an organisation has the price group, even a deleted one. */
export const priceGroupInUse = (): BadRequest =>
  new BadRequest('The price group cannot be deleted: organisations have it', 'IN_USE');

/** 400: organisations need a default. */
export const defaultPriceGroupNotDeletable = (): BadRequest =>
  new BadRequest('The price group named default cannot be deleted', 'IN_USE');

/** The limit for the interface description. */
export const tooManyPriceGroups = (): BadRequest => new BadRequest(TOO_MANY, 'LIMIT_REACHED');

/** The price group of new organisations. */
const DEFAULT_PRICE_GROUP = 1;

export type PriceGroupInput = Pick<PriceGroup, 'description'>;

const ALL = prepared<PriceGroup>('SELECT id, description FROM price_groups ORDER BY id');

/** Price groups of invoices. The operator writes their names, in one language. */
@Injectable()
export class PriceGroupsService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
  ) {}

  list(): Promise<PriceGroup[]> {
    return this.queries.rows(ALL, []);
  }

  async create(ctx: RequestContext, { description }: PriceGroupInput): Promise<PriceGroup> {
    const id = await this.transactions.run(ctx, (manager) =>
      insertReturningId(manager, PriceGroup, { description }),
    );
    return { id, description };
  }

  async delete(ctx: RequestContext, id: number): Promise<void> {
    if (id === DEFAULT_PRICE_GROUP) throw defaultPriceGroupNotDeletable();
    await this.transactions.run(ctx, async (manager) => {
      // The lock makes a concurrent assignment wait and then fail.
      const lock = { mode: 'pessimistic_write' } as const;
      found(await manager.findOne(PriceGroup, { where: { id }, lock }), 'Price group');
      if (await manager.existsBy(Organisation, { priceGroupId: id })) throw priceGroupInUse();
      await manager.delete(PriceGroup, { id });
    });
  }

  async rename(ctx: RequestContext, id: number, { description }: PriceGroupInput): Promise<void> {
    await this.transactions.run(ctx, (manager) =>
      assertFound(manager.update(PriceGroup, { id }, { description }), 'Price group'),
    );
  }
}
