import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { queueJob } from '@app/core/jobs/queue-job';
import { NotificationRecorder } from '@app/notifications/notification-recorder';

/** The task that tells the organisations beneath one. */
export const TELL_BENEATH = 'suspensions.tellBeneath';

/** What has become of an organisation, or of all beneath it. */
export interface SuspensionChange {
  readonly kind: 'disabled' | 'enabled';
  readonly whom: 'itself' | 'beneath';
  readonly id: number;
  readonly name: string;
  /** Empty where none was given. */
  readonly reason: string;
  readonly actorId: number;
}

/** What the job knows of the suspension that it tells of. */
export interface BeneathJob {
  readonly kind: SuspensionChange['kind'];
  /** The organisation beneath which they are told. */
  readonly organisationId: number;
  /** Those up to this id are told already. */
  readonly after: number;
}

/** Tells the contacts of organisations that they are kept out, or let in again. */
@Injectable()
export class SuspensionNotices {
  constructor(private readonly notifications: NotificationRecorder) {}

  /** However many lie beneath, they cost the request one job. */
  async announce(manager: EntityManager, change: SuspensionChange): Promise<void> {
    const { kind, whom, id, name, reason, actorId } = change;
    if (whom === 'beneath') return this.queue(manager, { kind, organisationId: id, after: 0 });
    await this.record(
      manager,
      kind,
      { id, name },
      { userId: actorId, params: reason === '' ? {} : { reason } },
    );
  }

  /** Those beneath are not told by whom and why: that is between others. */
  async tellBeneath(
    manager: EntityManager,
    kind: SuspensionChange['kind'],
    organisation: { readonly id: number; readonly name: string },
  ): Promise<void> {
    await this.record(manager, kind, organisation, { userId: null, params: {} });
  }

  async queue(manager: EntityManager, payload: BeneathJob): Promise<void> {
    await queueJob(manager, { task: TELL_BENEATH, payload, priority: 'bulk' });
  }

  private async record(
    manager: EntityManager,
    kind: SuspensionChange['kind'],
    { id, name }: { readonly id: number; readonly name: string },
    told: { readonly userId: number | null; readonly params: Readonly<Record<string, unknown>> },
  ): Promise<void> {
    await this.notifications.record(manager, {
      organisationId: id,
      group: 'Crm',
      type: kind,
      entityClass: 'Organisation',
      entityId: id,
      entityName: name,
      ...told,
    });
  }
}
