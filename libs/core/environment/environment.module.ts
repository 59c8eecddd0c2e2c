import { Global, Module, type DynamicModule } from '@nestjs/common';
import { APP_LOGGER } from '../logging/logger';
import type { Logger } from 'pino';
import { SecretsKeyring } from '../secrets/encryption';
import { Settings } from '../settings/settings';

/** What every module may inject: the settings, the logger and the keys for secrets at rest. */
@Global()
@Module({})
export class EnvironmentModule {
  static with(settings: Settings, secretsKey: string, logger: Logger): DynamicModule {
    return {
      module: EnvironmentModule,
      providers: [
        { provide: Settings, useValue: settings },
        { provide: APP_LOGGER, useValue: logger },
        { provide: SecretsKeyring, useValue: SecretsKeyring.parse(secretsKey) },
      ],
      exports: [Settings, APP_LOGGER, SecretsKeyring],
    };
  }
}
