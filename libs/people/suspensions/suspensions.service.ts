import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { suspendedFromAbove } from '@app/people/organisations/suspended-links';
import { DatabaseReads, rowIn } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { found, NotFound } from '@app/platform/errors/api-error';
import { type Caller, isAdmin } from '@app/security/access/caller';
import {
  LIFT,
  LIFT_FROM_ITSELF,
  LOCK_ORGANISATION,
  STATE_BY_ID,
  SUSPEND,
  SUSPENSION_STATE,
  type SuspensionState,
} from './suspension.queries';
import type { OrganisationAction } from './suspension.types';
import { type SuspensionChange, SuspensionNotifications } from './suspension-notifications';
import type { StateOfOrganisationResponse } from './suspensions.shapes';

/** Suspends organisations and lifts suspensions. Users are not changed. */
@Injectable()
export class SuspensionsService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly notifications: SuspensionNotifications,
  ) {}

  async read(caller: Caller, id: number): Promise<StateOfOrganisationResponse> {
    return found(await this.queries.row(STATE_BY_ID, readerValues(caller, id)), 'Organisation');
  }

  /** Takes effect at the next request of every user, on every node. */
  async act(caller: Caller, id: number, action: OrganisationAction): Promise<StateOfOrganisationResponse> {
    return this.transactions.run(caller, async (manager) => {
      const [organisation] = await manager.query<{ name: string }[]>(LOCK_ORGANISATION, [id]);
      if (organisation === undefined) throw new NotFound('Organisation');
      const before = await stateOf(manager, caller, id);
      if (!before.mayChange) throw suspendedFromAbove();
      await change(manager, caller, id, action);
      const after = await stateOf(manager, caller, id);
      const { name } = organisation;
      for (const changed of changesBetween(before, after)) {
        await this.notifications.announce(manager, {
          ...changed,
          id,
          name,
          reason: action.reason,
          actorId: caller.actorId,
        });
      }
      return found(await rowIn(manager, STATE_BY_ID, readerValues(caller, id)), 'Organisation');
    });
  }
}

const readerValues = (caller: Caller, id: number): readonly unknown[] => [
  id,
  isAdmin(caller) ? null : caller.organisationId,
];

async function stateOf(manager: EntityManager, caller: Caller, id: number): Promise<SuspensionState> {
  const [state] = await manager.query<SuspensionState[]>(SUSPENSION_STATE, [
    id,
    caller.organisationId,
    isAdmin(caller),
  ]);
  return state as SuspensionState;
}

async function change(
  manager: EntityManager,
  { userId, organisationId }: Caller,
  id: number,
  { type, reason, withSubOrganisations }: OrganisationAction,
): Promise<void> {
  if (type === 'disable') {
    await manager.query(SUSPEND, [id, withSubOrganisations ?? null, reason, userId, organisationId]);
  } else {
    await manager.query(withSubOrganisations === false ? LIFT_FROM_ITSELF : LIFT, [id]);
  }
}

/** The changes that users notice. A change has no effect while another suspension applies. */
function changesBetween(
  before: SuspensionState,
  after: SuspensionState,
): Pick<SuspensionChange, 'kind' | 'whom'>[] {
  const kindOf = (isSuspended: boolean) => (isSuspended ? 'disabled' : 'enabled');
  const changes: Pick<SuspensionChange, 'kind' | 'whom'>[] = [];
  if (before.suspended !== after.suspended) changes.push({ whom: 'itself', kind: kindOf(after.suspended) });
  if (before.beneath !== after.beneath) changes.push({ whom: 'beneath', kind: kindOf(after.beneath) });
  return changes;
}
