import { Module } from '@nestjs/common';
import { RouteTable } from '@app/security/access/route-table';

/**
 * Answers `POST …/users`, a route of Variant B only, with 404 (decisions.md section 9). By default it would be 405, since
 * GET serves the path.
 */
@Module({})
export class NoMigratedUsersModule {
  constructor(routes: RouteTable) {
    routes.treatAsUnknown('POST', '/v1/organisations/:organisationId/users');
  }
}
