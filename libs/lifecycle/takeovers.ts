import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Hands, handsOf } from './takeover-acts';

/** A user whose account somebody else had, from a change of its name until it restored the name. */
export interface StolenAccount {
  readonly userId: number;
  readonly organisationId: number;
  /** When the user lost the restored name. */
  readonly since: Date;
  /** When the user had it again. Absent while it is being restored. */
  readonly until?: Date;
}

/** The account, and everybody who acted by it. */
export interface Takeover extends StolenAccount {
  readonly hands: Hands;
}

/** The type of the news that name what has ended. */
export const TAKEOVER_NEWS = 'takeover_ended';

/** What becomes of a record. Each is a param of the news of it. */
export type TakeoverOutcome =
  | 'endedInvitations'
  | 'endedServiceKeys'
  | 'endedWebhooks'
  | 'endedGrants'
  | 'endedContacts'
  | 'serviceKeysOff'
  | 'webhooksOff'
  | 'grantsThatRead'
  | 'securityContacts'
  | 'movedContacts'
  | 'disabledUsers'
  | 'restoredNames'
  | TakeoverRemains;

/** What cannot go back. It is told and stops nothing. */
type TakeoverRemains = (typeof REMAINS)[number];

const REMAINS = ['goneContacts', 'keptNames', 'keptUsers'] as const;

export interface TakeoverRecord {
  readonly outcome: TakeoverOutcome;
  readonly organisationId: number;
  /** A name that the reader knows the record by, or a number. */
  readonly name: string | number;
}

/** How a domain ends what was made by a stolen account (rule recovery 30). `TableRules` include it. */
export interface TakeoverRule {
  /**
   * Ends or takes back what belongs to the domain, at most so many records as one transaction
   * can, and returns what became of them. It runs until nobody finds anything more, so it must
   * not find again what it has ended.
   */
  readonly endTakeover: (manager: EntityManager, takeover: Takeover) => Promise<TakeoverRecord[]>;
  /** Locks that come before the lock of the restored user. */
  readonly lockTakeover?: (manager: EntityManager, takeover: Takeover) => Promise<void>;
}

/** What one transaction has ended. */
export interface EndedTakeover {
  readonly records: readonly TakeoverRecord[];
  readonly isWhole: boolean;
}

/** Ends in all domains what was made by stolen accounts. */
@Injectable()
export class Takeovers {
  /** In the order of execution. */
  handlers: readonly TakeoverRule[] = [];

  /**
   * Milliseconds after which a transaction begins no further run. A thief may have made thousands of records,
   * and must not make the restoration fail by that: a job ends the others.
   */
  longest = 1500;

  /** Call it before the row of the user is locked. */
  async lock(manager: EntityManager, stolen: StolenAccount): Promise<void> {
    const takeover = { ...stolen, hands: await handsOf(manager, stolen) };
    for (const { lockTakeover } of this.handlers) await lockTakeover?.(manager, takeover);
  }

  /**
   * Call it once the credentials of the user have ended. Each run ends credentials that may have acted
   * meanwhile, and the next one finds what they did.
   */
  async end(manager: EntityManager, stolen: StolenAccount): Promise<EndedTakeover> {
    const begun = performance.now();
    const records: TakeoverRecord[] = [];
    for (;;) {
      const found = await this.endSome(manager, { ...stolen, hands: await handsOf(manager, stolen) });
      const ended = found.filter(({ outcome }) => !isRemaining(outcome));
      if (ended.length === 0) return { records: [...records, ...found], isWhole: true };
      records.push(...ended);
      if (performance.now() - begun > this.longest) return { records, isWhole: false };
    }
  }

  private async endSome(manager: EntityManager, takeover: Takeover): Promise<TakeoverRecord[]> {
    const found: TakeoverRecord[] = [];
    for (const { endTakeover } of this.handlers) found.push(...(await endTakeover(manager, takeover)));
    return found;
  }
}

/** Whether it cannot go back, and is told at the end. */
export const isRemaining = (outcome: TakeoverOutcome): boolean =>
  (REMAINS as readonly TakeoverOutcome[]).includes(outcome);
