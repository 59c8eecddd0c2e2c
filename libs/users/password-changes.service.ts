import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Caller } from '@app/core/access/caller';
import { Transactions } from '@app/core/database/transactions';
import { ValidationFailed } from '@app/core/errors/api-error';
import { fault } from '@app/core/errors/fault';
import { userOf } from '@app/core/passwords/hashing-origins';
import { PasswordChecks } from '@app/core/passwords/password-checks';
import { PasswordHasher } from '@app/core/passwords/password-hasher';
import { replacePasswordHash } from './password-storage';
import { UserEvents } from './user-events';
import { User } from './user.entity';
import type { PasswordChange, UserDetails } from './user.types';
import { UsersService } from './users.service';

/** Users who change their own password. */
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

  /** The user's other logins end; the one that made the change and the API keys go on. */
  async change(caller: Caller, address: string, change: PasswordChange): Promise<UserDetails> {
    const { userId, organisationId, credential } = caller;
    const { username, passwordHash } = await this.stored.findOneByOrFail({ id: userId });
    const verdict = await this.checks.check({
      username,
      password: change.oldPassword,
      stored: passwordHash,
      address,
      // Whatever strangers guess at the name: who is logged in has guesses of its own.
      acquaintance: { userId, organisationId, by: 'login', of: '' },
    });
    if (!verdict.matches) throw notThePresentPassword();
    const newHash = await this.hasher.hash(change.newPassword, userOf(organisationId, userId));
    await this.transactions.run(async (manager) => {
      const isReplaced = await replacePasswordHash(manager, userId, passwordHash, newHash);
      if (!isReplaced) throw notThePresentPassword();
      await this.events.announce(manager, {
        kind: 'passwordChanged',
        userId,
        organisationId,
        username,
        actorId: userId,
        keptLoginId: credential.id,
      });
    });
    return this.users.read(userId);
  }
}

const notThePresentPassword = (): ValidationFailed =>
  ValidationFailed.on('oldPassword', fault('WRONG_PASSWORD', 'This is not the present password.'));
