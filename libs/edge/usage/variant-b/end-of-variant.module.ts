import { Module } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Settings } from '@app/config/settings';
import { InterfaceSteps } from '../interface-steps.variant-b';
import { UsageModule } from '../usage.module';
import { endHeaders } from './end-headers';

/** Announces the end of Variant B by headers. Does nothing without its settings. */
@Module({ imports: [UsageModule] })
export class EndOfVariantModule {
  constructor(steps: InterfaceSteps, settings: Settings) {
    const headers = endHeaders(settings);
    if (Object.keys(headers).length > 0) {
      steps.exposedHeaders.push('Deprecation', 'Sunset');
      steps.first.push((_request: Request, response: Response, next: NextFunction) => {
        response.set(headers);
        next();
      });
    }
  }
}
