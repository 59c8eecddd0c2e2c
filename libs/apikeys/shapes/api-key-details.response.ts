import { ApiProperty } from '@nestjs/swagger';
import type { ApiKeyDetails } from '../api-key.types';

/** An API key by itself. */
export class ApiKeyDetailsResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier of the key', example: 8 })
  id!: number;

  @ApiProperty({ description: 'What its user calls it', example: 'Deployment' })
  name!: string;

  @ApiProperty({
    type: [String],
    description: 'Addresses and CIDR ranges that it may be used from; empty: any',
    example: ['192.0.2.10', '2001:db8::/32'],
  })
  whitelist!: string[];

  @ApiProperty({ description: 'Whether it is good for GET and HEAD alone', example: false })
  readOnly!: boolean;

  @ApiProperty({ description: 'When it was made, in Unix seconds', example: '1735689600' })
  dtCreated!: string;

  @ApiProperty({
    description: 'When it was last used, in Unix seconds, written at most once a minute; empty: never',
    example: '1735693200',
  })
  dtLastUsed!: string;

  @ApiProperty({
    description: 'When another key took its place, in Unix seconds; empty: none did',
    example: '',
  })
  dtRotated!: string;

  @ApiProperty({ description: 'When it ends, in Unix seconds', example: '1767225600' })
  dtExpires!: string;
}

/** Response of the single read. */
export class SingleApiKeyResponse {
  @ApiProperty({ type: ApiKeyDetailsResponse, description: 'The key, without its hash' })
  apiKey!: ApiKeyDetailsResponse;
}

export const toApiKeyDetailsResponse = (key: ApiKeyDetails): ApiKeyDetailsResponse => ({
  id: key.id,
  name: key.name,
  whitelist: [...key.whitelist],
  readOnly: key.readOnly,
  dtCreated: String(key.createdAt),
  dtLastUsed: String(key.lastUsedAt ?? ''),
  dtRotated: String(key.rotatedAt ?? ''),
  dtExpires: String(key.expiresAt),
});
