import { ResponseField, singleOf } from '@app/platform/dto/shapes';
import { listOf } from '@app/platform/lists/list-request';
import { rotateKeyShape } from '@app/sign-in/keys/key.dto';
import { type CreatedServiceKey, SERVICE_KEY_COLUMNS, type ServiceKeyDetails } from '../service-key.columns';
import { createServiceKeyShape, SERVICE_KEY, updateServiceKeyShape } from './service-key.dto';

/** A service key. */
export class ServiceKeyResponse {
  @ResponseField(SERVICE_KEY.id) id!: number;
  @ResponseField(SERVICE_KEY.name) name!: string;
  @ResponseField(SERVICE_KEY.operations) operations!: string[];
  @ResponseField(SERVICE_KEY.beneath) beneath!: boolean;
  @ResponseField({ type: ['string'], ...SERVICE_KEY.whitelist }) whitelist!: string[];
  @ResponseField({ description: 'When it was made, in Unix seconds', example: '1735689600' })
  dtCreated!: string;
  @ResponseField({ description: 'When it ends, in Unix seconds', example: '1767225600' }) dtExpires!: string;

  @ResponseField({
    description: 'When it was last used, in Unix seconds, written at most once a minute; empty: never',
    example: '1735693200',
  })
  dtLastUsed!: string;
}

/** A new service key. No other response contains its value. */
export class ServiceKeyWithHashResponse extends ServiceKeyResponse {
  @ResponseField({
    description:
      'The key, 64 hexadecimal digits for the Authorization header; answered this once, and stored as a digest only',
  })
  hash!: string;
}

const toServiceKeyResponse = (key: ServiceKeyDetails): ServiceKeyResponse => ({
  id: key.id,
  name: key.name,
  operations: [...key.operations],
  beneath: key.beneath,
  whitelist: [...key.whitelist],
  dtCreated: String(key.createdAt),
  dtExpires: String(key.expiresAt),
  dtLastUsed: String(key.lastUsedAt ?? ''),
});

/** The request and response shapes of service keys, equal in both variants. */
export class ServiceKeysShapes {
  readonly create = createServiceKeyShape;
  readonly update = updateServiceKeyShape;
  readonly rotate = rotateKeyShape;
  readonly single = singleOf('serviceKey', ServiceKeyResponse, toServiceKeyResponse, {
    description: 'The key, without its hash',
  });
  /** Response of POST and `POST …/rotate`. */
  readonly created = singleOf(
    'serviceKey',
    ServiceKeyWithHashResponse,
    (key: CreatedServiceKey) => ({ ...toServiceKeyResponse(key), hash: key.hash }),
    { as: 'CreatedServiceKeyResponse', description: 'The new key' },
  );
  readonly list = listOf('serviceKeys', SERVICE_KEY_COLUMNS, ServiceKeyResponse, toServiceKeyResponse, {
    orders: { dtCreated: 'createdAt', dtExpires: 'expiresAt', dtLastUsed: 'lastUsedAt' },
    description: 'The keys of the page, ended ones too',
    total: 'How many keys the whole list has, all pages together',
  });
}
