import type { ApiClient } from './client';

/** A row of `GET /organisations/{organisationId}/access`. */
export interface AccessRow {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly organisation: { readonly id: number; readonly name: string };
  readonly by: string;
  readonly access: string;
  readonly roles: readonly string[];
  readonly secondFactor: boolean;
  readonly passkeys: number;
  readonly apiKeys: number;
  readonly dtLastUsed: string;
  readonly grantId: number | null;
}

/** The list. */
export interface AccessList {
  readonly total: number;
  readonly access: readonly AccessRow[];
}

/** Who has access to an organisation, as the reader is told. */
export const accessListOf = async (
  reader: ApiClient,
  organisationId: number,
  query = 'limit=0',
): Promise<AccessList> =>
  (await reader.get(`/organisations/${organisationId}/access?${query}`).expect(200)).body as AccessList;

/** Of one kind: `user`, `serviceKey` and others. */
export const idsOf = (rows: readonly AccessRow[], kind: string): number[] =>
  rows.filter((row) => row.kind === kind).map(({ id }) => id);
