import { BooleanField, TextField } from '@app/core/wire/field.decorators';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import type { NewApiKey } from '../api-key.types';
import { ExpiresField } from './expires.decorator';
import { canonicalWhitelist, WhitelistField } from './whitelist.decorators';
import { API_KEY } from './api-key.properties';

/** Body of POST. */
class CreateApiKeyDto {
  @TextField({ max: 255, required: true, ...API_KEY.name })
  name!: string;

  @WhitelistField()
  whitelist!: string[];

  @ExpiresField('When the key ends, in Unix seconds; absent: after the longest time')
  expires?: number;

  @BooleanField({
    default: false,
    description: 'The key is good for GET and HEAD alone, for as long as it lives',
  })
  readOnly?: boolean;
}

export const createApiKeyShape = createShape(CreateApiKeyDto, (dto): EveryField<NewApiKey> => ({
  name: dto.name,
  whitelist: canonicalWhitelist(dto.whitelist),
  expiresAt: dto.expires,
  readOnly: dto.readOnly ?? false,
}));
