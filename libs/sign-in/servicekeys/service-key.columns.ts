import { columnsOf, type OrderOf, type RowOf } from '@app/platform/lists/columns';
import { ListQuery } from '@app/platform/lists/list-query';
import type { ListRequest } from '@app/platform/lists/paginator';
import { ServiceKey } from './service-key.entity';

export const SERVICE_KEY_COLUMNS = columnsOf(ServiceKey, 'k', {
  ordered: ['id', 'name', 'beneath'],
  shown: ['operations', 'whitelist'],
  seconds: ['createdAt', 'expiresAt', 'lastUsedAt'],
});

/** A service key as managers see it. */
export type ServiceKeyDetails = RowOf<typeof SERVICE_KEY_COLUMNS>;

/** A new key with its value for the `Authorization` header. The value is never stored. */
export type CreatedServiceKey = ServiceKeyDetails & { readonly hash: string };

export type ServiceKeyOrder = OrderOf<typeof SERVICE_KEY_COLUMNS>;

/** The service key $2 of the organisation $1. */
export const SERVICE_KEY_BY_ID = SERVICE_KEY_COLUMNS.select('k.organisation_id = $1 AND k.id = $2');

/** A page of the service keys of an organisation, with their total. It includes expired keys. */
export const serviceKeyPage = (organisationId: number, request: ListRequest<ServiceKeyOrder>) =>
  new ListQuery(SERVICE_KEY_COLUMNS, request)
    .with('k.organisation_id', organisationId)
    .filteredBy('k.name')
    .withTotal();
