import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { lockOwner } from '@app/people/users/user-rows';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import type { Statement } from '@app/platform/database/pg-reads/statement';
import { Transactions } from '@app/platform/database/transactions';
import { NotFound, RoleRequired } from '@app/platform/errors/api-error';
import { isSuspended } from '@app/security/access/access.queries';
import type { Caller } from '@app/security/access/caller';
import { assertByPerson } from '@app/security/access/for-people';
import { supportNotAllowed } from '@app/security/access/impersonation';
import { issueForSupport } from '@app/sign-in/auth/support-logins';
import { SUPPORT_NOTIFICATIONS } from './support.notifications';
import {
  adminNotSupported,
  type CreatedSupportLogin,
  type NewSupportLogin,
  ownSecondFactorRequired,
  SUPPORT_ACCESS,
  type SupportAccess,
  type SupportConsent,
  userKeptOut,
} from './support.types';

const CONSENT: Statement<SupportConsent> = {
  text: `SELECT coalesce((SELECT access FROM support_access WHERE organisation_id = $1), 'read') AS access`,
};

/**
 * A trigger also locks the row, for changes that bypass the service. This statement checks
 * that the organisation exists.
 */
const LOCK_ORGANISATION = `SELECT 1 FROM organisations WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`;

const SET_CONSENT = `
  INSERT INTO support_access AS a (organisation_id, access) VALUES ($1, $2)
  ON CONFLICT ON CONSTRAINT support_access_once DO UPDATE SET access = EXCLUDED.access
  WHERE a.access <> EXCLUDED.access`;

/** Locks the user $1 and the staff member $2, so that the conditions of a support login cannot change. */
const PARTIES = `
  SELECT u.id, u.username, 'ROLE_ADMIN' = ANY (u.roles) AS "isAdmin",
    u.enabled AND NOT ${isSuspended('u.organisation_id')} AS "canLogIn"
  FROM users u WHERE u.id = ANY (ARRAY[$1, $2]::integer[]) AND u.deleted_at IS NULL ORDER BY u.id FOR SHARE OF u`;

/** Whether the credential of the staff member has passed a second factor. To own one is not enough. */
const HAS_PASSED = `SELECT passed_second_factor($1, $2, $3) AS "hasPassed"`;

interface Party {
  readonly id: number;
  readonly username: string;
  readonly isAdmin: boolean;
  readonly canLogIn: boolean;
}

/** Logins of staff in the name of users. The access statement and the privilege table define their rights. */
@Injectable()
export class SupportService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly notifications: NotificationRecorder,
  ) {}

  /** Only this response contains the hash. */
  async create(
    caller: Caller,
    { organisationId, userId }: { readonly organisationId: number; readonly userId: number },
    { reason, minutes, write }: NewSupportLogin,
  ): Promise<CreatedSupportLogin> {
    return this.transactions.run(caller, async (manager) => {
      // This transaction and a change of the consent wait for each other.
      await lockOwner(manager, { organisationId });
      const user = await supportedUser(manager, caller, userId);
      const [consent] = await manager.query<SupportConsent[]>(CONSENT.text, [organisationId]);
      if (!allows(consent?.access ?? 'none', write)) {
        throw supportNotAllowed('The organisation does not allow this support login');
      }
      const { until, ...login } = await issueForSupport(manager, {
        userId,
        staffId: caller.self,
        begunWith: caller.loginId,
        reason,
        minutes,
        write,
      });
      await this.notifications.record(
        manager,
        SUPPORT_NOTIFICATIONS[write ? 'support_login_write' : 'support_login'],
        {
          organisationId,
          entity: { id: userId, name: user.username },
          // Only admins see the name of the staff member.
          userId: null,
          aboutUserId: userId,
          params: { reason, until },
        },
      );
      return { ...login, write };
    });
  }

  async consent(organisationId: number): Promise<SupportConsent> {
    return (await this.queries.row(CONSENT, [organisationId])) as SupportConsent;
  }

  /**
   * In the same transaction a trigger ends the support logins that the consent no longer allows. Only a
   * person consents to more than before.
   */
  async setConsent(caller: Caller, organisationId: number, { access }: SupportConsent): Promise<void> {
    await this.transactions.run(caller, async (manager) => {
      const rows = await manager.query<unknown[]>(LOCK_ORGANISATION, [organisationId]);
      if (rows.length === 0) throw new NotFound('Organisation');
      const [before] = await manager.query<SupportConsent[]>(CONSENT.text, [organisationId]);
      if (isMore(access, before?.access ?? 'none')) assertByPerson(caller, 'let support logins do more');
      await manager.query(SET_CONSENT, [organisationId, access]);
    });
  }
}

const allows = (access: SupportAccess, write: boolean): boolean =>
  access === 'write' || (access === 'read' && !write);

const isMore = (access: SupportAccess, before: SupportAccess): boolean =>
  SUPPORT_ACCESS.indexOf(access) > SUPPORT_ACCESS.indexOf(before);

async function supportedUser(
  manager: EntityManager,
  { self: staffId, credential }: Caller,
  userId: number,
): Promise<Party> {
  const parties = await manager.query<Party[]>(PARTIES, [userId, staffId]);
  const user = parties.find(({ id }) => id === userId);
  const staff = parties.find(({ id }) => id === staffId);
  if (user === undefined) throw new NotFound('User');
  // The guard checked the roles before the lock.
  if (staff?.isAdmin !== true) throw new RoleRequired();
  if (user.isAdmin) throw adminNotSupported();
  const [proof] = await manager.query<{ hasPassed: boolean }[]>(HAS_PASSED, [
    staffId,
    credential.kind,
    credential.id,
  ]);
  if (proof?.hasPassed !== true) throw ownSecondFactorRequired();
  if (!user.canLogIn) throw userKeptOut();
  return user;
}
