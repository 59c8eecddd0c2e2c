import type { EntityManager } from 'typeorm';
import { organisationCredentials } from '@app/lifecycle/table-rules';
import { type ChangeByHands, lockedChangesByHands } from '@app/lifecycle/takeover-acts';
import type { Takeover, TakeoverOutcome, TakeoverRecord } from '@app/lifecycle/takeovers';
import { isWider } from '@app/security/access/wider-powers';
import { powerOf } from './permitted-operations';
import { SERVICE_KEY_CONSTRAINT_ERRORS } from './service-key.types';

const POWERS = ['operations', 'reaches_beneath', 'whitelist'] as const;

interface StoredPowers {
  readonly operations: readonly string[];
  readonly reaches_beneath: boolean;
  readonly whitelist: readonly string[];
}

interface LockedKey extends StoredPowers {
  readonly id: number;
  readonly organisationId: number;
  readonly name: string;
  readonly isValid: boolean;
}

const LOCK = `
  SELECT id, organisation_id AS "organisationId", name, operations, reaches_beneath, whitelist, expires_at > now() AS "isValid"
  FROM service_keys WHERE id = ANY ($1::integer[]) ORDER BY id FOR UPDATE`;

/**
 * A key has no switch. Past its end it is listed with its operations, and a manager who wants it rotates it.
 */
const SWITCH_OFF = 'UPDATE service_keys SET expires_at = now() WHERE id = ANY ($1::integer[])';

/** Whoever made a key has its value, so nobody else takes it over. */
async function endTakeover(manager: EntityManager, { hands }: Takeover): Promise<TakeoverRecord[]> {
  const powers = { table: 'service_keys', columns: POWERS } as const;
  const { changes, rows: keys } = await lockedChangesByHands(manager, hands, powers, (ids) =>
    manager.query<LockedKey[]>(LOCK, [ids]),
  );
  const made = keys.filter(({ id }) => changes.get(id)?.isMade === true);
  const widened = keys.filter(
    (key) => !made.includes(key) && key.isValid && isWidened(key, changes.get(key.id)),
  );
  await manager.query('DELETE FROM service_keys WHERE id = ANY ($1::integer[])', [made.map(({ id }) => id)]);
  await manager.query(SWITCH_OFF, [widened.map(({ id }) => id)]);
  const told = (outcome: TakeoverOutcome, { organisationId, name }: LockedKey): TakeoverRecord => ({
    outcome,
    organisationId,
    name,
  });
  return [
    ...made.map((key) => told('endedServiceKeys', key)),
    ...widened.map((key) => told('serviceKeysOff', key)),
  ];
}

/** Whether the key may more than it did before the changes that still hold. */
function isWidened(key: StoredPowers, change: ChangeByHands<(typeof POWERS)[number]> | undefined): boolean {
  const before = { ...key, ...(change?.was as Partial<StoredPowers>) };
  return isWider(powerIn(before), powerIn(key));
}

const powerIn = ({ operations, reaches_beneath: beneath, whitelist }: StoredPowers) =>
  powerOf({ operations, beneath, whitelist });

export const SERVICE_KEY_RULES = organisationCredentials(
  'service_keys',
  'it belongs to the organisation and outlives whoever made it',
  {
    constraintErrors: SERVICE_KEY_CONSTRAINT_ERRORS,
    // Without this, years of rotation would fill an organisation's list.
    outdated: 'rotated_at IS NOT NULL AND expires_at < now()',
    endTakeover,
    audited: {
      kind: 'servicekeys',
      shown: 'name operations reaches_beneath whitelist created_at expires_at rotated_at',
      adminOnly: 'as_admin',
      hidden: 'id organisation_id digest',
      names: { reaches_beneath: 'beneath' },
    },
    afterRestore: { keeps: { serviceKeys: 'expires_at > now()' } },
  },
);
