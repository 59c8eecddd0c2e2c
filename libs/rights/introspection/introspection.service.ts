import { Injectable } from '@nestjs/common';
import type { TokenRow } from '@app/security/access/access.queries';
import type { Caller } from '@app/security/access/caller';
import { addressRefusal } from '@app/security/access/credential-refusals';
import { CredentialUse } from '@app/security/access/credential-use';
import type { IntrospectionResponse } from './introspection.shapes';
import { type Introspection, tokenKindOf } from './introspection.types';

/** Tells other services whose credential they received. The guard's statement has found the owner already. */
@Injectable()
export class IntrospectionService {
  constructor(private readonly use: CredentialUse) {}

  of({ introspectedToken: row }: Caller, { address }: Introspection): IntrospectionResponse {
    if (row === undefined || !isFrom(row, address)) return { active: false };
    const { kind, credential_id: id, operations, staff_id: staffId } = row;
    if (row.stale) this.use.note({ kind, id });
    return {
      active: true,
      token_type: tokenKindOf(row),
      sub: row.user_id === null ? row.username : String(row.user_id),
      username: row.known_as,
      iat: row.issued_at,
      exp: row.ends_at,
      organisationId: row.organisation_id,
      roles: row.user_id === null ? [] : [...row.roles],
      readOnly: row.read_only,
      secondFactor: row.has_second_factor,
      ...(operations !== null && { operations: [...operations] }),
      ...(staffId !== null && { act: { sub: String(staffId) } }),
    };
  }
}

/** The question may have no address, unlike a request. A key with a whitelist is then refused. */
function isFrom(row: TokenRow, address: string | undefined): boolean {
  if (address === undefined) return row.whitelist === null || row.whitelist.length === 0;
  return addressRefusal(row, () => address) === undefined;
}
