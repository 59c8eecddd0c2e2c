import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { type NewJob, queueJob } from '@app/platform/jobs/queue-job';
import { NEXT_ORGANISATIONS } from './suspension.queries';
import { SUSPENSION_NOTIFICATIONS } from './suspensions.notifications';

/** The job that notifies the organisations beneath one. */
export const NOTIFY_BENEATH = 'suspensions.notifyBeneath';

/** A change of the state of an organisation, or of all beneath it. */
export interface SuspensionChange {
  readonly kind: 'disabled' | 'enabled';
  readonly whom: 'itself' | 'beneath';
  readonly id: number;
  readonly name: string;
  readonly reason: string;
  readonly actorId: number | null;
}

/** Payload of the job. */
export interface BeneathJob {
  readonly kind: SuspensionChange['kind'];
  readonly organisationId: number;
  /** Organisations with ids up to this one have been notified. */
  readonly after: number;
}

/** Notifies contacts of organisations about the begin and the end of suspensions. */
@Injectable()
export class SuspensionNotifications {
  constructor(private readonly notifications: NotificationRecorder) {}

  /** Organisations beneath cost the request one job, for any number of them. */
  async announce(manager: EntityManager, change: SuspensionChange): Promise<void> {
    const { kind, whom, id, name, reason, actorId } = change;
    if (whom === 'beneath') return this.beginBeneath(manager, kind, id);
    await this.record(
      manager,
      kind,
      { id, name },
      { userId: actorId, params: reason === '' ? {} : { reason } },
    );
  }

  /** Organisations beneath see no actor and no reason: both concern only the suspended organisation. */
  async notifyBeneath(
    manager: EntityManager,
    kind: SuspensionChange['kind'],
    organisation: { readonly id: number; readonly name: string },
  ): Promise<void> {
    await this.record(manager, kind, organisation, { userId: null, params: {} });
  }

  async queue(
    manager: EntityManager,
    payload: BeneathJob,
    options: Pick<NewJob, 'key' | 'keepsPlace'> = {},
  ): Promise<void> {
    await queueJob(manager, { task: NOTIFY_BENEATH, payload, priority: 'bulk', ...options });
  }

  /**
   * The latest change of an organisation stands for those before it that nobody beneath has heard of: however
   * often it changes, one job waits.
   */
  private beginBeneath(
    manager: EntityManager,
    kind: SuspensionChange['kind'],
    organisationId: number,
  ): Promise<void> {
    const key = `${NOTIFY_BENEATH}:${organisationId}`;
    return this.queue(manager, { kind, organisationId, after: 0 }, { key, keepsPlace: true });
  }

  private async record(
    manager: EntityManager,
    kind: SuspensionChange['kind'],
    { id, name }: { readonly id: number; readonly name: string },
    change: { readonly userId: number | null; readonly params: { readonly reason?: string } },
  ): Promise<void> {
    await this.notifications.record(manager, SUSPENSION_NOTIFICATIONS[kind], {
      organisationId: id,
      entity: { id, name },
      ...change,
    });
  }
}

/**
 * Jobs that tell organisations of one customer wait for each other: each sees what the others have told, and
 * no organisation hears the same twice.
 */
const LOCK_CUSTOMER = `
  SELECT pg_advisory_xact_lock(hashtext('${NOTIFY_BENEATH}'), customer_id) FROM organisations WHERE id = $1`;

/** Organisations per transaction. */
const BATCH = 200;

/** Notifies each organisation beneath a suspended one once, one batch per job. */
@Injectable()
export class NotifyBeneathHandler extends JobHandler {
  readonly task = NOTIFY_BENEATH;

  constructor(
    private readonly transactions: Transactions,
    private readonly notifications: SuspensionNotifications,
  ) {
    super();
  }

  async run(payload: unknown, { ctx }: RunningJob): Promise<void> {
    const { kind, organisationId, after } = payload as BeneathJob;
    await this.transactions.run(ctx, async (manager) => {
      await manager.query(LOCK_CUSTOMER, [organisationId]);
      const organisations = await manager.query<{ id: number; name: string }[]>(NEXT_ORGANISATIONS, [
        organisationId,
        after,
        kind,
        BATCH,
      ]);
      for (const organisation of organisations)
        await this.notifications.notifyBeneath(manager, kind, organisation);
      const last = organisations[BATCH - 1];
      if (last !== undefined)
        await this.notifications.queue(manager, { kind, organisationId, after: last.id });
    });
  }
}
