import { Injectable } from '@nestjs/common';
import { UserEvents } from '@app/lifecycle/user-events';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { fieldError, found, ValidationFailed } from '@app/platform/errors/api-error';
import type { Caller } from '@app/security/access/caller';
import { byCaller, PasswordChecks } from '@app/security/passwords/password-checks';
import { PasswordHasher } from '@app/security/passwords/password-hasher';
import { assertNotUserName } from '@app/security/passwords/password-rules';
import type { UserDetails } from './user.columns';
import type { PasswordChange } from './user.types';
import { replacePasswordHash } from './user-rows';
import { STORED_USER, userIn } from './users.service';

/** Lets users change their own password. */
@Injectable()
export class PasswordChangesService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly hasher: PasswordHasher,
    private readonly checks: PasswordChecks,
    private readonly events: UserEvents,
  ) {}

  /** Ends the user's other logins. The presented login and the API keys stay valid. */
  async change(caller: Caller, change: PasswordChange): Promise<UserDetails> {
    const { self: userId, organisationId, credential } = caller;
    const { username, passwordHash } = found(await this.queries.row(STORED_USER, [userId]), 'User');
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
    return this.transactions.run(caller, async (manager) => {
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
      return userIn(manager, userId);
    });
  }
}

const wrongPresentPassword = (): ValidationFailed =>
  ValidationFailed.on('oldPassword', fieldError('WRONG_PASSWORD', 'This is not the present password.'));
