import { Injectable, Optional } from '@nestjs/common';
import type { Caller } from '@app/security/access/access.decorators';
import { byLink, byLogin, type KnownClient } from '@app/security/passwords/password-checks';
import { LoginProofs } from './login-proofs';

/** Says how the guesses of somebody who is logged in are counted, of passwords and of codes. */
@Injectable()
export class CallerGuesses {
  constructor(@Optional() private readonly proofs?: LoginProofs) {}

  /** Nobody has shown the password for a login by a link: its guesses count as those of the link do. */
  async clientOf(caller: Caller): Promise<KnownClient> {
    const { self: userId, organisationId } = caller;
    const serviceKey = await this.standInFor(caller);
    return serviceKey === undefined ? byLogin(caller) : byLink({ userId, organisationId }, serviceKey);
  }

  /** The name of the service key that stood for the password at the login of the caller, if one did. */
  async standInFor({ loginId }: Caller): Promise<string | undefined> {
    return loginId === 0 ? undefined : this.proofs?.standInFor(loginId);
  }
}
