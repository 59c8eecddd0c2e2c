import { Injectable } from '@nestjs/common';
import { type EntityManager, QueryFailedError } from 'typeorm';
import { networkOf } from '@app/formats/ip-address';
import { UserEvents } from '@app/lifecycle/user-events';
import { addFirstContact } from '@app/people/contacts/first-contact';
import { addToTeams } from '@app/people/teams/team-membership';
import { UnavailableNames } from '@app/people/users/unavailable-names';
import type { UserDetails } from '@app/people/users/user.columns';
import { fullNameOf } from '@app/people/users/user-names';
import { createUser, type NewUser } from '@app/people/users/user-rows';
import { UsersService } from '@app/people/users/users.service';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import type { RequestContext } from '@app/security/context/request-context';
import { PasswordHasher } from '@app/security/passwords/password-hasher';
import { assertNotUserName, PasswordRules } from '@app/security/passwords/password-rules';
import { digestOf } from '@app/security/secrets/digest';
import { type Bucket, Throttler } from '@app/security/throttling/throttler';
import { ACCEPT_INVITATION, TO_ACCEPT_BY_ID, TO_ACCEPT_BY_TOKEN } from './invitation.columns';
import { lockLiveOrganisation, rolesStillGiven } from './invitation.rules';
import {
  type AcceptedInvitation,
  emailAlreadyTaken,
  invitationMismatch,
  invitationNotOpen,
  type InvitationToAccept,
  type Registration,
  type RegistrationForm,
} from './invitation.types';
import { WelcomeMail } from './welcome-mail';

/**
 * Registrations without a token: seconds of the window, and maximum attempts in it (rule users 35).
 */
const GUESSING_WINDOW = 900;
const MAX_FOR_ONE_INVITATION = 10;
const MAX_FOR_ONE_EMAIL = 10;
/**
 * Maximum attempts from one network: more than a household needs, but too few to try all invitations in turn.
 */
const MAX_FROM_ONE_NETWORK = 30;

/** What the accepting person sent, and whether it had the token of the mail. */
interface Acceptance {
  readonly password: string;
  readonly hasToken: boolean;
}

/** Registers invited users. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly throttler: Throttler,
    private readonly hasher: PasswordHasher,
    private readonly users: UsersService,
    private readonly events: UserEvents,
    private readonly passwordRules: PasswordRules,
    private readonly names: UnavailableNames,
    private readonly welcome: WelcomeMail,
  ) {}

  /** The invitation of a token; undefined for an unknown token and for a withdrawn invitation. */
  async invitationOf(token: string): Promise<InvitationToAccept | undefined> {
    const invitation = await this.queries.row(TO_ACCEPT_BY_TOKEN, [digestOf(token)]);
    return invitation?.state === 'withdrawn' ? undefined : invitation;
  }

  /** The data of the registration form of an open invitation. */
  form(invitation: InvitationToAccept): RegistrationForm {
    assertOpen(invitation);
    return { invitation, passwordRules: this.passwordRules };
  }

  /** Registers with the invitation of the token. */
  async register(
    ctx: RequestContext,
    invitation: InvitationToAccept,
    registration: Registration,
  ): Promise<UserDetails> {
    if (!isAbout(registration, invitation)) throw invitationMismatch();
    return this.accept(ctx, invitation, { ...registration, hasToken: true });
  }

  /**
   * Registers without a token. All its data can be guessed, so an attempt is counted before it is checked,
   * and an invitation that is not open gets the same response as a mismatch.
   */
  async registerWithoutToken(ctx: RequestContext, registration: Registration): Promise<UserDetails> {
    const ofInvitation: Bucket = ['registration by invitation', registration.invitationId];
    const ofEmail: Bucket = ['registration by e-mail', registration.email.toLowerCase()];
    await this.throttler.reserve(
      [
        { bucket: ['registration by network', networkOf(ctx.ip)], most: MAX_FROM_ONE_NETWORK },
        { bucket: ofInvitation, most: MAX_FOR_ONE_INVITATION },
        { bucket: ofEmail, most: MAX_FOR_ONE_EMAIL },
      ],
      GUESSING_WINDOW,
    );
    const invitation = await this.queries.row(TO_ACCEPT_BY_ID, [registration.invitationId]);
    if (invitation?.state !== 'open' || !isAbout(registration, invitation)) throw invitationMismatch();
    const user = await this.accept(ctx, invitation, { ...registration, hasToken: false });
    await this.throttler.reset(ofInvitation, ofEmail);
    return user;
  }

  private async accept(
    ctx: RequestContext,
    invitation: InvitationToAccept,
    { password, hasToken }: Acceptance,
  ): Promise<UserDetails> {
    assertOpen(invitation);
    const { id, organisationId, customerId, email } = invitation;
    assertNotUserName(password, email);
    ctx.identify({ organisationId, customerId, credential: { kind: 'invitation', id } });
    const passwordHash = await this.hasher.hash(password, ctx.client);
    try {
      const userId = await this.transactions.run(ctx, (manager) =>
        this.createAccepted(manager, invitation, { passwordHash, hasToken }),
      );
      return await this.users.read(userId);
    } catch (error) {
      throw isNameTaken(error) ? emailAlreadyTaken() : error;
    }
  }

  /**
   * Writes user, teams, contact and notification in one transaction. Only one of parallel
   * attempts accepts the invitation.
   */
  private async createAccepted(
    manager: EntityManager,
    { id, organisationId, organisationName, tokenDigest, email }: InvitationToAccept,
    { passwordHash, hasToken }: { readonly passwordHash: string; readonly hasToken: boolean },
  ): Promise<number> {
    if ((await lockLiveOrganisation(manager, organisationId)) === undefined)
      throw invitationNotOpen('orphaned');
    // An invitation that has another address by now has another token too.
    if (hasToken) await this.names.free(manager, email, { withToken: true });
    const [[accepted]] = await manager.query<[AcceptedInvitation[], number]>(ACCEPT_INVITATION, [
      id,
      tokenDigest,
    ]);
    if (accepted === undefined) throw invitationNotOpen('ended');
    const user: NewUser = {
      organisationId,
      username: accepted.email,
      firstName: accepted.firstName,
      lastName: accepted.lastName,
      language: accepted.language,
      roles: await rolesStillGiven(manager, accepted, organisationId),
      passwordHash,
    };
    const userId = await createUser(manager, user, { usernameVerified: hasToken });
    await addToTeams(manager, organisationId, userId, accepted.autoTeams, { byKey: accepted.madeByKey });
    await addFirstContact(manager, userId, accepted.email);
    await this.events.announce(manager, {
      kind: 'created',
      userId,
      organisationId,
      fullName: fullNameOf(accepted),
      actorId: userId,
    });
    if (hasToken)
      await this.welcome.queue(manager, { ...accepted, userId, organisationId, organisationName });
    else
      await this.events.announce(manager, {
        kind: 'registeredUnverified',
        userId,
        organisationId,
        username: accepted.email,
      });
    return userId;
  }
}

function assertOpen({ state }: InvitationToAccept): void {
  if (state === 'withdrawn') throw invitationMismatch();
  if (state !== 'open') throw invitationNotOpen(state);
}

const isAbout = (registration: Registration, invitation: InvitationToAccept): boolean =>
  registration.invitationId === invitation.id &&
  registration.organisationId === invitation.organisationId &&
  registration.email.toLowerCase() === invitation.email.toLowerCase();

/** The address became a user name meanwhile. The field of this body is `email`. */
const isNameTaken = (error: unknown): boolean =>
  error instanceof QueryFailedError &&
  (error.driverError as { constraint?: string }).constraint === 'users_username_unique';
