import { Injectable } from '@nestjs/common';
import { CleanUp } from '@app/core/jobs/clean-up';

@Injectable()
export class AuthCleanUp extends CleanUp {
  readonly position = 30;
  readonly statements = [
    `DELETE FROM logins WHERE expires_at < now()`,
    `DELETE FROM trusted_devices WHERE expires_at < now()`,
    `DELETE FROM known_networks WHERE last_login_at < now() - interval '30 days'`,
  ];
}
