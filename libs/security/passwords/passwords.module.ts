import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '@app/config/settings';
import { Bulkheads } from '@app/platform/concurrency/bulkheads';
import { ThrottlingModule } from '../throttling/throttling.module';
import { PasswordChecks } from './password-checks';
import { PasswordHasher } from './password-hasher';

/** Hashes passwords and checks them under the limit on attempts. */
@Module({
  imports: [ThrottlingModule],
  providers: [
    PasswordChecks,
    {
      provide: PasswordHasher,
      inject: [Settings, Bulkheads],
      useFactory: ({ bcryptCost }: Settings, bulkheads: Bulkheads) =>
        new PasswordHasher(bcryptCost, bulkheads),
    },
  ],
  exports: [PasswordChecks, PasswordHasher],
})
export class PasswordsModule implements OnApplicationShutdown {
  constructor(private readonly hasher: PasswordHasher) {}

  async onApplicationShutdown(): Promise<void> {
    await this.hasher.close();
  }
}
