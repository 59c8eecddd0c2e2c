import { TextField } from '@app/core/wire/field.decorators';
import { updateShape } from '@app/core/wire/shapes';
import type { ApiKeyInput } from '../api-key.types';
import { canonicalWhitelist, WhitelistField } from './whitelist.decorators';
import { API_KEY } from './api-key.properties';

/** Body of PUT. */
class UpdateApiKeyDto {
  @TextField({ max: 255, required: true, ...API_KEY.name })
  name!: string;

  @WhitelistField()
  whitelist!: string[];
}

export const updateApiKeyShape = updateShape(UpdateApiKeyDto, (dto): ApiKeyInput => ({
  name: dto.name,
  whitelist: canonicalWhitelist(dto.whitelist),
}));
