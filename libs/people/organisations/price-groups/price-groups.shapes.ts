import { TextField } from '@app/platform/dto/field.decorators';
import {
  createShape,
  type EveryField,
  ResponseField,
  responseShape,
  singleOf,
  updateShape,
} from '@app/platform/dto/shapes';
import type { PriceGroup } from '../organisation.entity';
import type { PriceGroupInput } from './price-groups.service';

const PRICE_GROUP = {
  id: { description: 'Identifier as text, as `pricegroup` of an organisation takes it', example: '1' },
  description: { description: 'What it is called; no other has this name', example: 'Partners 2026' },
} as const;

class CreatePriceGroupDto {
  @TextField({ max: 255, trim: true, required: true, ...PRICE_GROUP.description }) description!: string;
}

class UpdatePriceGroupDto extends CreatePriceGroupDto {}

class ListedPriceGroupResponse {
  @ResponseField(PRICE_GROUP.id) id!: string;
  @ResponseField(PRICE_GROUP.description) description!: string;
}

/** Response of the list. */
class PriceGroupListResponse {
  @ResponseField({ type: [ListedPriceGroupResponse], description: 'Every price group, by identifier' })
  pricegroups!: ListedPriceGroupResponse[];
}

const toResponse = ({ id, description }: PriceGroup): ListedPriceGroupResponse => ({
  id: String(id),
  description,
});

const toInput = ({ description }: CreatePriceGroupDto): EveryField<PriceGroupInput> => ({ description });

/** Requests and responses of price groups, equal in both variants. */
export class PriceGroupsShapes {
  readonly create = createShape(CreatePriceGroupDto, toInput);
  readonly update = updateShape(UpdatePriceGroupDto, toInput);
  readonly single = singleOf('pricegroup', ListedPriceGroupResponse, toResponse, {
    as: 'SinglePriceGroupResponse',
    description: 'The price group',
  });
  readonly list = responseShape(PriceGroupListResponse, (groups: readonly PriceGroup[]) => ({
    pricegroups: groups.map(toResponse),
  }));
}
