import type { EntityManager } from 'typeorm';
import { type ChangeByHands, changesByHands, removalsByHands } from '@app/lifecycle/takeover-acts';
import type { Takeover, TakeoverOutcome, TakeoverRecord } from '@app/lifecycle/takeovers';
import { attempted } from '@app/platform/database/savepoints';
import { canonicalContact, type ContactType } from './address-rules';
import type { ContactGroup } from './contact.types';

interface LockedContact {
  readonly id: number;
  readonly organisationId: number;
  readonly type: ContactType;
  readonly name: string;
  readonly uniqueKey: string;
  readonly groups: readonly ContactGroup[];
}

const CHANGED = `
  SELECT id, organisation_id AS "organisationId", type, name, unique_key AS "uniqueKey", groups
  FROM contacts WHERE id = ANY ($1::integer[]) ORDER BY id`;

/** Somebody else may change a contact before it is locked: what counts is read again after it. */
const LOCK = `${CHANGED} FOR UPDATE`;

/** Contacts at a time. */
const BATCH = 500;

const DELETE = `
  WITH gone AS (
    DELETE FROM contacts WHERE id = ANY ($1::integer[]) RETURNING id
  ) SELECT id FROM gone`;

/** First keys that no address has: two contacts may have to change their addresses with each other. */
const MAKE_ROOM = `UPDATE contacts SET unique_key = '/' || id WHERE id = ANY ($1::integer[])`;

/**
 * Gives an address back, unless another contact of the owner has it. Of several contacts that had the same
 * address one after the other, the oldest gets it.
 */
const MOVE_BACK = `
  WITH former AS (
    SELECT DISTINCT ON (c.organisation_id, c.user_id, c.type, f.unique_key) f.*
    FROM unnest($1::integer[], $2::text[], $3::text[]) AS f (id, name, unique_key) JOIN contacts c ON c.id = f.id
    WHERE f.unique_key IS NOT NULL ORDER BY c.organisation_id, c.user_id, c.type, f.unique_key, c.id
  ), moved AS (
    UPDATE contacts c SET name = former.name, unique_key = former.unique_key
    FROM former WHERE c.id = former.id AND NOT EXISTS (
      SELECT FROM contacts other WHERE other.type = c.type AND other.unique_key = former.unique_key
        AND other.organisation_id = c.organisation_id AND other.user_id IS NOT DISTINCT FROM c.user_id)
    RETURNING c.id
  ) SELECT id FROM moved`;

/** System is the first group. */
const GIVE_SYSTEM = `UPDATE contacts SET groups = array_prepend('System', groups) WHERE id = ANY ($1::integer[])`;

/**
 * Contacts with System that are gone, of organisations and users who are still there, unless the
 * owner has the address again.
 */
const GONE = `
  SELECT gone.organisation_id AS "organisationId", gone.name
  FROM unnest($1::integer[], $2::integer[], $3::text[], $4::text[]) AS gone (organisation_id, user_id, type, name)
  LEFT JOIN users u ON u.id = gone.user_id
  WHERE u.deleted_at IS NULL AND NOT EXISTS (
    SELECT FROM contacts c WHERE c.organisation_id = gone.organisation_id AND c.user_id IS NOT DISTINCT FROM gone.user_id
      AND c.type = gone.type AND fold_case(c.name) = fold_case(gone.name) AND 'System' = ANY (c.groups))
  GROUP BY 1, 2 ORDER BY 1, 2`;

type Change = ChangeByHands<'name' | 'groups'>;

/**
 * Contacts of organisations and of their users, whose alarms they get too. Those that the hands made go, the
 * others have their address and the group System again. Somebody else who has set the address, or the groups,
 * since has taken them over. The news of the end names each, and goes to those that have System again.
 */
export async function endContactsOfTakeover(
  manager: EntityManager,
  { hands }: Takeover,
): Promise<TakeoverRecord[]> {
  const changesNow = () => changesByHands(manager, hands, 'contacts', ['name', 'groups']);
  let changes = await changesNow();
  const changeOf = ({ id }: LockedContact): Change => changes.get(id) as Change;
  const isConcerned = (contact: LockedContact): boolean => {
    const change = changeOf(contact);
    if (change.isMade) return 'name' in change.was;
    return isMoved(contact, change) || isSilenced(contact, change);
  };
  const contacts = await manager.query<LockedContact[]>(CHANGED, [[...changes.keys()]]);
  const ids = contacts.filter(isConcerned).map(({ id }) => id);
  const locked = await manager.query<LockedContact[]>(LOCK, [ids.slice(0, BATCH)]);
  if (locked.length > 0) changes = await changesNow();
  const some = locked.filter(isConcerned);
  const made = some.filter((contact) => changeOf(contact).isMade);
  const kept = some.filter((contact) => !changeOf(contact).isMade);
  const moved = kept.filter((contact) => isMoved(contact, changeOf(contact)));
  const back = await moveBack(manager, moved, changeOf);
  const ended = [...made, ...moved.filter(({ id }) => !back.has(id))];
  const silenced = kept.filter(
    (contact) => !ended.includes(contact) && isSilenced(contact, changeOf(contact)),
  );
  await manager.query(DELETE, [ended.map(({ id }) => id)]);
  await manager.query(GIVE_SYSTEM, [silenced.map(({ id }) => id)]);
  const told = (outcome: TakeoverOutcome, { organisationId, name }: LockedContact): TakeoverRecord => ({
    outcome,
    organisationId,
    name,
  });
  const nameNow = (contact: LockedContact): LockedContact => ({
    ...contact,
    name: back.has(contact.id) ? String(changeOf(contact).was.name) : contact.name,
  });
  return [
    ...ended.map((contact) => told('endedContacts', contact)),
    ...moved.filter(({ id }) => back.has(id)).map((contact) => told('movedContacts', nameNow(contact))),
    ...silenced.map((contact) => told('securityContacts', nameNow(contact))),
    ...(await goneContacts(manager, hands)),
  ];
}

/** Whether the contact had another address. */
const isMoved = (contact: LockedContact, change: Change): boolean =>
  typeof change.was.name === 'string' && formerKey(contact, change) !== contact.uniqueKey;

/** The key of the former address; null for one that an erasure has emptied, which nobody gets back. */
function formerKey({ type }: LockedContact, { was }: Change): string | null {
  const former = canonicalContact(type, String(was.name));
  return former.error === undefined ? former.uniqueKey : null;
}

const isSilenced = ({ groups }: LockedContact, { was }: Change): boolean =>
  !groups.includes('System') && Array.isArray(was.groups) && was.groups.includes('System');

/** The ids of the contacts that have their former address again. */
async function moveBack(
  manager: EntityManager,
  moved: readonly LockedContact[],
  changeOf: (contact: LockedContact) => Change,
): Promise<Set<number>> {
  if (moved.length === 0) return new Set();
  await manager.query(MAKE_ROOM, [moved.map(({ id }) => id)]);
  const back = new Set<number>();
  const move = async (contacts: readonly LockedContact[]): Promise<void> => {
    const rows = await manager.query<{ id: number }[]>(MOVE_BACK, [
      contacts.map(({ id }) => id),
      contacts.map((contact) => changeOf(contact).was.name),
      contacts.map((contact) => formerKey(contact, changeOf(contact))),
    ]);
    for (const { id } of rows) back.add(id);
  };
  if (await attempted(manager, () => move(moved))) return back;
  // Another request has added one of the addresses meanwhile. It must keep none of
  // the others from going back.
  for (const contact of moved) await attempted(manager, () => move([contact]));
  return back;
}

async function goneContacts(manager: EntityManager, hands: Takeover['hands']): Promise<TakeoverRecord[]> {
  const removed = (await removalsByHands(manager, hands, 'contacts'))
    .map(({ was }) => was)
    .filter(({ groups }) => Array.isArray(groups) && groups.includes('System'));
  if (removed.length === 0) return [];
  const gone = await manager.query<{ organisationId: number; name: string }[]>(GONE, [
    removed.map((was) => was['organisation_id']),
    removed.map((was) => was['user_id'] ?? null),
    removed.map((was) => was['type']),
    removed.map((was) => was['name']),
  ]);
  return gone.map((contact) => ({ outcome: 'goneContacts', ...contact }));
}
