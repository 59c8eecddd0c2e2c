import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { GRANT_NOTICES } from './grants.notices';
import { leftByGrant } from './left-by-grant';

/** Payload of the job. The trigger `tell_grant` writes it. */
type GrantNotice = NamedGrant &
  (
    | { readonly news: 'begun' | 'changed' | 'ended' | 'ends_in_7_days'; readonly isReading: false }
    /** A key gave it to read, or let it last longer: only the giver is told. */
    | { readonly news: 'begun' | 'changed'; readonly isReading: true }
  );

interface NamedGrant {
  readonly grantId: number;
  readonly organisationId: number;
  readonly granteeId: number;
  /** Unix seconds. */
  readonly expiresAt: number | null;
  /** Managers of the grantee have named a team for the grant. */
  readonly isAgreed: boolean;
  readonly granteeIsTold: boolean;
  /** It is the last that the grantee is told of begun and changed grants of the giver before this time. */
  readonly noMoreUntil: string | null;
  readonly actorId: number | null;
}

/**
 * Giver $1 and grantee $2 of a grant, and who acted ($3). Deleted organisations get no notification. The
 * giver sees the grantee's name only within its reach: otherwise it could learn the name behind any id.
 */
const PARTIES = `
  SELECT o.id, o.deleted_at IS NULL AS "isThere",
    CASE WHEN o.id = $1 OR EXISTS (SELECT FROM organisation_closure WHERE ancestor_id = $1 AND descendant_id = $2)
      THEN o.name END AS name,
    (SELECT u.id FROM users u WHERE u.id = $3 AND u.organisation_id = o.id) AS "actorId",
    to_char(to_timestamp($4) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS until
  FROM organisations o WHERE o.id IN ($1, $2)`;

interface Party {
  readonly id: number;
  readonly name: string | null;
  readonly isThere: boolean;
  /** Only the actor's own organisation learns who acted. */
  readonly actorId: number | null;
  readonly until: string | null;
}

/**
 * Notifies both organisations of a grant to manage, the grantee as far as the trigger says, or the giver of a
 * grant to read by a key. Who gives it pays with its hourly mails (rule grants 105).
 */
@Injectable()
export class GrantNotices {
  constructor(private readonly notifications: NotificationRecorder) {}

  async record(manager: EntityManager, notice: GrantNotice): Promise<void> {
    const { news, grantId, organisationId, granteeId, actorId, expiresAt, isAgreed, noMoreUntil } = notice;
    const parties = await manager.query<Party[]>(PARTIES, [organisationId, granteeId, actorId, expiresAt]);
    const giver = parties.find(({ id }) => id === organisationId);
    const grantee = parties.find(({ id }) => id === granteeId);
    if (giver === undefined || grantee === undefined) return;
    for (const [party, other, side] of [
      [giver, grantee, 'given'],
      [grantee, giver, 'received'],
    ] as const) {
      if (!party.isThere || (side === 'received' && !notice.granteeIsTold)) continue;
      // A stranger may have chosen both, the grant and the name.
      const name = side === 'received' && !isAgreed ? null : other.name;
      await this.notifications.record(manager, kindOf(notice, side), {
        organisationId: party.id,
        entity: { id: grantId, name: name ?? '' },
        userId: party.actorId,
        params: {
          ...(name === null && { organisation: other.id }),
          ...(party.until !== null && news !== 'ended' && { until: party.until }),
          ...(side === 'received' && noMoreUntil !== null && { noMoreUntil }),
          ...(side === 'given' && news === 'ended' && (await leftByGrant(manager, grantId, party.id))),
        },
        chargedTo: organisationId,
      });
    }
  }
}

const kindOf = (notice: GrantNotice, side: 'given' | 'received') =>
  notice.isReading ? GRANT_NOTICES[`reading_${notice.news}`] : GRANT_NOTICES[`${side}_${notice.news}`];

/** Notifies both organisations that a grant to manage began, changed or ended. */
@Injectable()
export class NotifyGrantPartiesHandler extends JobHandler {
  readonly task = 'grants.tell';

  constructor(
    private readonly transactions: Transactions,
    private readonly notices: GrantNotices,
  ) {
    super();
  }

  async run(payload: unknown, { ctx }: RunningJob): Promise<void> {
    await this.transactions.run(ctx, (manager) => this.notices.record(manager, payload as GrantNotice));
  }
}

/** Grants that one transaction deletes or announces. */
const BATCH = 100;

/** A trigger queues the notifications about ended grants. */
const DELETE_ENDED = `
  DELETE FROM acls WHERE id IN (
    SELECT id FROM acls WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING id`;

const CLAIM_ENDING = `
  UPDATE acls SET end_told = true WHERE id IN (
    SELECT id FROM acls WHERE expires_at > now() AND expires_at <= now() + interval '7 days'
      AND access = 'manage' AND NOT end_told
    ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING id AS "grantId", organisation_id AS "organisationId", grantee_id AS "granteeId",
    floor(extract(epoch FROM expires_at))::float8 AS "expiresAt", only_teams AS "isAgreed",
    grantee_told AS "granteeIsTold"`;

/** Deletes grants that have ended, and announces an end seven days before. Neither changes who has access. */
@Injectable()
export class EndGrantsHandler extends JobHandler {
  readonly task = 'grants.end';
  override readonly times = '*/5 * * * *';

  constructor(
    private readonly transactions: Transactions,
    private readonly notices: GrantNotices,
  ) {
    super();
  }

  async run(_: unknown, { ctx }: RunningJob): Promise<void> {
    for (let done = BATCH; done === BATCH;) {
      done = await this.transactions.run(ctx, async (manager) => {
        const [ended] = await manager.query<[unknown[], number]>(DELETE_ENDED, [BATCH]);
        return ended.length;
      });
    }
    for (let done = BATCH; done === BATCH;) {
      done = await this.transactions.run(ctx, async (manager) => {
        const [ending] = await manager.query<[Omit<NamedGrant, 'noMoreUntil' | 'actorId'>[], number]>(
          CLAIM_ENDING,
          [BATCH],
        );
        for (const grant of ending)
          await this.notices.record(manager, {
            ...grant,
            news: 'ends_in_7_days',
            isReading: false,
            noMoreUntil: null,
            actorId: null,
          });
        return ending.length;
      });
    }
  }
}
