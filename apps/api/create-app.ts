import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AnsweringAdapter } from '@app/core/http/answering-adapter';
import { nestLogger } from '@app/core/logging/logger';
import { AnswerWriter } from '@app/core/wire/answer-writer';
import { AppModule, type Surroundings } from './app.module';
import { configureApp } from './configure-app';

/** Builds the service, ready to listen: the one way for main.ts and for tests. */
export async function createApp(surroundings: Surroundings): Promise<NestExpressApplication> {
  const adapter = new AnsweringAdapter();
  const app = await NestFactory.create<NestExpressApplication>(AppModule.in(surroundings), adapter, {
    logger: nestLogger(surroundings.logger),
    // Bodies are read by configureApp, which answers for what it can not read in the right order.
    bodyParser: false,
    abortOnError: false,
  });
  adapter.answerWith(app.get(AnswerWriter));
  return configureApp(app);
}
