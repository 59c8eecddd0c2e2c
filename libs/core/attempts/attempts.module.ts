import { Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PasswordChecks } from '../passwords/password-checks';
import { PasswordHasher } from '../passwords/password-hashing';
import { Settings } from '../settings/settings';
import { Attempts } from './attempts';
import { RateLimitGuard } from './rate-limit.guard';

/** Limits on guesses and calls, and the password checks that stand under them. */
@Global()
@Module({
  providers: [
    Attempts,
    PasswordChecks,
    {
      provide: PasswordHasher,
      inject: [Settings],
      useFactory: (settings: Settings) => new PasswordHasher(settings.bcryptCost),
    },
    { provide: APP_GUARD, useClass: RateLimitGuard },
  ],
  exports: [Attempts, PasswordChecks, PasswordHasher],
})
export class AttemptsModule implements OnApplicationShutdown {
  constructor(private readonly hasher: PasswordHasher) {}

  async onApplicationShutdown(): Promise<void> {
    await this.hasher.close();
  }
}
