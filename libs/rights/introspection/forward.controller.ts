import { All, Controller, UseGuards } from '@nestjs/common';
import { NoContent, Refuses, Tag } from '@app/platform/dto/wire.decorators';
import { AccessDenied, Unauthorised, ValidationFailed } from '@app/platform/errors/api-error';
import { ChecksCredentialItself, PublicRoute } from '@app/security/access/access.decorators';
import { ForwardGuard } from './forward.guard';

@Tag('access')
@Controller('access/forward')
export class ForwardController {
  @All()
  @PublicRoute(
    'the credential is what it checks',
    'Tell a reverse proxy whether a request may go on',
    'Every method. The credential is that of `Authorization`; the method in question is that of ' +
      '`X-Forwarded-Method`, else of `X-Original-Method`, else its own. `?role=A,B` demands one of ' +
      'the roles, `?organisation=ID` that the credential may read the organisation. With both, the ' +
      'role counts in the own organisation of the user, ROLE_CUSTADMIN also beneath it, ROLE_ADMIN ' +
      'everywhere, and by a grant nowhere. 204 with `X-Account-*` headers: the request may go on; ' +
      '`X-Account-Read-Only` is `true` for credentials that only read, and where only a grant to ' +
      'read lets the caller in. A body is not read; the answer to a question that announces one ' +
      'ends the connection.',
  )
  @ChecksCredentialItself()
  @UseGuards(ForwardGuard)
  @Refuses(new Unauthorised(), new AccessDenied(), new ValidationFailed({}))
  @NoContent()
  check(): void {
    // The guard has decided already.
  }
}
