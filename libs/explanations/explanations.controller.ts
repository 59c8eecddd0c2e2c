import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, CurrentCaller } from '@app/core/access/access.decorators';
import type { Caller } from '@app/core/access/caller';
import { NotFound } from '@app/core/errors/api-error';
import { Refuses } from '@app/core/openapi/refuses.decorator';
import { RequestBody, RespondsWith } from '@app/core/wire/wire.decorators';
import type { Explanation, ExplanationRequest } from './explanation.types';
import { ExplanationsService } from './explanations.service';
import { ExplanationsShapes } from './shapes/explanations.shapes';

@ApiTags('access')
@Controller('access/explain')
export class ExplanationsController {
  constructor(private readonly explanations: ExplanationsService) {}

  @Post()
  @Access('access.explain')
  @Refuses(new NotFound('User'), new NotFound('Credential'), new NotFound('Target'))
  @RespondsWith(200, ExplanationsShapes, 'single')
  explain(
    @CurrentCaller() caller: Caller,
    @RequestBody(ExplanationsShapes, 'request') request: ExplanationRequest,
  ): Promise<Explanation> {
    return this.explanations.explain(caller, request);
  }
}
