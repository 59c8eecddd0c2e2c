import { ApiProperty } from '@nestjs/swagger';
import { TextField } from '@app/core/wire/fields';
import { changeShape, creationShape, listShape, replyShape } from '@app/core/wire/shapes';
import type { ApiKeyInput, ApiKeyItem, ApiKeyOrder, CreatedApiKey } from '../api-key.values';
import { canonicalWhitelist, WhitelistField } from './whitelist-field';

/** Body of POST and PUT. */
export class ApiKeyRequest {
  @TextField({ max: 255, required: true, example: 'Deployment' })
  name!: string;

  @WhitelistField({
    required: true,
    description: 'Addresses and CIDR ranges that the key may be used from; empty: any',
    example: ['192.0.2.10', '2001:db8::/32'],
  })
  whitelist!: string[];
}

class ApiKeyReply {
  @ApiProperty({ type: 'integer', example: 8 })
  id!: number;

  @ApiProperty({ example: 'Deployment' })
  name!: string;

  @ApiProperty({ type: [String], example: ['192.0.2.10', '2001:db8::/32'] })
  whitelist!: string[];

  @ApiProperty({ description: 'Unix seconds', example: '1767225600' })
  dtExpires!: string;
}

class CreatedApiKeyReply {
  @ApiProperty({ type: 'integer', example: 8 })
  id!: number;

  @ApiProperty({ example: 'Deployment' })
  name!: string;

  @ApiProperty({ type: [String], example: ['192.0.2.10', '2001:db8::/32'] })
  whitelist!: string[];

  @ApiProperty({ description: 'The key, for the Authorization header; answered this once' })
  hash!: string;
}

class CreatedApiKeyAnswer {
  @ApiProperty({ type: CreatedApiKeyReply })
  apiKey!: CreatedApiKeyReply;
}

class ApiKeyListAnswer {
  @ApiProperty({ type: 'integer', description: 'How many keys the whole list has' })
  total!: number;

  @ApiProperty({ type: [ApiKeyReply] })
  apiKeys!: ApiKeyReply[];
}

const inputOf = (dto: ApiKeyRequest): ApiKeyInput => ({
  name: dto.name,
  whitelist: canonicalWhitelist(dto.whitelist),
});

const keyReply = ({ id, name, whitelist, expiresAt }: ApiKeyItem): ApiKeyReply => ({
  id,
  name,
  whitelist: [...whitelist],
  dtExpires: String(expiresAt),
});

/** The request and response shapes of API keys, which only Variant A has as a resource. */
export class ApiKeysShapes {
  readonly creation = creationShape(ApiKeyRequest, inputOf);
  readonly change = changeShape(ApiKeyRequest, inputOf);
  readonly created = replyShape(CreatedApiKeyAnswer, ({ id, name, whitelist, hash }: CreatedApiKey) => ({
    apiKey: { id, name, whitelist: [...whitelist], hash },
  }));
  readonly list = listShape<ApiKeyItem, ApiKeyListAnswer, ApiKeyOrder>(
    ApiKeyListAnswer,
    { orderBy: { id: 'id', name: 'name', dtExpires: 'expiresAt' }, search: {}, tag: true },
    (page) => ({ total: page.total ?? page.items.length, apiKeys: page.items.map(keyReply) }),
  );
}
