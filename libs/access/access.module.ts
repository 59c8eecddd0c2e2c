import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AccessGuard } from './access.guard';
import { ClientAddresses } from '@app/core/access/client-addresses';
import { CredentialLookup } from './credential-lookup';
import { CredentialStrategy } from './credential.strategy';
import { CredentialUse } from './credential-use';
import { RouteTable } from '@app/core/access/route-table';
import { RouteAccesses } from './route-access';

/** Who calls, and whether they may: one guard before every route. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    ClientAddresses,
    CredentialLookup,
    CredentialStrategy,
    CredentialUse,
    RouteAccesses,
    RouteTable,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [ClientAddresses, CredentialLookup, RouteAccesses, RouteTable],
})
export class AccessModule {}
