import { Controller, Post } from '@nestjs/common';
import { Refuses, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { NotFound } from '@app/platform/errors/api-error';
import { Access, Ctx, IgnoresIdempotencyKey } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import type { ExplanationRequest } from './explain-access.dto';
import { ExplanationsService } from './explanations.service';
import { type ExplanationResponse, ExplanationsShapes } from './explanations.shapes';

@Controller('access/explain')
export class ExplanationsController {
  constructor(private readonly explanations: ExplanationsService) {}

  @Post()
  @IgnoresIdempotencyKey()
  @Access(
    'access.explain',
    'Tell what the guard would answer a request, and why',
    'Nothing is done and nothing is written down. It judges only access, not the body, rate limits or amounts. Who is no admin asks about its own reach: a user, credential or target outside of it is 404, whether it exists or not. An admin who asks about an unknown credential is told 401. A service key is told of a user no more than it may read: without `users.read` the identifier and the verdict.',
  )
  @Refuses(new NotFound('User'), new NotFound('Credential'), new NotFound('Target'))
  @RespondsWith(200, ExplanationsShapes, 'single')
  explain(
    @Ctx() caller: Caller,
    @RequestBody(ExplanationsShapes, 'request') request: ExplanationRequest,
  ): Promise<ExplanationResponse> {
    return this.explanations.explain(caller, request);
  }
}
