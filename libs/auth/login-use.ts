import { Injectable } from '@nestjs/common';
import { CredentialUseHandler, lastUseStatement } from '@app/access/credential-use';

/** When a login was last used: it ends where it is left unused for long. */
@Injectable()
export class LoginUse extends CredentialUseHandler {
  readonly kind = 'login';
  readonly statement = lastUseStatement('logins');
}
