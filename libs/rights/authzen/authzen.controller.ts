import { Controller, Post } from '@nestjs/common';
import { RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { Access, Ctx, IgnoresIdempotencyKey } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { AuthzenShapes } from './authzen.shapes';
import type { AuthzenDecision, Evaluations, Question } from './authzen.types';
import { DecisionsService } from './decisions.service';

const CALLERS = 'For admins, and for service keys with the operation.';

@Controller('access/v1')
export class AuthzenController {
  constructor(private readonly decisions: DecisionsService) {}

  @Post('evaluation')
  @IgnoresIdempotencyKey()
  @Access(
    'access.check',
    'Tell whether a subject may do something (AuthZEN)',
    `${CALLERS} The decision is that of the guard for a fresh login of the user, or for the service key, the body and whitelists aside. What is unknown is \`false\`, and no error.`,
  )
  @RespondsWith(200, AuthzenShapes, 'decision')
  evaluate(@RequestBody(AuthzenShapes, 'question') question: Question): Promise<AuthzenDecision> {
    return this.decisions.one(question);
  }

  @Post('evaluations')
  @IgnoresIdempotencyKey()
  @Access(
    'access.check',
    'Tell the same of up to 100 questions (AuthZEN)',
    `${CALLERS} A question takes what it lacks from the body. One that is malformed by itself is \`false\`, with the reason \`MALFORMED\`.`,
  )
  @RespondsWith(200, AuthzenShapes, 'decisions')
  evaluateAll(
    @Ctx() caller: Caller,
    @RequestBody(AuthzenShapes, 'batch') batch: Evaluations,
  ): Promise<AuthzenDecision | readonly AuthzenDecision[]> {
    return 'single' in batch
      ? this.decisions.one(batch.single)
      : this.decisions.many(caller, batch.questions, batch.semantic);
  }
}
