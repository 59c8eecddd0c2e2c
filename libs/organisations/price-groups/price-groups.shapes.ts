import { ApiProperty } from '@nestjs/swagger';
import { TextField } from '@app/core/wire/field.decorators';
import { createShape, responseShape, updateShape, type EveryField } from '@app/core/wire/shapes';
import type { PriceGroup } from '../price-group.entity';
import type { PriceGroupInput } from './price-groups.service';

const PRICE_GROUP = {
  id: { description: 'Identifier as text, as `pricegroup` of an organisation takes it', example: '1' },
  description: { description: 'What it is called; no other has this name', example: 'Partners 2026' },
} as const;

/** Body of POST. */
class CreatePriceGroupDto {
  @TextField({ max: 255, trim: true, required: true, ...PRICE_GROUP.description })
  description!: string;
}

/** Body of PUT. */
class UpdatePriceGroupDto {
  @TextField({ max: 255, trim: true, required: true, ...PRICE_GROUP.description })
  description!: string;
}

class ListedPriceGroupResponse {
  @ApiProperty(PRICE_GROUP.id)
  id!: string;

  @ApiProperty(PRICE_GROUP.description)
  description!: string;
}

/** Response of POST. */
class SinglePriceGroupResponse {
  @ApiProperty({ type: ListedPriceGroupResponse, description: 'The price group' })
  pricegroup!: ListedPriceGroupResponse;
}

/** Response of the list. */
class PriceGroupListResponse {
  @ApiProperty({ type: [ListedPriceGroupResponse], description: 'Every price group, by identifier' })
  pricegroups!: ListedPriceGroupResponse[];
}

const toResponse = ({ id, description }: PriceGroup): ListedPriceGroupResponse => ({
  id: String(id),
  description,
});

const toInput = ({ description }: CreatePriceGroupDto): EveryField<PriceGroupInput> => ({ description });

/** The request and response shapes of price groups, which both variants have alike. */
export class PriceGroupsShapes {
  readonly create = createShape(CreatePriceGroupDto, toInput);
  readonly update = updateShape(UpdatePriceGroupDto, toInput);
  readonly single = responseShape(SinglePriceGroupResponse, (group: PriceGroup) => ({
    pricegroup: toResponse(group),
  }));
  readonly list = responseShape(PriceGroupListResponse, (groups: readonly PriceGroup[]) => ({
    pricegroups: groups.map(toResponse),
  }));
}
