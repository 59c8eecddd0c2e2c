import { Injectable } from '@nestjs/common';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import { lazily } from '@app/platform/process/lazily';
import { leadingRecord } from '@app/security/access/access.queries';
import { decide } from '@app/security/access/access-evaluation';
import type { Caller } from '@app/security/access/caller';
import { type Operation, wordsFor } from '@app/security/access/privileges';
import type { Role } from '@app/security/access/roles';
import { type GuardedRoute, RouteTable } from '@app/security/access/route-table';
import { accessPage, type KeyOperations } from './access-list.queries';
import type { AccessHolder, AccessOrder } from './access-list.types';

/** The operation addresses no organisation, but lists the organisations in reach. */
const LISTS_IN_REACH: Operation = 'organisations.list';

/** Lists who has access to an organisation. */
@Injectable()
export class AccessListService {
  /** The rights of service keys on an organisation. The route table is complete only after the start. */
  private readonly keys = lazily((): KeyOperations => ({
    own: this.operationsOf('ROLE_CUSTADMIN', { own: true, beneath: false }),
    beneath: this.operationsOf('ROLE_CUSTADMIN', { own: false, beneath: true }),
    asAdmin: this.operationsOf('ROLE_ADMIN', { own: false, beneath: true }),
  }));

  constructor(
    private readonly paginator: Paginator,
    private readonly routes: RouteTable,
  ) {}

  list(
    caller: Caller,
    organisationId: number,
    request: ListRequest<AccessOrder>,
  ): Promise<Page<AccessHolder>> {
    return this.paginator.page(
      request,
      accessPage({ organisationId, reader: caller, keys: this.keys() }, request),
    );
  }

  /** The operations on an organisation, and groups of operations, that a service key may have. */
  private operationsOf(role: Role, relation: { own: boolean; beneath: boolean }): readonly string[] {
    const key = { roles: [role], userId: null, credential: { kind: 'service_key', id: 0 } as const };
    const names = this.routes.routes.flatMap(({ guarded: route }) =>
      route !== undefined &&
      isOnOrganisation(route) &&
      decide(route.privilege, key, { ...relation, grant: null }, undefined).verdict === 'allow'
        ? wordsFor(route.operation)
        : [],
    );
    return [...new Set(names)];
  }
}

const isOnOrganisation = ({ operation, address }: GuardedRoute): boolean =>
  address.organisation || leadingRecord(address) !== undefined || operation === LISTS_IN_REACH;
