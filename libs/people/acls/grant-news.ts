import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { found } from '@app/platform/errors/api-error';
import { GRANT_NOTICES } from './grants.notices';

/** A grant that has ended, as the trigger `tell_end_of_grant` writes it. */
export interface EndedGrant {
  readonly grantId: number;
  readonly organisationId: number;
  readonly granteeId: number;
  /** Managers of the grantee have named a team for the grant. */
  readonly isAgreed: boolean;
  /** The user who acted; null for keys of an organisation, and for the service itself. */
  readonly actorId: number | null;
}

/** A grant that news are about. */
export interface ToldGrant extends EndedGrant {
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
export class GrantNews {
  constructor(private readonly notifications: NotificationRecorder) {}

  /** Tells both that a grant to manage begins or has ended. */
  async ofManaging(manager: EntityManager, news: 'begun' | 'ended', grant: ToldGrant): Promise<void> {
    const { grantor, grantee } = await partiesOf(manager, grant);
    await this.tell(manager, GRANT_NOTICES[`given_${news}`], grant, { told: grantor, other: grantee });
    // A stranger may have chosen both, the grant and the name.
    const other = grant.isAgreed ? grantor : { ...grantor, name: null };
    await this.tell(manager, GRANT_NOTICES[`received_${news}`], grant, { told: grantee, other });
  }

  /** Tells the grantor that a grant to read begins. */
  async ofReading(manager: EntityManager, grant: ToldGrant): Promise<void> {
    const { grantor, grantee } = await partiesOf(manager, grant);
    await this.tell(manager, GRANT_NOTICES.reading_begun, grant, { told: grantor, other: grantee });
  }

  private async tell(
    manager: EntityManager,
    kind: (typeof GRANT_NOTICES)[keyof typeof GRANT_NOTICES],
    { grantId, organisationId }: ToldGrant,
    { told, other }: { readonly told: Party; readonly other: Party },
  ): Promise<void> {
    if (!told.isThere) return;
    await this.notifications.record(manager, kind, {
      organisationId: told.id,
      entity: { id: grantId, name: other.name ?? '' },
      userId: told.actorId,
      params: {
        ...(other.name === null && { organisation: other.id }),
        ...(told.until !== null && { until: told.until }),
      },
      causedBy: organisationId,
    });
  }
}

async function partiesOf(
  manager: EntityManager,
  { organisationId, granteeId, actorId, expiresAt }: ToldGrant,
): Promise<{ readonly grantor: Party; readonly grantee: Party }> {
  const parties = await manager.query<Party[]>(PARTIES, [organisationId, granteeId, actorId, expiresAt]);
  const partyOf = (id: number): Party =>
    found(
      parties.find((party) => party.id === id),
      'Organisation',
    );
  return { grantor: partyOf(organisationId), grantee: partyOf(granteeId) };
}
