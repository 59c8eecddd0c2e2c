import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/core/errors/constraint-errors.module';
import { DeletionModule } from '@app/core/deletion/deletion.module';
import { PasswordsModule } from '@app/core/passwords/passwords.module';
import { PasswordChangesService } from './password-changes.service';
import { UserEvents } from './user-events';
import { User } from './user.entity';
import { UsernameChanges } from './username-changes';
import { UsersController } from './users.controller';
import { UserDeletion } from './users.deletion';
import { UsersService } from './users.service';
import { USER_CONSTRAINT_ERRORS } from './users.errors';

@Module({
  imports: [
    TypeOrmModule.forFeature([User]),
    ConstraintErrorsModule.forFeature(USER_CONSTRAINT_ERRORS),
    DeletionModule,
    DiscoveryModule,
    PasswordsModule,
  ],
  controllers: [UsersController],
  providers: [UsersService, PasswordChangesService, UserDeletion, UserEvents, UsernameChanges],
  exports: [UsersService, UserEvents, UsernameChanges, TypeOrmModule],
})
export class UsersModule {}
