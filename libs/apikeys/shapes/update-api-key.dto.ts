import { TextField } from '@app/core/wire/field.decorators';
import { updateShape } from '@app/core/wire/shapes';
import type { ApiKeyInput } from '../api-key.types';
import { canonicalWhitelist, WhitelistField } from './whitelist.decorators';

/** Body of PUT. */
class UpdateApiKeyDto {
  @TextField({ max: 255, required: true, example: 'Deployment' })
  name!: string;

  @WhitelistField()
  whitelist!: string[];
}

export const updateApiKeyShape = updateShape(UpdateApiKeyDto, (dto): ApiKeyInput => ({
  name: dto.name,
  whitelist: canonicalWhitelist(dto.whitelist),
}));
