import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/core/errors/constraint-errors.module';
import { ClockModule } from '@app/core/clock/clock.module';
import { DeletionModule } from '@app/core/deletion/deletion.module';
import { PasswordsModule } from '@app/core/passwords/passwords.module';
import { ThrottlingModule } from '@app/core/throttling/throttling.module';
import { CodeChecks } from './code-checks';
import { PasswordChangesService } from './password-changes.service';
import { StepUp } from './step-up';
import { UserEvents } from './user-events';
import { User } from './user.entity';
import { UsernameChanges } from './username-changes';
import { UsersController } from './users.controller';
import { UserDeletion } from './users.deletion';
import { UserPersonalData } from './users.privacy';
import { UsersService } from './users.service';
import { USER_CONSTRAINT_ERRORS } from './users.errors';

@Module({
  imports: [
    TypeOrmModule.forFeature([User]),
    ConstraintErrorsModule.forFeature(USER_CONSTRAINT_ERRORS),
    ClockModule,
    DeletionModule,
    DiscoveryModule,
    PasswordsModule,
    ThrottlingModule,
  ],
  controllers: [UsersController],
  providers: [
    CodeChecks,
    PasswordChangesService,
    StepUp,
    UserDeletion,
    UserPersonalData,
    UserEvents,
    UsernameChanges,
    UsersService,
  ],
  exports: [CodeChecks, StepUp, TypeOrmModule, UserEvents, UsernameChanges, UsersService],
})
export class UsersModule {}
