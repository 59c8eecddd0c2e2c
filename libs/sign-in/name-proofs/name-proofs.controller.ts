import { Controller, Param, Post, UseGuards } from '@nestjs/common';
import { badCredentials } from '@app/people/users/user.types';
import { NoContent, Refuses, RequestBody, Tag } from '@app/platform/dto/wire.decorators';
import { Ctx, PublicRoute } from '@app/security/access/access.decorators';
import type { RequestContext } from '@app/security/context/request-context';
import { NameProofTokenGuard } from './name-proof-token.guard';
import { NameProofsService } from './name-proofs.service';
import { NameProofShapes } from './name-proofs.shapes';
import { nameProofEnded, type NameProofInput, unknownNameProof } from './name-proofs.types';

@Tag('login')
@Controller('usernames')
export class NameProofsController {
  constructor(private readonly proofs: NameProofsService) {}

  @Post(':token')
  @PublicRoute(
    'the token of the mail is the credential, together with the password',
    'Prove a user name with the token of the mail to it',
    'Makes no login. Until then other services know the user by the last proved name.',
  )
  @UseGuards(NameProofTokenGuard)
  @Refuses(unknownNameProof(), nameProofEnded(), badCredentials())
  @NoContent()
  prove(
    @Ctx() ctx: RequestContext,
    @Param('token') token: string,
    @RequestBody(NameProofShapes, 'prove') proof: NameProofInput,
  ): Promise<void> {
    return this.proofs.prove(ctx, token, proof);
  }
}
