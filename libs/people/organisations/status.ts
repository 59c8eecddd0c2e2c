type StatusCategory = 'green' | 'grey' | 'orange' | 'red';

/**
 * The status words of the contract (section "States and transitions"), in lower case on the wire in both variants; the last
 * three exist only in Variant B.
 *
 * The contract names the colours without a rule. This is the rule:
 * - orange: work waits, runs or is half done, or needs a look (`warning`, `opened`, `failed_over`: the spare serves);
 * - red: failed or refused, until somebody acts;
 * - green: in use, or a completed step;
 * - grey: ended. A used invitation (`done`, `accepted`) and a disabled user (`deactivated`) are grey by decisions.md,
 *   sections 5 and 6.
 */
export const STATUS_CATEGORIES = {
  to_create: 'orange',
  creating: 'orange',
  creating_failed: 'red',
  to_update: 'orange',
  updating: 'orange',
  update_failed: 'red',
  to_deactivate: 'orange',
  deactivating: 'orange',
  deactivated: 'grey',
  deactivation_failed: 'red',
  to_delete: 'orange',
  deleting: 'orange',
  deleted: 'grey',
  deleting_failed: 'red',
  to_import: 'orange',
  importing: 'orange',
  imported: 'green',
  importing_failed: 'red',
  to_transfer: 'orange',
  transferring: 'orange',
  transfer_failed: 'red',
  to_pay: 'orange',
  paying: 'orange',
  partial_payment: 'orange',
  payment_partially_processed: 'orange',
  payment_processed: 'green',
  credited: 'grey',
  processed: 'green',
  ok: 'green',
  warning: 'orange',
  critical: 'red',
  closed: 'grey',
  error: 'red',
  fixing: 'orange',
  auto_installing: 'orange',
  auto_installing_failed: 'red',
  failed: 'red',
  failing_over: 'orange',
  failed_over: 'orange',
  failing_back: 'orange',
  draining: 'orange',
  drained: 'grey',
  investigating: 'orange',
  investigated: 'green',
  investigating_failed: 'red',
  investigating_ok: 'green',
  to_migrate: 'orange',
  migrating: 'orange',
  migrating_ok: 'green',
  migrated: 'green',
  migrating_failed: 'red',
  migration_denied: 'red',
  aborting_migration: 'orange',
  aborting_migration_failed: 'red',
  denying_migration: 'orange',
  denying_migration_failed: 'red',
  postmigrating: 'orange',
  postmigrated: 'green',
  postmigrating_ok: 'green',
  postmigrating_failed: 'red',
  postmigration_confirmed: 'green',
  postmigration_denied: 'red',
  denying_postmigration: 'orange',
  denying_postmigration_failed: 'red',
  preparing: 'orange',
  prepared: 'green',
  preparing_ok: 'green',
  preparing_failed: 'red',
  presyncing: 'orange',
  presynced: 'green',
  presyncing_ok: 'green',
  presyncing_failed: 'red',
  allocated: 'green',
  busy: 'orange',
  deprecated: 'grey',
  quarantined: 'red',
  unlinked: 'grey',
  to_do: 'orange',
  done: 'grey',
  waiting_on_dns: 'orange',
  partially_processed: 'orange',
  accepted: 'grey',
  opened: 'orange',
} as const satisfies Readonly<Record<string, StatusCategory>>;

/** A word on the wire, of either variant. */
export type Status = keyof typeof STATUS_CATEGORIES;

export function statusCategory(status: Status): StatusCategory {
  return STATUS_CATEGORIES[status];
}
