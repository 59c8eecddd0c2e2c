import { Injectable } from '@nestjs/common';
import { addressRefusal } from '@app/security/access/access-evaluation';
import type { Caller } from '@app/security/access/access.decorators';
import type { TokenRow } from '@app/security/access/access.queries';
import { CredentialUse } from '@app/security/access/credential-use';
import { type Introspected, type Introspection, tokenKindOf } from './introspection.types';

/** Tells other services whose credential they were sent. The guard's statement has looked it up. */
@Injectable()
export class IntrospectionService {
  constructor(private readonly use: CredentialUse) {}

  of({ about: row }: Caller, { address }: Introspection): Introspected {
    if (row === undefined || !isFrom(row, address)) return { active: false };
    const { kind, credential_id: id } = row;
    if (row.stale) this.use.note({ kind, id });
    return {
      active: true,
      kind: tokenKindOf(row),
      subject: row.user_id === null ? row.username : String(row.user_id),
      username: row.username,
      issuedAt: row.issued_at,
      endsAt: row.ends_at,
      organisationId: row.organisation_id,
      roles: row.user_id === null ? [] : row.roles,
      readOnly: row.read_only,
      secondFactor: row.has_second_factor,
      staffId: row.staff_id,
      operations: row.operations,
    };
  }
}

/** Unlike a request, a question may have no address: then no whitelist lists it. */
function isFrom(row: TokenRow, address: string | undefined): boolean {
  if (address === undefined) return row.whitelist === null || row.whitelist.length === 0;
  return addressRefusal(row, () => address) === undefined;
}
