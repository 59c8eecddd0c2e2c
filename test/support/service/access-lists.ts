import { verdictOn } from './access-verdicts';
import type { ApiClient } from './client';
import type { TestService } from './service';

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

/** Somebody who may have access to an organisation. */
export interface Holder {
  readonly kind: 'user' | 'serviceKey';
  readonly id: number;
  /** The organisation of the user or key. */
  readonly organisationId: number;
  /** With its credential: a login of the user that has passed each second factor of it, or the key. */
  readonly client: ApiClient;
}

/** What a holder may do on an organisation: more than read, read, or neither. */
export type Access = 'manage' | 'read' | 'none';

const KINDS: ReadonlySet<string> = new Set<Holder['kind']>(['user', 'serviceKey']);

/** What the guard lets each holder do. */
export async function evaluatedAccess(
  service: TestService,
  holders: readonly Holder[],
  organisationId: number,
): Promise<Access[]> {
  const path = `/v1/organisations/${organisationId}`;
  const evaluated: Access[] = [];
  for (const { client } of holders) {
    const may = async (method: string): Promise<boolean> =>
      (await verdictOn(service, client, method, path)) === 'allowed';
    evaluated.push((await may('PATCH')) ? 'manage' : (await may('GET')) ? 'read' : 'none');
  }
  return evaluated;
}

/**
 * What in a list of access is not as it should be, given what each holder may do. Everybody with access has a
 * row, or belongs to an organisation with a masked row, and no row says more or less of a user. A service key
 * that does something else on the organisation than to read it has a row too.
 */
export const contradictions = (
  rows: readonly AccessRow[],
  holders: readonly Holder[],
  access: readonly Access[],
): object[] =>
  holders.flatMap(({ kind, id, organisationId }, index) => {
    const found = rows.filter((row) => row.kind === kind && row.id === id).map((row) => row.access);
    const isMasked = rows.some((row) => !KINDS.has(row.kind) && row.organisation.id === organisationId);
    const expected = access[index] as Access;
    const isRight =
      found.length === 0
        ? expected === 'none' || isMasked
        : found.length === 1 &&
          (found[0] === expected || (kind === 'serviceKey' && found[0] === 'read' && expected === 'none'));
    return isRight ? [] : [{ kind, id, organisationId, expected, found }];
  });
