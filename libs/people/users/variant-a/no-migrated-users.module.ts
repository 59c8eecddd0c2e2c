import { Module } from '@nestjs/common';
import { RouteTable } from '@app/security/access/route-table';

/**
 * Answers `POST …/users` with 404, because the route exists only in Variant B (rule answers 22).
 * Without this it would be 405, since the path has a GET.
 */
@Module({})
export class NoMigratedUsersModule {
  constructor(routes: RouteTable) {
    routes.treatAsUnknown('POST', '/v1/organisations/:organisationId/users');
  }
}
