import { Controller, Post } from '@nestjs/common';
import { RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { Access, Ctx, IgnoresIdempotencyKey, IntrospectsToken } from '@app/security/access/access.decorators';
import { Caller } from '@app/security/access/caller';
import { IntrospectionService } from './introspection.service';
import { type IntrospectionResponse, IntrospectionShapes } from './introspection.shapes';
import type { Introspection } from './introspection.types';

@Controller('access/introspect')
export class IntrospectionController {
  constructor(private readonly introspection: IntrospectionService) {}

  @Post()
  @IgnoresIdempotencyKey()
  @Access(
    'access.introspect',
    'Tell another service whose credential it was sent (RFC 7662)',
    'For admins, and for service keys with the operation. A token that does not count is ' +
      '`{"active": false}` and nothing more, whatever the reason. It counts as a use of the token. ' +
      'The credential of the caller may also come by HTTP Basic: the hash is the password, and the ' +
      'user name does not count.',
  )
  @IntrospectsToken(({ body }) => (body as Partial<Record<'token', unknown>> | null | undefined)?.token)
  @RespondsWith(200, IntrospectionShapes, 'answer')
  introspect(
    @Ctx() caller: Caller,
    @RequestBody(IntrospectionShapes, 'request', { form: true }) question: Introspection,
  ): IntrospectionResponse {
    return this.introspection.of(caller, question);
  }
}
