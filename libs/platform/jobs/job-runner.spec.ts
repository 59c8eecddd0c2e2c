import { type INestApplicationContext, Injectable, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { getDataSourceToken } from '@nestjs/typeorm';
import { Settings } from '@app/config/settings';
import { DatabaseWatch } from '../database/database-watch';
import { APP_LOGGER } from '../observability/logger';
import { explain } from '../process/run-process';
import { JobHandler } from './job-handler';
import { JobRunner } from './job-runner';

abstract class IdleHandler extends JobHandler {
  run(): Promise<void> {
    return Promise.resolve();
  }
}

@Injectable()
class CountHandler extends IdleHandler {
  readonly task = 'sheep.count';
}

@Injectable()
class ShearHandler extends IdleHandler {
  readonly task = 'sheep.shear';
}

@Injectable()
class RecountHandler extends IdleHandler {
  readonly task = 'sheep.count';
}

async function start(...handlers: readonly Type<JobHandler>[]): Promise<INestApplicationContext> {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [
      JobRunner,
      { provide: Settings, useValue: { worker: false } },
      ...[getDataSourceToken(), APP_LOGGER, DatabaseWatch].map((token) => ({ provide: token, useValue: {} })),
      ...handlers,
    ],
  }).compile();
  return module.init();
}

it('finds the handlers among the providers', async () => {
  const app = await start(CountHandler, ShearHandler);
  expect([...app.get(JobRunner).handlers.keys()]).toEqual(['sheep.count', 'sheep.shear']);
});

it('stops the start, in one line, where two handlers say the same task', async () => {
  const error: unknown = await start(CountHandler, RecountHandler).catch((reason: unknown) => reason);
  expect(explain(error)).toEqual(['CountHandler and RecountHandler both handle jobs of sheep.count']);
});
