import { secondsOf } from '@app/sign-in/keys/key-rows';
import { columnsOf, ListQuery, type OrderOf } from '@app/platform/lists/list-query';
import type { ListRequest, PageQuery } from '@app/platform/lists/paginator';
import type { ServiceKeyDetails } from './service-key.types';

export const SERVICE_KEY_COLUMNS = columnsOf<ServiceKeyDetails>('service_keys k')({
  id: { read: 'k.id', order: true },
  name: { read: 'k.name', order: true },
  operations: { read: 'k.operations', order: false },
  beneath: { read: 'k.reaches_beneath', order: true },
  whitelist: { read: 'k.whitelist', order: false },
  createdAt: { read: secondsOf('k.created_at'), order: 'k.created_at' },
  expiresAt: { read: secondsOf('k.expires_at'), order: 'k.expires_at' },
  lastUsedAt: { read: secondsOf('k.last_used_at'), order: 'k.last_used_at' },
});

/** The service key $2 of the organisation $1. */
export const SERVICE_KEY_BY_ID = SERVICE_KEY_COLUMNS.select('k.organisation_id = $1 AND k.id = $2');

/** A page of the service keys of an organisation, expired ones included, with their total. */
export const serviceKeyPage = (
  organisationId: number,
  request: ListRequest<ServiceKeyOrder>,
): PageQuery<ServiceKeyDetails> =>
  new ListQuery(SERVICE_KEY_COLUMNS, request)
    .with('k.organisation_id', organisationId)
    .filteredBy('lower(k.name)')
    .withTotal();

/** The orders of lists of service keys. */
export type ServiceKeyOrder = OrderOf<typeof SERVICE_KEY_COLUMNS>;
