/**
 * The state words of the contract (section "States and transitions"). The constants carry the upper-case
 * names of Variant A; the words are lower case on the wire in both variants (decisions.md, section 6).
 */

/** Variant A. */
export const STATUS = {
  // Creation
  TO_CREATE: 'to_create',
  CREATING: 'creating',
  CREATING_FAILED: 'creating_failed',
  // Update
  TO_UPDATE: 'to_update',
  UPDATING: 'updating',
  UPDATE_FAILED: 'update_failed',
  // Deactivation
  TO_DEACTIVATE: 'to_deactivate',
  DEACTIVATING: 'deactivating',
  DEACTIVATED: 'deactivated',
  DEACTIVATION_FAILED: 'deactivation_failed',
  // Deletion
  TO_DELETE: 'to_delete',
  DELETING: 'deleting',
  DELETED: 'deleted',
  DELETING_FAILED: 'deleting_failed',
  // Import
  TO_IMPORT: 'to_import',
  IMPORTING: 'importing',
  IMPORTED: 'imported',
  IMPORTING_FAILED: 'importing_failed',
  // Transfer
  TO_TRANSFER: 'to_transfer',
  TRANSFERRING: 'transferring',
  TRANSFER_FAILED: 'transfer_failed',
  // Payment
  TO_PAY: 'to_pay',
  PAYING: 'paying',
  PARTIAL_PAYMENT: 'partial_payment',
  PAYMENT_PARTIALLY_PROCESSED: 'payment_partially_processed',
  PAYMENT_PROCESSED: 'payment_processed',
  CREDITED: 'credited',
  PROCESSED: 'processed',
  // Health
  OK: 'ok',
  WARNING: 'warning',
  CRITICAL: 'critical',
  CLOSED: 'closed',
  ERROR: 'error',
  FIXING: 'fixing',
  // Automatic install
  AUTO_INSTALLING: 'auto_installing',
  AUTO_INSTALLING_FAILED: 'auto_installing_failed',
  // Failover
  FAILED: 'failed',
  FAILING_OVER: 'failing_over',
  FAILED_OVER: 'failed_over',
  FAILING_BACK: 'failing_back',
  // Draining
  DRAINING: 'draining',
  DRAINED: 'drained',
  // Investigation
  INVESTIGATING: 'investigating',
  INVESTIGATED: 'investigated',
  INVESTIGATING_FAILED: 'investigating_failed',
  INVESTIGATING_OK: 'investigating_ok',
  // Migration
  TO_MIGRATE: 'to_migrate',
  MIGRATING: 'migrating',
  MIGRATING_OK: 'migrating_ok',
  MIGRATED: 'migrated',
  MIGRATING_FAILED: 'migrating_failed',
  MIGRATION_DENIED: 'migration_denied',
  ABORTING_MIGRATION: 'aborting_migration',
  ABORTING_MIGRATION_FAILED: 'aborting_migration_failed',
  DENYING_MIGRATION: 'denying_migration',
  DENYING_MIGRATION_FAILED: 'denying_migration_failed',
  // Post-migration
  POSTMIGRATING: 'postmigrating',
  POSTMIGRATED: 'postmigrated',
  POSTMIGRATING_OK: 'postmigrating_ok',
  POSTMIGRATING_FAILED: 'postmigrating_failed',
  POSTMIGRATION_CONFIRMED: 'postmigration_confirmed',
  POSTMIGRATION_DENIED: 'postmigration_denied',
  DENYING_POSTMIGRATION: 'denying_postmigration',
  DENYING_POSTMIGRATION_FAILED: 'denying_postmigration_failed',
  // Preparation
  PREPARING: 'preparing',
  PREPARED: 'prepared',
  PREPARING_OK: 'preparing_ok',
  PREPARING_FAILED: 'preparing_failed',
  // Pre-sync
  PRESYNCING: 'presyncing',
  PRESYNCED: 'presynced',
  PRESYNCING_OK: 'presyncing_ok',
  PRESYNCING_FAILED: 'presyncing_failed',
  // Other
  ALLOCATED: 'allocated',
  BUSY: 'busy',
  DEPRECATED: 'deprecated',
  QUARANTINED: 'quarantined',
  UNLINKED: 'unlinked',
  TO_DO: 'to_do',
  DONE: 'done',
  WAITING_ON_DNS: 'waiting_on_dns',
} as const;

/** Words that only Variant B has. */
export const STATUS_B_ONLY = {
  PARTIALLY_PROCESSED: 'partially_processed',
  ACCEPTED: 'accepted',
  OPENED: 'opened',
} as const;
