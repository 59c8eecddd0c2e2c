import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AccessGuard } from './access.guard';
import { ClientAddresses } from '@app/platform/http/client-addresses';
import { InterfaceSteps } from '@app/platform/http/interface-steps.variant-b';
import { CredentialLookup, CredentialStrategy } from './credential-lookup';
import { CredentialUse } from './credential-use';
import { ThrottlingModule } from '../throttling/throttling.module';
import { RouteTable } from './route-table';

/** Authentication and authorisation: one guard before every route. */
@Global()
@Module({
  imports: [DiscoveryModule, ThrottlingModule],
  providers: [
    ClientAddresses,
    CredentialLookup,
    CredentialStrategy,
    CredentialUse,
    InterfaceSteps,
    RouteTable,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [ClientAddresses, CredentialLookup, CredentialUse, InterfaceSteps, RouteTable],
})
export class AccessModule {}
