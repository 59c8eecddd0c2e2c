import { ResponseField, singleOf } from '@app/platform/dto/shapes';
import { listOf } from '@app/platform/lists/list-request';
import { rotateKeyShape } from '@app/sign-in/keys/key.dto';
import { API_KEY_COLUMNS, type ApiKeyDetails, type ApiKeyItem, type CreatedApiKey } from '../api-key.columns';
import { API_KEY, createApiKeyShape, updateApiKeyShape } from './api-key.dto';

/** An API key in a list. */
export class ApiKeyResponse {
  @ResponseField(API_KEY.id) id!: number;
  @ResponseField(API_KEY.name) name!: string;
  @ResponseField({ type: ['string'], ...API_KEY.whitelist }) whitelist!: string[];

  @ResponseField({ description: 'When the key ends, Unix seconds as text', example: '1767225600' })
  dtExpires!: string;
}

const toApiKeyResponse = (key: ApiKeyItem): ApiKeyResponse => ({
  id: key.id,
  name: key.name,
  whitelist: [...key.whitelist],
  dtExpires: String(key.expiresAt),
});

/** A single API key. */
export class ApiKeyDetailsResponse {
  @ResponseField({ type: 'integer', description: 'Identifier of the key', example: 8 }) id!: number;
  @ResponseField({ description: 'What its user calls it', example: 'Deployment' }) name!: string;

  @ResponseField({
    type: ['string'],
    description: 'Addresses and CIDR ranges that it may be used from; empty: any',
    example: ['192.0.2.10', '2001:db8::/32'],
  })
  whitelist!: string[];

  @ResponseField({ type: 'boolean', description: 'Whether it allows only GET and HEAD', example: false })
  readOnly!: boolean;
  @ResponseField({ description: 'When it was made, in Unix seconds', example: '1735689600' })
  dtCreated!: string;

  @ResponseField({
    description: 'When it was last used, in Unix seconds, written at most once a minute; empty: never',
    example: '1735693200',
  })
  dtLastUsed!: string;

  @ResponseField({
    description: 'When another key took its place, in Unix seconds; empty: none did',
    example: '',
  })
  dtRotated!: string;

  @ResponseField({ description: 'When it ends, in Unix seconds', example: '1767225600' }) dtExpires!: string;
}

const toApiKeyDetailsResponse = (key: ApiKeyDetails): ApiKeyDetailsResponse => ({
  id: key.id,
  name: key.name,
  whitelist: [...key.whitelist],
  readOnly: key.readOnly,
  dtCreated: String(key.createdAt),
  dtLastUsed: String(key.lastUsedAt ?? ''),
  dtRotated: String(key.rotatedAt ?? ''),
  dtExpires: String(key.expiresAt),
});

/** A new API key. No other response contains its value. */
export class ApiKeyWithHashResponse {
  @ResponseField(API_KEY.id) id!: number;
  @ResponseField(API_KEY.name) name!: string;
  @ResponseField({ type: ['string'], ...API_KEY.whitelist }) whitelist!: string[];

  @ResponseField({
    description: 'The key, for the Authorization header; answered this once, and stored as a digest only',
  })
  hash!: string;
}

const toApiKeyWithHashResponse = (key: CreatedApiKey): ApiKeyWithHashResponse => ({
  id: key.id,
  name: key.name,
  whitelist: [...key.whitelist],
  hash: key.hash,
});

/** The request and response shapes of API keys, which are a resource only in Variant A. */
export class ApiKeysShapes {
  readonly create = createApiKeyShape;
  readonly update = updateApiKeyShape;
  readonly rotate = rotateKeyShape;
  readonly single = singleOf('apiKey', ApiKeyDetailsResponse, toApiKeyDetailsResponse, {
    as: 'SingleApiKeyResponse',
    description: 'The key, without its hash',
  });
  /** Response of POST and `POST …/rotate`. */
  readonly created = singleOf('apiKey', ApiKeyWithHashResponse, toApiKeyWithHashResponse, {
    as: 'CreatedApiKeyResponse',
    description: 'The new key',
  });
  readonly list = listOf('apiKeys', API_KEY_COLUMNS, ApiKeyResponse, toApiKeyResponse, {
    orders: { dtExpires: 'expiresAt' },
    description: 'The keys of the page, ended ones too',
    total: 'How many keys the whole list has, all pages together',
  });
}
