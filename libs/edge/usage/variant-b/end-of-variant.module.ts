import { Module } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Settings } from '@app/config/settings';
import { InterfaceSteps } from '../interface-steps.variant-b';
import { UsageModule } from '../usage.module';
import { Brownouts } from './brownouts';
import { endHeaders } from './end-headers';

/** Announces the end of Variant B by headers and brown-outs. Does nothing without its settings. */
@Module({ imports: [UsageModule], providers: [Brownouts] })
export class EndOfVariantModule {
  constructor(steps: InterfaceSteps, settings: Settings, { gate }: Brownouts) {
    const headers = endHeaders(settings);
    if (Object.keys(headers).length > 0) {
      steps.exposedHeaders.push('Deprecation', 'Sunset');
      steps.first.push((_request: Request, response: Response, next: NextFunction) => {
        response.set(headers);
        next();
      });
    }
    if (settings.variantBEnd.brownouts.length > 0) steps.gates.push(gate);
  }
}
