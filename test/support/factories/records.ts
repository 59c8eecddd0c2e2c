import { randomUUID } from 'node:crypto';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { ImportedEntity } from '@app/records/entities/entity.types';
import { registerEntity } from '@app/records/entities/entity-register';
import type { ReachableService, TestService } from '../service/service';
import { nextNumber } from './factories';
import { insertRow } from './insert-row';

export interface ContactOptions {
  readonly organisationId: number;
  /** Absent for a contact of the organisation itself. */
  readonly userId?: number;
  readonly name?: string;
  readonly groups?: readonly string[];
}

/** An e-mail contact, written straight to the database, and its id. */
export function makeContact(service: ReachableService, options: ContactOptions): Promise<number> {
  const name = options.name ?? `contact${nextNumber()}@example.com`;
  return insertRow(service, 'contacts', {
    organisation_id: options.organisationId,
    user_id: options.userId,
    type: 'email',
    name,
    unique_key: name.toLowerCase(),
    groups: options.groups ?? [],
  });
}

interface MailOptions {
  readonly address: string;
  readonly template?: string;
  readonly texts?: object;
  readonly encrypted?: string;
}

/** A mail that waits until tomorrow, written straight to the database with its job, and its id. */
export async function makeMail(
  service: ReachableService,
  { address, template = 'invitation', texts = {}, encrypted }: MailOptions,
): Promise<number> {
  const id = await insertRow(service, 'mails', {
    message_id: randomUUID(),
    template,
    address,
    language: 'en',
    texts,
    encrypted,
    origin: {},
    queued_at: new Date(),
  });
  await service.sql(
    `SELECT graphile_worker.add_job('mail.send', $1::json, run_at => now() + interval '1 day')`,
    [JSON.stringify({ source: 'stored', id })],
  );
  return id;
}

/** A team with members, written straight to the database, and its id. */
export async function makeTeam(
  service: ReachableService,
  organisationId: number,
  { name = `Team ${nextNumber()}`, userIds = [] }: { name?: string; userIds?: readonly number[] } = {},
): Promise<number> {
  const id = await insertRow(service, 'teams', { organisation_id: organisationId, name });
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
export const makeNotification = (service: ReachableService, options: NotificationOptions): Promise<number> =>
  insertRow(service, 'notifications', {
    organisation_id: options.organisationId,
    customer_id: 1,
    notification_group: options.group ?? 'System',
    type: options.type ?? 'maintenance',
    entity_class: 'Organisation',
    entity_id: options.organisationId,
    entity_name: 'Some organisation',
    user_id: options.userId,
    subject: options.subject,
  });
