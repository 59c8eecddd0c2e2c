import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LifecycleModule } from '@app/lifecycle/lifecycle.module';
import { PasswordsModule } from '@app/security/passwords/passwords.module';
import { ThrottlingModule } from '@app/security/throttling/throttling.module';
import { ClockModule } from './clock.module';
import { CodeChecks } from './code-checks';
import { PasswordChangesService } from './password-changes.service';
import { StepUp } from './step-up';
import { UnavailableNames } from './unavailable-names';
import { User } from './user.entity';
import { UsernameChanges } from './username-changes';
import { UsersController } from './users.controller';
import { UsersService } from './users.service';

/** Global, because organisations, which lie below, ask for proofs. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([User]),
    ClockModule,
    LifecycleModule,
    PasswordsModule,
    ThrottlingModule,
  ],
  controllers: [UsersController],
  providers: [CodeChecks, UnavailableNames, PasswordChangesService, StepUp, UsernameChanges, UsersService],
  exports: [
    CodeChecks,
    UnavailableNames,
    LifecycleModule,
    StepUp,
    TypeOrmModule,
    UsernameChanges,
    UsersService,
  ],
})
export class UsersModule {}
