import { STATUS, type STATUS_B_ONLY } from './status-words';

/** A word on the wire, of either variant. */
export type Status =
  (typeof STATUS)[keyof typeof STATUS] | (typeof STATUS_B_ONLY)[keyof typeof STATUS_B_ONLY];

export type StatusCategory = 'green' | 'grey' | 'orange' | 'red';

/**
 * The contract names the colours without a rule; this is the rule:
 * - orange: work is waiting, running or half done, or somebody should look (`warning`, `opened`,
 *   `failed_over`: it works, but from the spare);
 * - red: failed or refused, and stays so until somebody acts;
 * - green: at rest and in use, or a step that ended well;
 * - grey: ended, out of use. A used invitation (`done`, `accepted`) and a disabled user (`deactivated`) are
 *   grey by decisions.md, sections 5 and 6.
 */
const CATEGORIES: Readonly<Record<Status, StatusCategory>> = {
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
};

export function statusCategory(status: Status): StatusCategory {
  return CATEGORIES[status];
}
