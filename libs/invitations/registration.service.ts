import { Injectable } from '@nestjs/common';
import { QueryFailedError, type EntityManager } from 'typeorm';
import { Throttler, type Bucket } from '@app/core/throttling/throttler';
import { identifyActor } from '@app/core/actor/actor-context';
import { addFirstContact } from '@app/contacts/first-contact';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { networkOf } from '@app/core/network/client-address';
import { invitedBy } from '@app/core/passwords/hashing-origins';
import { PasswordHasher } from '@app/core/passwords/password-hasher';
import { NewPasswordRules } from '@app/core/passwords/password-rules';
import { digestOf } from '@app/core/secrets/digest';
import { fullNameOf } from '@app/core/text/person-name';
import { addToTeams } from '@app/teams/team-membership';
import { createUser } from '@app/users/user-creation';
import { UserEvents } from '@app/users/user-events';
import type { UserDetails } from '@app/users/user.types';
import { UsersService } from '@app/users/users.service';
import { ACCEPT_INVITATION, TO_ACCEPT_BY_ID, TO_ACCEPT_BY_TOKEN } from './invitation.queries';
import { lockLiveOrganisation, rolesStillGiven } from './invitation.rules';
import type {
  AcceptedInvitation,
  InvitationToAccept,
  Registration,
  RegistrationForm,
} from './invitation.types';
import { emailAlreadyTaken, InvitationMismatch, InvitationNotOpen } from './invitations.errors';

/** Seconds in which guesses without a token are counted together, and the most of them (decisions.md section 5). */
const GUESSING_WINDOW = 900;
const MAX_FOR_ONE_INVITATION = 10;
const MAX_FOR_ONE_ADDRESS = 10;
/** More than a household registers; keeps one network from trying all invitations in turn. */
const MAX_FROM_ONE_NETWORK = 30;

/** Turns invitations into users. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly transactions: Transactions,
    private readonly throttler: Throttler,
    private readonly hasher: PasswordHasher,
    private readonly users: UsersService,
    private readonly events: UserEvents,
    private readonly newPasswords: NewPasswordRules,
  ) {}

  /** The invitation that a token was made for; undefined for a token that nobody has been given, or not any more. */
  async invitationOf(token: string): Promise<InvitationToAccept | undefined> {
    const invitation = await this.queries.row<InvitationToAccept>(TO_ACCEPT_BY_TOKEN, [digestOf(token)]);
    return invitation?.state === 'withdrawn' ? undefined : invitation;
  }

  /** What the registration asks for and says, of an invitation that can be registered with right now. */
  form(invitation: InvitationToAccept): RegistrationForm {
    assertOpen(invitation);
    return { invitation, passwordRules: this.newPasswords.rules };
  }

  /** Registers with an invitation whose token the caller has shown. */
  async register(invitation: InvitationToAccept, registration: Registration): Promise<UserDetails> {
    if (!isAbout(registration, invitation)) throw new InvitationMismatch();
    return this.accept(invitation, registration.password);
  }

  /**
   * Registers with what an invitation says, all of which can be guessed: so guesses are counted before they are
   * checked, and an invitation that is not open answers like one that does not match.
   */
  async registerWithoutToken(registration: Registration, address: string): Promise<UserDetails> {
    const ofInvitation: Bucket = ['registration by invitation', registration.invitationId];
    const ofAddress: Bucket = ['registration by e-mail', registration.email.toLowerCase()];
    await this.throttler.reserve(
      [
        { bucket: ['registration by network', networkOf(address)], most: MAX_FROM_ONE_NETWORK },
        { bucket: ofInvitation, most: MAX_FOR_ONE_INVITATION },
        { bucket: ofAddress, most: MAX_FOR_ONE_ADDRESS },
      ],
      GUESSING_WINDOW,
    );
    const invitation = await this.queries.row<InvitationToAccept>(TO_ACCEPT_BY_ID, [
      registration.invitationId,
    ]);
    if (invitation?.state !== 'open' || !isAbout(registration, invitation)) throw new InvitationMismatch();
    const user = await this.accept(invitation, registration.password);
    await this.throttler.reset(ofInvitation, ofAddress);
    return user;
  }

  private async accept(invitation: InvitationToAccept, password: string): Promise<UserDetails> {
    assertOpen(invitation);
    identifyActor({ credentialKind: 'invitation', credentialId: invitation.id });
    const passwordHash = await this.hasher.hash(password, invitedBy(invitation.organisationId));
    try {
      const userId = await this.transactions.run((manager) =>
        this.createAccepted(manager, invitation, passwordHash),
      );
      return await this.users.read(userId);
    } catch (error) {
      throw isNameTaken(error) ? emailAlreadyTaken() : error;
    }
  }

  /** User, teams, contact and notification in one transaction; of parallel tries one changes the invitation. */
  private async createAccepted(
    manager: EntityManager,
    { id, organisationId, tokenDigest }: InvitationToAccept,
    passwordHash: string,
  ): Promise<number> {
    if ((await lockLiveOrganisation(manager, organisationId)) === undefined)
      throw new InvitationNotOpen('orphaned');
    const [[accepted]] = await manager.query<[AcceptedInvitation[], number]>(ACCEPT_INVITATION, [
      id,
      tokenDigest,
    ]);
    if (accepted === undefined) throw new InvitationNotOpen('ended');
    const userId = await createUser(manager, {
      organisationId,
      username: accepted.email,
      firstName: accepted.firstName,
      lastName: accepted.lastName,
      language: accepted.language,
      roles: await rolesStillGiven(manager, accepted.inviterId, organisationId, accepted.autoRoles),
      passwordHash,
    });
    await addToTeams(manager, organisationId, userId, accepted.autoTeams);
    await addFirstContact(manager, userId, accepted.email);
    await this.events.announce(manager, {
      kind: 'created',
      userId,
      organisationId,
      fullName: fullNameOf(accepted),
      actorId: userId,
    });
    return userId;
  }
}

function assertOpen({ state }: InvitationToAccept): void {
  if (state === 'withdrawn') throw new InvitationMismatch();
  if (state !== 'open') throw new InvitationNotOpen(state);
}

const isAbout = (registration: Registration, invitation: InvitationToAccept): boolean =>
  registration.invitationId === invitation.id &&
  registration.organisationId === invitation.organisationId &&
  registration.email.toLowerCase() === invitation.email.toLowerCase();

/** Another invitation, or an admin, gave the address a user first: this body calls the user name `email`. */
const isNameTaken = (error: unknown): boolean =>
  error instanceof QueryFailedError &&
  (error.driverError as { constraint?: string }).constraint === 'users_username_unique';
