import { Foundation1700000000000 } from './1700000000000-foundation';
import { Recovery1700000001000 } from './1700000001000-recovery';
import { TrustedDevices1700000002000 } from './1700000002000-trusted-devices';
import { SshKeysAndPreferences1700000003000 } from './1700000003000-ssh-keys-and-preferences';
import { ContactsAndTeams1700000004000 } from './1700000004000-contacts-and-teams';
import { Entities1700000006100 } from './1700000006100-entities';
import { Notifications1700000006000 } from './1700000006000-notifications';
import { Audit1700000007000 } from './1700000007000-audit';
import { PlannerStatistics1700000007100 } from './1700000007100-planner-statistics';

/** Every migration, oldest first. A migration that has been released is never changed again. */
export const MIGRATIONS = [
  Foundation1700000000000,
  Recovery1700000001000,
  TrustedDevices1700000002000,
  SshKeysAndPreferences1700000003000,
  ContactsAndTeams1700000004000,
  Notifications1700000006000,
  Entities1700000006100,
  Audit1700000007000,
  PlannerStatistics1700000007100,
];
