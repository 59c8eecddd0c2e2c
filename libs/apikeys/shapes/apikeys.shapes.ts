import { orderBy } from '@app/core/wire/order-by';
import { API_KEY_COLUMNS } from '../api-key.columns';
import { listShape, responseShape } from '@app/core/wire/shapes';
import type { ApiKeyDetails, ApiKeyItem, ApiKeyOrder } from '../api-key.types';
import { SingleApiKeyResponse, toApiKeyDetailsResponse } from './api-key-details.response';
import { ApiKeyResponse, ApiKeyListResponse, toApiKeyResponse } from './api-key.response';
import { createApiKeyShape } from './create-api-key.dto';
import { CreatedApiKeyResponse, toCreatedApiKeyResponse } from './created-api-key.response';
import { rotateApiKeyShape } from './rotate-api-key.dto';
import { updateApiKeyShape } from './update-api-key.dto';

/** The request and response shapes of API keys, which only Variant A has as a resource. */
export class ApiKeysShapes {
  /** Body of POST. */
  readonly create = createApiKeyShape;
  /** Body of PUT. */
  readonly update = updateApiKeyShape;
  /** Body of `POST …/rotate`. */
  readonly rotate = rotateApiKeyShape;
  /** Response of the single read. */
  readonly single = responseShape(SingleApiKeyResponse, (key: ApiKeyDetails) => ({
    apiKey: toApiKeyDetailsResponse(key),
  }));
  /** Response of POST and `POST …/rotate`. */
  readonly created = responseShape(CreatedApiKeyResponse, toCreatedApiKeyResponse);
  /** Response of the list. */
  readonly list = listShape<ApiKeyItem, ApiKeyListResponse, ApiKeyOrder>(
    ApiKeyListResponse,
    { orderBy: orderBy(API_KEY_COLUMNS, ApiKeyResponse, { dtExpires: 'expiresAt' }), search: {} },
    (page) => ({ total: page.total ?? page.items.length, apiKeys: page.items.map(toApiKeyResponse) }),
  );
}
