import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isAdmin, type Caller } from '@app/core/access/caller';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { NotFound } from '@app/core/errors/api-error';
import {
  LIFT,
  LIFT_FROM_ITSELF,
  LOCK_ORGANISATION,
  STANDING,
  STATE_BY_ID,
  SUSPEND,
  type Standing,
} from './suspension.queries';
import type { OrganisationAction, OrganisationState } from './suspension.types';
import { SuspensionNotices, type SuspensionChange } from './suspension-notices';
import { SuspendedFromAbove } from './suspensions.errors';

/** Keeps the users of organisations out, and lets them in again as they were: nothing of theirs is changed. */
@Injectable()
export class SuspensionsService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly transactions: Transactions,
    private readonly notices: SuspensionNotices,
  ) {}

  async read(caller: Caller, id: number): Promise<OrganisationState> {
    const state = await this.queries.quickRow(STATE_BY_ID, [
      id,
      isAdmin(caller) ? null : caller.organisationId,
    ]);
    if (state === undefined) throw new NotFound('Organisation');
    return state;
  }

  /** Holds for the next request of every user, on every node. */
  async act(caller: Caller, id: number, action: OrganisationAction): Promise<OrganisationState> {
    await this.transactions.run(async (manager) => {
      const [organisation] = await manager.query<{ name: string }[]>(LOCK_ORGANISATION, [id]);
      if (organisation === undefined) throw new NotFound('Organisation');
      const before = await standingOf(manager, caller, id);
      if (!before.mayChange) throw new SuspendedFromAbove();
      await change(manager, caller, id, action);
      const after = await standingOf(manager, caller, id);
      const { name } = organisation;
      for (const told of changesBetween(before, after)) {
        await this.notices.announce(manager, {
          ...told,
          id,
          name,
          reason: action.reason,
          actorId: caller.userId,
        });
      }
    });
    return this.read(caller, id);
  }
}

async function standingOf(manager: EntityManager, caller: Caller, id: number): Promise<Standing> {
  const [standing] = await manager.query<Standing[]>(STANDING, [id, caller.organisationId, isAdmin(caller)]);
  return standing as Standing;
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

/** What its users notice, and those beneath it: not what another suspension keeps as it is. */
function changesBetween(before: Standing, after: Standing): Pick<SuspensionChange, 'kind' | 'whom'>[] {
  const kindOf = (holds: boolean) => (holds ? 'disabled' : 'enabled');
  return [
    ...(before.suspended === after.suspended
      ? []
      : [{ whom: 'itself' as const, kind: kindOf(after.suspended) } as const]),
    ...(before.beneath === after.beneath
      ? []
      : [{ whom: 'beneath' as const, kind: kindOf(after.beneath) } as const]),
  ];
}
