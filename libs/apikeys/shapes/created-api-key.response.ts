import { ApiProperty } from '@nestjs/swagger';
import type { CreatedApiKey } from '../api-key.types';

/** A new API key, the only time that its value is shown. */
export class ApiKeyWithHashResponse {
  @ApiProperty({ type: 'integer', example: 8 })
  id!: number;

  @ApiProperty({ example: 'Deployment' })
  name!: string;

  @ApiProperty({ type: [String], example: ['192.0.2.10', '2001:db8::/32'] })
  whitelist!: string[];

  @ApiProperty({ description: 'The key, for the Authorization header; answered this once' })
  hash!: string;
}

/** Response of POST. */
export class CreatedApiKeyResponse {
  @ApiProperty({ type: ApiKeyWithHashResponse })
  apiKey!: ApiKeyWithHashResponse;
}

export const toCreatedApiKeyResponse = (key: CreatedApiKey): CreatedApiKeyResponse => ({
  apiKey: { id: key.id, name: key.name, whitelist: [...key.whitelist], hash: key.hash },
});
