import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { ClientAddresses } from '@app/platform/context/client-addresses';
import { ThrottlingModule } from '../throttling/throttling.module';
import { AccessGuard } from './access.guard';
import { CredentialStrategy } from './credential.strategy';
import { CredentialLookup } from './credential-lookup';
import { CredentialUse } from './credential-use';
import { PublicCalls } from './public-calls';
import { RouteTable } from './route-table';

/**
 * Authentication and authorisation: one guard before every route, which also limits
 * calls without a credential.
 */
@Global()
@Module({
  imports: [DiscoveryModule, ThrottlingModule],
  providers: [
    ClientAddresses,
    CredentialLookup,
    CredentialStrategy,
    CredentialUse,
    PublicCalls,
    RouteTable,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [ClientAddresses, CredentialLookup, CredentialUse, PublicCalls, RouteTable],
})
export class AccessModule {}
