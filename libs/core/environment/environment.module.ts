import { Global, Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { APP_LOGGER } from '../logging/logger';
import type { Logger } from 'pino';
import { SecretsKeyring } from '../secrets/encryption';
import { Settings } from '../settings/settings';
import { Tracer, tracerOf } from '../tracing/tracer';
import { BUILD } from './build';

/** What every module may inject: the settings, the logger, the keys for secrets at rest, and the tracer or null. */
@Global()
@Module({})
export class EnvironmentModule implements OnApplicationShutdown {
  constructor(@Inject(Tracer) private readonly tracer: Tracer | null) {}

  static with(settings: Settings, secretsKey: string, logger: Logger): DynamicModule {
    return {
      module: EnvironmentModule,
      providers: [
        { provide: Settings, useValue: settings },
        { provide: APP_LOGGER, useValue: logger },
        { provide: SecretsKeyring, useValue: SecretsKeyring.parse(secretsKey) },
        { provide: Tracer, useFactory: () => tracerOf(settings, BUILD.version, logger) },
      ],
      exports: [Settings, APP_LOGGER, SecretsKeyring, Tracer],
    };
  }

  /** When requests and jobs have ended. */
  async onApplicationShutdown(): Promise<void> {
    await this.tracer?.close();
  }
}
