import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { MailBounds } from './mail-bounds';
import { queueMails, queueRelease, RELEASE_MAILS, type ReleaseJob } from './mail-jobs';
import {
  type MailSource,
  MailSources,
  type MailVerdict,
  type MailWithVerdict,
  type UnreleasedMail,
} from './mail-source';

/**
 * Mails of a customer in one turn, half a second's work. The job that releases them stands in one line
 * with all mails, and goes to its end for the next ones: so customers take turns.
 */
const MAILS_OF_A_TURN = 25;

/** Behind the mails that this transaction queues. */
const NEXT_TURN = `SELECT now() + interval '1 millisecond' AS "nextTurn"`;

/** Turns of one line come one after the other, so that each knows what the one before has left. */
const LOCK_LINE = `/* mails.lockLine */ SELECT pg_advisory_xact_lock(hashtext('${RELEASE_MAILS}'), $1)`;

/**
 * Releases the mails that wait in the line of a customer, as far as the bounds of an hour let them leave.
 * Every mail passes here but recovery, codes and the link that verifies a user name.
 */
@Injectable()
export class ReleaseMailsHandler extends JobHandler {
  readonly task = RELEASE_MAILS;
  override readonly pool = 'mails';

  constructor(
    private readonly transactions: Transactions,
    private readonly bounds: MailBounds,
    private readonly sources: MailSources,
  ) {
    super();
  }

  async run(payload: unknown, { ctx, key }: RunningJob): Promise<void> {
    const { customerId } = payload as ReleaseJob;
    await this.transactions.run(ctx, async (manager) => {
      await manager.query(LOCK_LINE, [customerId]);
      const taken = await this.take(manager, customerId);
      const verdicts = await this.bounds.ask(
        manager,
        customerId,
        taken.map(({ mail }) => mail),
      );
      const decided = taken.map(({ source, mail }, place) => ({
        source,
        mail: { ...mail, ...(verdicts[place] as MailVerdict) },
      }));
      for (const source of this.sources.inOrder) {
        const mails = decided.filter((one) => one.source === source).map(({ mail }) => mail);
        if (mails.length > 0) await this.release(manager, source, mails);
      }
      const mails = decided.map(({ mail }) => mail);
      if (mails.length === MAILS_OF_A_TURN) await this.queueTurn(manager, customerId, mails);
      // A job without a key comes besides those that the line has.
      else if (key !== undefined || mails.some(({ outcome }) => outcome === 'waits'))
        await this.queueLater(manager, customerId);
    });
  }

  /** The first mails of the line. */
  private async take(
    manager: EntityManager,
    customerId: number,
  ): Promise<{ readonly source: MailSource; readonly mail: UnreleasedMail }[]> {
    const taken: { readonly source: MailSource; readonly mail: UnreleasedMail }[] = [];
    for (const source of this.sources.inOrder) {
      const room = MAILS_OF_A_TURN - taken.length;
      if (room === 0) break;
      const unreleased = await source.unreleased(manager, customerId, room);
      taken.push(...unreleased.map((mail) => ({ source, mail })));
    }
    return taken;
  }

  private async release(
    manager: EntityManager,
    source: MailSource,
    mails: readonly MailWithVerdict[],
  ): Promise<void> {
    await source.storeVerdicts(manager, mails);
    const leaving = mails.flatMap(({ id, job, ...verdict }) =>
      verdict.outcome === 'leaves' ? [{ id, job, isLast: verdict.isLast }] : [],
    );
    await queueMails(manager, source.name, leaving);
  }

  private async queueTurn(
    manager: EntityManager,
    customerId: number,
    mails: readonly MailWithVerdict[],
  ): Promise<void> {
    const [row] = await manager.query<{ nextTurn: Date }[]>(NEXT_TURN);
    const { nextTurn: runAt } = row as { nextTurn: Date };
    const priority = mails.at(-1)?.job.priority ?? 'bulk';
    await queueRelease(manager, customerId, { name: 'turn', priority, runAt });
  }

  /** A turn for the time when the first of the mails may leave that wait for one. */
  private async queueLater(manager: EntityManager, customerId: number): Promise<void> {
    const times: Date[] = [];
    for (const source of this.sources.inOrder) {
      const time = await source.nextTime(manager, customerId);
      if (time !== undefined) times.push(time);
    }
    const [runAt] = times.sort((one, other) => one.getTime() - other.getTime());
    if (runAt !== undefined)
      await queueRelease(manager, customerId, { name: 'later', priority: 'invitation', runAt });
  }
}
