import type { ReachableService, TestService } from '../service/service';
import { nextNumber } from './factories';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { registerEntity } from '@app/records/entities/entity-register';
import type { ImportedEntity } from '@app/records/entities/entity.types';

export interface ContactOptions {
  readonly organisationId: number;
  /** Absent for a contact of the organisation itself. */
  readonly userId?: number;
  readonly name?: string;
  readonly groups?: readonly string[];
}

/** An e-mail contact, written straight to the database, and its id. */
export async function makeContact(service: ReachableService, options: ContactOptions): Promise<number> {
  const name = options.name ?? `contact${nextNumber()}@example.com`;
  const [row] = await service.sql<{ id: number }>(
    `INSERT INTO contacts (organisation_id, user_id, type, name, unique_key, groups)
     VALUES ($1, $2, 'email', $3, $4, $5) RETURNING id`,
    [options.organisationId, options.userId ?? null, name, name.toLowerCase(), options.groups ?? []],
  );
  return row?.id as number;
}

/** A team with members, written straight to the database, and its id. */
export async function makeTeam(
  service: ReachableService,
  organisationId: number,
  { name = `Team ${nextNumber()}`, userIds = [] }: { name?: string; userIds?: readonly number[] } = {},
): Promise<number> {
  const [row] = await service.sql<{ id: number }>(
    'INSERT INTO teams (organisation_id, name) VALUES ($1, $2) RETURNING id',
    [organisationId, name],
  );
  const id = row?.id as number;
  await service.sql`INSERT INTO team_members (team_id, user_id)
     SELECT ${id}, unnest(${[...userIds]}::integer[])`;
  return id;
}

/** Takes entities into the register, in one transaction, the way the import does. */
export const register = (service: TestService, ...entities: ImportedEntity[]): Promise<void> =>
  service.app.get<DataSource>(getDataSourceToken()).transaction(async (manager) => {
    for (const entity of entities) await registerEntity(manager, entity);
  });

export interface StoredEntity {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly domains: object[] | null;
}

/** The register's entities of an organisation, by kind and id. */
export const registeredEntities = (service: TestService, organisationId: number): Promise<StoredEntity[]> =>
  service.sql<StoredEntity>(
    'SELECT kind, object_id AS id, name, domains FROM entities WHERE organisation_id = $1 ORDER BY kind, object_id',
    [organisationId],
  );

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
