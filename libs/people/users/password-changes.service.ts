import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { UserEvents } from '@app/lifecycle/user-events';
import { Transactions } from '@app/platform/database/transactions';
import { fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import type { Caller } from '@app/security/access/caller';
import { byCaller, PasswordChecks } from '@app/security/passwords/password-checks';
import { PasswordHasher } from '@app/security/passwords/password-hasher';
import { assertNotUserName } from '@app/security/passwords/password-rules';
import type { UserDetails } from './user.columns';
import { User } from './user.entity';
import type { PasswordChange } from './user.types';
import { replacePasswordHash } from './user-rows';
import { UsersService } from './users.service';

/** Lets users change their own password. */
@Injectable()
export class PasswordChangesService {
  constructor(
    @InjectRepository(User) private readonly stored: Repository<User>,
    private readonly transactions: Transactions,
    private readonly hasher: PasswordHasher,
    private readonly checks: PasswordChecks,
    private readonly users: UsersService,
    private readonly events: UserEvents,
  ) {}

  /** Ends the user's other logins. The presented login and the API keys stay valid. */
  async change(caller: Caller, change: PasswordChange): Promise<UserDetails> {
    const { self: userId, organisationId, credential } = caller;
    const { username, passwordHash } = await this.stored.findOneByOrFail({ id: userId });
    const verdict = await this.checks.check({
      username,
      password: change.oldPassword,
      stored: passwordHash,
      address: caller.ip,
      // Wrong passwords of strangers do not count against a user who is logged in.
      knownClient: byCaller(caller),
    });
    if (!verdict.matches) throw wrongPresentPassword();
    assertNotUserName(change.newPassword, username);
    const newHash = await this.hasher.hash(change.newPassword, caller.client);
    await this.transactions.run(caller, async (manager) => {
      const isReplaced = await replacePasswordHash(manager, userId, passwordHash, newHash);
      if (!isReplaced) throw wrongPresentPassword();
      await this.events.announce(manager, {
        kind: 'passwordChanged',
        userId,
        organisationId,
        username,
        actorId: userId,
        keptLoginId: credential.id,
      });
    });
    return this.users.read(userId, caller);
  }
}

const wrongPresentPassword = (): ValidationFailed =>
  ValidationFailed.on('oldPassword', fieldError('WRONG_PASSWORD', 'This is not the present password.'));
