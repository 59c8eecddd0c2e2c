import type { ReachableService } from './service';

export interface NotificationOptions {
  readonly organisationId: number;
  readonly group?: string;
  readonly type?: string;
  readonly userId?: number | null;
  readonly subject?: string;
}

/** A notification about the organisation itself, written straight to the database, and its id. */
export async function makeNotification(
  service: ReachableService,
  options: NotificationOptions,
): Promise<number> {
  const [row] = await service.sql<{ id: number }>(
    `INSERT INTO notifications (organisation_id, notification_group, type, entity_class, entity_id, entity_name,
       user_id, subject)
     VALUES ($1, $2, $3, 'Organisation', $1, 'Some organisation', $4, $5) RETURNING id`,
    [
      options.organisationId,
      options.group ?? 'System',
      options.type ?? 'maintenance',
      options.userId ?? null,
      options.subject ?? null,
    ],
  );
  return row?.id as number;
}
