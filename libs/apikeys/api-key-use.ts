import { Injectable } from '@nestjs/common';
import { CredentialUseHandler, lastUseStatement } from '@app/access/credential-use';

@Injectable()
export class ApiKeyUse extends CredentialUseHandler {
  readonly kind = 'api_key';
  readonly statement = lastUseStatement('api_keys');
}
