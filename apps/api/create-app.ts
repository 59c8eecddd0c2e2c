import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { HttpAdapter } from '@app/core/http/http-adapter';
import { nestLogger } from '@app/core/logging/logger';
import { AppModule, type AppOptions } from '@app/service/app.module';
import { configureApp } from './configure-app';

/** Builds the service, ready to listen: the one way for main.ts and for tests. */
export async function createApp(appOptions: AppOptions): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(appOptions),
    new HttpAdapter(),
    {
      logger: nestLogger(appOptions.logger),
      // Bodies are read by configureApp, which answers for what it can not read in the right order.
      bodyParser: false,
      abortOnError: false,
    },
  );
  return configureApp(app);
}
