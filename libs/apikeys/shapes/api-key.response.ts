import { ApiProperty } from '@nestjs/swagger';
import type { ApiKeyItem } from '../api-key.types';

/** An API key in the list. */
export class ApiKeyResponse {
  @ApiProperty({ type: 'integer', example: 8 })
  id!: number;

  @ApiProperty({ example: 'Deployment' })
  name!: string;

  @ApiProperty({ type: [String], example: ['192.0.2.10', '2001:db8::/32'] })
  whitelist!: string[];

  @ApiProperty({ description: 'Unix seconds', example: '1767225600' })
  dtExpires!: string;
}

/** Response of the list. */
export class ApiKeyListResponse {
  @ApiProperty({ type: 'integer', description: 'How many keys the whole list has' })
  total!: number;

  @ApiProperty({ type: [ApiKeyResponse] })
  apiKeys!: ApiKeyResponse[];
}

export const toApiKeyResponse = (key: ApiKeyItem): ApiKeyResponse => ({
  id: key.id,
  name: key.name,
  whitelist: [...key.whitelist],
  dtExpires: String(key.expiresAt),
});
