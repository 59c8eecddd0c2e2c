import { rotateKeyShape } from '@app/sign-in/keys/key.dto';
import { responseShape, Shown } from '@app/platform/dto/shapes';
import { orderBy } from '@app/platform/lists/columns';
import {
  type CreatedServiceKey,
  SERVICE_KEY_COLUMNS,
  type ServiceKeyDetails,
  type ServiceKeyOrder,
} from '../service-key.columns';
import { createServiceKeyShape, SERVICE_KEY, updateServiceKeyShape } from './service-key.dto';
import { listShape } from '@app/platform/lists/list-request';

/** A service key. */
export class ServiceKeyResponse {
  @Shown(SERVICE_KEY.id) id!: number;
  @Shown(SERVICE_KEY.name) name!: string;
  @Shown(SERVICE_KEY.operations) operations!: string[];
  @Shown(SERVICE_KEY.beneath) beneath!: boolean;
  @Shown({ type: [String], ...SERVICE_KEY.whitelist }) whitelist!: string[];
  @Shown({ description: 'When it was made, in Unix seconds', example: '1735689600' }) dtCreated!: string;
  @Shown({ description: 'When it ends, in Unix seconds', example: '1767225600' }) dtExpires!: string;

  @Shown({
    description: 'When it was last used, in Unix seconds, written at most once a minute; empty: never',
    example: '1735693200',
  })
  dtLastUsed!: string;
}

/** Response of the list. */
export class ServiceKeyListResponse {
  @Shown({ type: 'integer', description: 'How many keys the whole list has, all pages together' })
  total!: number;

  @Shown({ type: [ServiceKeyResponse], description: 'The keys of the page, ended ones too' })
  serviceKeys!: ServiceKeyResponse[];
}

/** Response of the single read. */
export class SingleServiceKeyResponse {
  @Shown({ type: ServiceKeyResponse, description: 'The key, without its hash' })
  serviceKey!: ServiceKeyResponse;
}

/** A new service key, the only time that its value is shown. */
export class ServiceKeyWithHashResponse extends ServiceKeyResponse {
  @Shown({
    description:
      'The key, 64 hexadecimal digits for the Authorization header; answered this once, and stored as a digest only',
  })
  hash!: string;
}

/** Response of POST and of a rotation. */
export class CreatedServiceKeyResponse {
  @Shown({ type: ServiceKeyWithHashResponse, description: 'The new key' })
  serviceKey!: ServiceKeyWithHashResponse;
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
  /** Body of POST. */
  readonly create = createServiceKeyShape;
  /** Body of PUT. */
  readonly update = updateServiceKeyShape;
  /** Body of `POST …/rotate`. */
  readonly rotate = rotateKeyShape;
  /** Response of the single read. */
  readonly single = responseShape(SingleServiceKeyResponse, (key: ServiceKeyDetails) => ({
    serviceKey: toServiceKeyResponse(key),
  }));
  /** Response of POST and `POST …/rotate`. */
  readonly created = responseShape(CreatedServiceKeyResponse, (key: CreatedServiceKey) => ({
    serviceKey: { ...toServiceKeyResponse(key), hash: key.hash },
  }));
  /** Response of the list. */
  readonly list = listShape<ServiceKeyDetails, ServiceKeyListResponse, ServiceKeyOrder>(
    ServiceKeyListResponse,
    {
      orderBy: orderBy(SERVICE_KEY_COLUMNS, ServiceKeyResponse, {
        dtCreated: 'createdAt',
        dtExpires: 'expiresAt',
        dtLastUsed: 'lastUsedAt',
      }),
      search: {},
    },
    (page) => ({ total: page.total ?? page.items.length, serviceKeys: page.items.map(toServiceKeyResponse) }),
  );
}
