import { Injectable } from '@nestjs/common';
import { addressRefusal } from '@app/security/access/access-evaluation';
import { TOKEN_STATEMENT, type TokenRow } from '@app/security/access/access.queries';
import { CredentialLookup } from '@app/security/access/credential-lookup';
import { CredentialUse } from '@app/security/access/credential-use';
import { ReadOnlyServer } from '@app/platform/database/connection-errors';
import type { Introspected, Introspection } from './introspection.types';

/** Tells other services whose credential they were sent, by the statement that the guard asks. */
@Injectable()
export class IntrospectionService {
  constructor(
    private readonly credentials: CredentialLookup,
    private readonly use: CredentialUse,
  ) {}

  async of({ token, address }: Introspection): Promise<Introspected> {
    const row = await this.credentials.rowOf<TokenRow>(token, {
      statement: TOKEN_STATEMENT,
      identifiers: [],
    });
    if (row?.on_standby === true) throw new ReadOnlyServer();
    if (row === undefined || !isFrom(row, address)) return { active: false };
    const { kind, credential_id: id } = row;
    if (row.stale) this.use.note({ kind, id });
    return {
      active: true,
      kind,
      subject: row.user_id === null ? row.username : String(row.user_id),
      username: row.username,
      issuedAt: row.issued_at,
      endsAt: row.ends_at,
      organisationId: row.organisation_id,
      roles: row.user_id === null ? [] : row.roles,
      readOnly: row.read_only,
      secondFactor: row.has_second_factor,
      operations: row.operations,
    };
  }
}

/** Unlike a request, a question may have no address: then no whitelist lists it. */
function isFrom(row: TokenRow, address: string | undefined): boolean {
  if (address === undefined) return row.whitelist === null || row.whitelist.length === 0;
  return addressRefusal(row, () => address) === undefined;
}
