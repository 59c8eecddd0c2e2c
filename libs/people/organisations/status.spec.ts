import { type Status, STATUS_CATEGORIES, statusCategory } from './status';

/** The table of the contract, section "States and transitions", word for word. */
const CONTRACT_A = `
  | Creation | TO_CREATE, CREATING, CREATING_FAILED |
  | Update | TO_UPDATE, UPDATING, UPDATE_FAILED |
  | Deactivation | TO_DEACTIVATE, DEACTIVATING, DEACTIVATED, DEACTIVATION_FAILED |
  | Deletion | TO_DELETE, DELETING, DELETED, DELETING_FAILED |
  | Import | TO_IMPORT, IMPORTING, IMPORTED, IMPORTING_FAILED |
  | Transfer | TO_TRANSFER, TRANSFERRING, TRANSFER_FAILED |
  | Payment | TO_PAY, PAYING, PARTIAL_PAYMENT, PAYMENT_PARTIALLY_PROCESSED, PAYMENT_PROCESSED, CREDITED, PROCESSED |
  | Health | OK, WARNING, CRITICAL, CLOSED, ERROR, FIXING |
  | Automatic install | AUTO_INSTALLING, AUTO_INSTALLING_FAILED |
  | Failover | FAILED, FAILING_OVER, FAILED_OVER, FAILING_BACK |
  | Draining | DRAINING, DRAINED |
  | Investigation | INVESTIGATING, INVESTIGATED, INVESTIGATING_FAILED, INVESTIGATING_OK |
  | Migration | TO_MIGRATE, MIGRATING, MIGRATING_OK, MIGRATED, MIGRATING_FAILED, MIGRATION_DENIED, \
ABORTING_MIGRATION, ABORTING_MIGRATION_FAILED, DENYING_MIGRATION, DENYING_MIGRATION_FAILED |
  | Post-migration | POSTMIGRATING, POSTMIGRATED, POSTMIGRATING_OK, POSTMIGRATING_FAILED, POSTMIGRATION_CONFIRMED, POSTMIGRATION_DENIED, \
DENYING_POSTMIGRATION, DENYING_POSTMIGRATION_FAILED |
  | Preparation | PREPARING, PREPARED, PREPARING_OK, PREPARING_FAILED |
  | Pre-sync | PRESYNCING, PRESYNCED, PRESYNCING_OK, PRESYNCING_FAILED |
  | Other | ALLOCATED, BUSY, DEPRECATED, QUARANTINED, UNLINKED, TO_DO, DONE, WAITING_ON_DNS |
`;
const CONTRACT_B = `
  to_create, creating, creating_failed, ok, to_import, importing, imported, importing_failed,
  credited, processed, partially_processed, partial_payment, payment_processed, to_transfer,
  transferring, transfer_failed, accepted, to_update, updating, update_failed, opened, warning,
  critical, closed, to_deactivate, deactivating, deactivation_failed, deactivated, to_delete,
  deleting, deleting_failed, deleted
`;

const namesOfA: readonly string[] = CONTRACT_A.match(/[A-Z_]{2,}/g) ?? [];
const wordsOfB: readonly string[] = CONTRACT_B.match(/[a-z_]+/g) ?? [];
const all = Object.keys(STATUS_CATEGORIES) as Status[];

describe('the words', () => {
  it('are words of the contract: 80 in Variant A and 32 in Variant B', () => {
    expect(namesOfA).toHaveLength(80);
    expect(wordsOfB).toHaveLength(32);
    const known = [...namesOfA.map((name) => name.toLowerCase()), ...wordsOfB];
    expect(all.filter((word) => !known.includes(word))).toEqual([]);
  });

  it('that only Variant B has are one', () => {
    expect(all.filter((word) => !namesOfA.includes(word.toUpperCase()))).toEqual(['accepted']);
  });
});

it('has a colour for the words of users and invitations', () => {
  const shown = (['ok', 'deactivated', 'done', 'accepted', 'closed'] as const).map(statusCategory);
  expect(shown).toEqual(['green', 'grey', 'grey', 'grey', 'grey']);
});
