import { ApiProperty } from '@nestjs/swagger';
import type { CreatedApiKey } from '../api-key.types';
import { API_KEY } from './api-key.properties';

/** A new API key, the only time that its value is shown. */
export class ApiKeyWithHashResponse {
  @ApiProperty(API_KEY.id)
  id!: number;

  @ApiProperty(API_KEY.name)
  name!: string;

  @ApiProperty({ type: [String], ...API_KEY.whitelist })
  whitelist!: string[];

  @ApiProperty({
    description: 'The key, for the Authorization header; answered this once, and stored as a digest only',
  })
  hash!: string;
}

/** Response of POST. */
export class CreatedApiKeyResponse {
  @ApiProperty({ type: ApiKeyWithHashResponse, description: 'The new key' })
  apiKey!: ApiKeyWithHashResponse;
}

export const toCreatedApiKeyResponse = (key: CreatedApiKey): CreatedApiKeyResponse => ({
  apiKey: { id: key.id, name: key.name, whitelist: [...key.whitelist], hash: key.hash },
});
