import { ApiProperty } from '@nestjs/swagger';
import type { ApiKeyItem } from '../api-key.types';
import { API_KEY } from './api-key.properties';

/** An API key in the list. */
export class ApiKeyResponse {
  @ApiProperty(API_KEY.id)
  id!: number;

  @ApiProperty(API_KEY.name)
  name!: string;

  @ApiProperty({ type: [String], ...API_KEY.whitelist })
  whitelist!: string[];

  @ApiProperty({ description: 'When the key ends, Unix seconds as text', example: '1767225600' })
  dtExpires!: string;
}

/** Response of the list. */
export class ApiKeyListResponse {
  @ApiProperty({ type: 'integer', description: 'How many keys the whole list has, all pages together' })
  total!: number;

  @ApiProperty({ type: [ApiKeyResponse], description: 'The keys of the page, ended ones too' })
  apiKeys!: ApiKeyResponse[];
}

export const toApiKeyResponse = (key: ApiKeyItem): ApiKeyResponse => ({
  id: key.id,
  name: key.name,
  whitelist: [...key.whitelist],
  dtExpires: String(key.expiresAt),
});
