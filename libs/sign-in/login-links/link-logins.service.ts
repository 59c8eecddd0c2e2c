import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { badCredentials } from '@app/people/users/user.types';
import { UsersService } from '@app/people/users/users.service';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { Unauthorised } from '@app/platform/errors/api-error';
import type { RequestContext } from '@app/security/context/request-context';
import { digestOf, isSecret } from '@app/security/secrets/digest';
import type { LoggedIn } from '@app/sign-in/auth/auth.types';
import { knownClientOf, knownClientValues } from '@app/sign-in/auth/known-clients';
import {
  LoginsService,
  type StoredUserToLogIn,
  USER_TO_LOG_IN_COLUMNS,
  type UserToLogIn,
} from '@app/sign-in/auth/logins.service';
import { RightLogins } from '@app/sign-in/auth/right-logins';
import { SecondFactorStep } from '@app/sign-in/auth/second-factor';
import { type LinkLoginInput, MOST_REFUSALS, SECONDS_FOR_CODE } from './login-link.types';
import { LOGIN_LINK_NOTIFICATIONS } from './login-links.notifications';

const IS_OPEN = 'link.used_at IS NULL AND link.ended_at IS NULL AND link.expires_at > now()';

const RIGHT_TOKEN = prepared(`
  SELECT 1 FROM login_links link
  WHERE link.token_digest = $1 AND (link.address IS NULL OR link.address = $2) AND ${IS_OPEN}
    AND EXISTS (SELECT FROM service_keys k WHERE k.id = link.service_key_id AND k.expires_at > now())`);

const LINK_OF_TOKEN = prepared<LinkedUser>(`
  SELECT ${USER_TO_LOG_IN_COLUMNS}, u.username, link.id AS "linkId", key.id AS "keyId", key.name AS "keyName"
  FROM login_links link JOIN service_keys key ON key.id = link.service_key_id AND key.expires_at > now()
  JOIN users u ON u.id = link.user_id AND u.deleted_at IS NULL AND NOT manages_all(u.organisation_id, u.roles)
  JOIN organisations o ON o.id = u.organisation_id AND o.deleted_at IS NULL
  WHERE link.token_digest = $1 AND (link.address IS NULL OR link.address = $4) AND ${IS_OPEN}`);

/** A user with the link that stands for the password. */
type LinkedUser = StoredUserToLogIn & {
  readonly username: string;
  readonly linkId: number;
  readonly keyId: number;
  /** For people. */
  readonly keyName: string;
};

/** Counts before the code is checked, so that parallel codes cannot exceed the limit together. */
const TRY = `
  WITH tried AS (
    UPDATE login_links link SET tries = tries + 1 WHERE id = $1 AND tries < $2 AND ${IS_OPEN} RETURNING id
  ) SELECT id FROM tried`;

const GIVE_BACK = 'UPDATE login_links SET tries = tries - 1 WHERE id = $1 AND tries > 0';

/** The first refusal gives time to type a code, the last one ends the link. */
const REFUSE = `
  UPDATE login_links link SET refusals = refusals + 1, refused_at = coalesce(refused_at, now()),
    expires_at = CASE WHEN refused_at IS NULL THEN now() + make_interval(secs => $2) ELSE expires_at END,
    ended_at = CASE WHEN refusals + 1 >= $3 THEN now() END
  WHERE id = $1 AND ${IS_OPEN}`;

/** What ends the key waits for the login, and then ends it too. */
const LOCK_KEY = `SELECT 1 FROM service_keys
  WHERE id = $1 AND expires_at > clock_timestamp() AND 'loginlinks.create' = ANY (operations) FOR SHARE`;

const USE = `
  WITH used AS (
    UPDATE login_links link SET used_at = now() WHERE id = $1 AND ${IS_OPEN} RETURNING id
  ) SELECT id FROM used`;

const EARLIER_USE = `SELECT 1 FROM login_links
  WHERE user_id = $1 AND service_key_id = $2 AND id <> $3 AND used_at IS NOT NULL LIMIT 1`;

/** Logs users in by links. A link stands for the password alone, never for the second factor. */
@Injectable()
export class LinkLoginsService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly logins: LoginsService,
    private readonly rightLogins: RightLogins,
    private readonly secondFactor: SecondFactorStep,
    private readonly users: UsersService,
    private readonly notifications: NotificationRecorder,
  ) {}

  /** Whether the token of a link that is open to this address. Changes nothing. */
  async isRight(token: unknown, address: string): Promise<boolean> {
    if (typeof token !== 'string' || !isSecret(token)) return false;
    return (await this.queries.row(RIGHT_TOKEN, [digestOf(token), address])) !== undefined;
  }

  /**
   * The 401 does not reveal what is wrong with a link. Only a right one reveals anything about the second
   * factor, as only a right password does.
   */
  async login(ctx: RequestContext, input: LinkLoginInput): Promise<LoggedIn> {
    const link = await this.openLink(ctx, input);
    const { id: userId, organisationId, customerId, linkId } = link;
    ctx.identify({ userId, organisationId, customerId, credential: { kind: 'login_link', id: linkId } });
    const knownClient = knownClientOf(link, { address: ctx.ip, deviceToken: input.deviceToken });
    const user: UserToLogIn = { ...link, knownClient };
    const asksForFactor = user.secondFactor !== 'disabled' || user.required;
    const issued = asksForFactor
      ? await this.counted(ctx, linkId, () => this.issue(ctx, link, user, input))
      : await this.issue(ctx, link, user, input);
    return { user: await this.users.read(userId), ...issued };
  }

  private async openLink(ctx: RequestContext, { token, deviceToken }: LinkLoginInput): Promise<LinkedUser> {
    if (!isSecret(token)) throw badCredentials();
    const client = knownClientValues({ address: ctx.ip, deviceToken });
    const link = await this.queries.row(LINK_OF_TOKEN, [digestOf(token), ...client, ctx.ip]);
    if (link?.canLogIn !== true) throw badCredentials();
    return link;
  }

  /** Counts a use that is refused for the second factor, and no other. */
  private async counted<Result>(
    ctx: RequestContext,
    linkId: number,
    use: () => Promise<Result>,
  ): Promise<Result> {
    const change = (statement: string, ...values: number[]) =>
      this.transactions.run(ctx, (manager) => manager.query<unknown[]>(statement, [linkId, ...values]));
    const tried = await change(TRY, MOST_REFUSALS);
    if (tried.length === 0) throw badCredentials();
    try {
      return await use();
    } catch (error) {
      if (isForSecondFactor(error)) await change(REFUSE, SECONDS_FOR_CODE, MOST_REFUSALS);
      else await change(GIVE_BACK);
      throw error;
    }
  }

  private async issue(
    ctx: RequestContext,
    link: LinkedUser,
    user: UserToLogIn,
    input: LinkLoginInput,
  ): Promise<Pick<LoggedIn, 'hash' | 'deviceToken'>> {
    const { id: userId, keyId, keyName } = link;
    // Wrong codes are those of a stranger: whoever makes links has as many as it likes, from everywhere.
    const passed = await this.secondFactor.pass(ctx, { ...user, knownClient: undefined }, input);
    return this.rightLogins.issue(ctx, userId, async (manager) => {
      // Locks the key, the user and the link, in the same order as every change of a key or a user.
      const keys = await manager.query<unknown[]>(LOCK_KEY, [keyId]);
      if (keys.length === 0) throw badCredentials();
      const serviceKey = { id: keyId, name: keyName };
      const { hash } = await this.logins.issue(ctx, manager, { ...user, serviceKey });
      const used = await manager.query<unknown[]>(USE, [link.linkId]);
      if (used.length === 0) throw badCredentials();
      await this.tell(manager, link);
      return { hash, deviceToken: await this.secondFactor.deviceTokenOf(ctx, manager, userId, passed) };
    });
  }

  /**
   * The first time that the key logs the user in: a customer who comes from billing does so often, and a new
   * network has its own mail.
   */
  private async tell(
    manager: EntityManager,
    { id: userId, organisationId, username, linkId, keyId, keyName: program }: LinkedUser,
  ): Promise<void> {
    const earlier = await manager.query<unknown[]>(EARLIER_USE, [userId, keyId, linkId]);
    if (earlier.length > 0) return;
    await this.notifications.record(manager, LOGIN_LINK_NOTIFICATIONS.login_link, {
      organisationId,
      entity: { id: userId, name: username },
      userId,
      aboutUserId: userId,
      params: { program },
    });
  }
}

/** One of the 401 errors of the second factor. */
const isForSecondFactor = (error: unknown): boolean =>
  error instanceof Unauthorised && error.reason !== badCredentials().reason;
