import { Module } from '@nestjs/common';
import { UsersModule } from '../users.module';
import { MigratedUsersController } from './migrated-users.controller';
import { MigratedUsersService } from './migrated-users.service';
import { MigratedUsersShapes } from './migrated-users.shapes';

/** The routes of migrated users, which exist in Variant B only. */
@Module({
  imports: [UsersModule],
  controllers: [MigratedUsersController],
  providers: [MigratedUsersService, MigratedUsersShapes],
})
export class MigratedUsersModule {}
