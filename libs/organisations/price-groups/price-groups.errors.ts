import { BadRequest } from '@app/core/errors/api-error';
import { limitReached, type ConstraintErrors } from '@app/core/errors/constraint-errors';
import { PRICE_GROUP_LIMIT } from './price-groups.limits';

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

/** 400: organisations, of which deleted ones count too, are in the price group. */
export class PriceGroupInUse extends BadRequest {
  constructor() {
    super('The price group can not be deleted: organisations have it', 'IN_USE');
  }
}

/** 400: there is always one for whom nobody says another. */
export class DefaultPriceGroupStays extends BadRequest {
  constructor() {
    super('The price group named default can not be deleted', 'IN_USE');
  }
}

/** The limit for the interface description. */
export const tooManyPriceGroups = (): BadRequest => new BadRequest(TOO_MANY, 'LIMIT_REACHED');
