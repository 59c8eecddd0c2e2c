import { BooleanField, TextField } from '@app/core/wire/field.decorators';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import type { NewApiKey } from '../api-key.types';
import { ExpiresField } from './expires.decorator';
import { canonicalWhitelist, WhitelistField } from './whitelist.decorators';

/** Body of POST. */
class CreateApiKeyDto {
  @TextField({ max: 255, required: true, example: 'Deployment' })
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
