import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { found } from '@app/platform/errors/api-error';
import { GRANT_NOTIFICATIONS } from './grants.notifications';

/** A grant that has ended, as the trigger `notify_end_of_grant` writes it. */
export interface EndedGrant {
  readonly grantId: number;
  readonly organisationId: number;
  readonly granteeId: number;
  /** Managers of the grantee have named a team for the grant. */
  readonly isAgreed: boolean;
  /** The user who acted; null for keys of an organisation, and for the service itself. */
  readonly actorId: number | null;
}

/** A grant that notifications are about. */
export interface NotifiedGrant extends EndedGrant {
  /** Unix seconds; null: it does not end by itself, or has ended. */
  readonly expiresAt: number | null;
}

/**
 * Grantor $1 and grantee $2 of a grant, and who acted ($3). Deleted organisations get no notification. The
 * grantor sees the grantee's name only within its reach: otherwise it could learn the name behind any id.
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

/** Notifies the organisations of a grant. */
@Injectable()
export class GrantNotifications {
  constructor(private readonly notifications: NotificationRecorder) {}

  /** Tells both that a grant to manage begins or has ended. */
  async ofManaging(manager: EntityManager, change: 'begun' | 'ended', grant: NotifiedGrant): Promise<void> {
    const { grantor, grantee } = await partiesOf(manager, grant);
    await this.notify(manager, GRANT_NOTIFICATIONS[`given_${change}`], grant, {
      notified: grantor,
      other: grantee,
    });
    // A stranger may have chosen both, the grant and the name.
    const other = grant.isAgreed ? grantor : { ...grantor, name: null };
    await this.notify(manager, GRANT_NOTIFICATIONS[`received_${change}`], grant, {
      notified: grantee,
      other,
    });
  }

  /** Tells the grantor that a grant to read begins. */
  async ofReading(manager: EntityManager, grant: NotifiedGrant): Promise<void> {
    const { grantor, grantee } = await partiesOf(manager, grant);
    await this.notify(manager, GRANT_NOTIFICATIONS.reading_begun, grant, {
      notified: grantor,
      other: grantee,
    });
  }

  private async notify(
    manager: EntityManager,
    kind: (typeof GRANT_NOTIFICATIONS)[keyof typeof GRANT_NOTIFICATIONS],
    { grantId, organisationId }: NotifiedGrant,
    { notified, other }: { readonly notified: Party; readonly other: Party },
  ): Promise<void> {
    if (!notified.isThere) return;
    await this.notifications.record(manager, kind, {
      organisationId: notified.id,
      entity: { id: grantId, name: other.name ?? '' },
      userId: notified.actorId,
      params: {
        ...(other.name === null && { organisation: other.id }),
        ...(notified.until !== null && { until: notified.until }),
      },
      causedBy: organisationId,
    });
  }
}

async function partiesOf(
  manager: EntityManager,
  { organisationId, granteeId, actorId, expiresAt }: NotifiedGrant,
): Promise<{ readonly grantor: Party; readonly grantee: Party }> {
  const parties = await manager.query<Party[]>(PARTIES, [organisationId, granteeId, actorId, expiresAt]);
  const partyOf = (id: number): Party =>
    found(
      parties.find((party) => party.id === id),
      'Organisation',
    );
  return { grantor: partyOf(organisationId), grantee: partyOf(granteeId) };
}
