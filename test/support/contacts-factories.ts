import { nextNumber } from './factories';
import type { ReachableService } from './service';

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
