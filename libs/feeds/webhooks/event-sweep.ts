import { setTimeout } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import type { AccountEvent, AudienceEvent, EventType } from '@app/feeds/events/event.types';
import { EventReader } from '@app/feeds/events/event-reader';
import { jobContext } from '@app/platform/context/work-context';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { BackgroundWork } from '@app/platform/jobs/background-work';
import { APP_LOGGER } from '@app/platform/observability/logger';
import { DeliveryTurns } from './delivery-turns';
import { MOST_WAITING } from './webhook.types';
import { bodyOf } from './webhook-body';

/** Milliseconds between two sweeps, because writers do not announce events. */
const INTERVAL = 1000;
/** Milliseconds before the next sweep after a failure. */
const RESTART_DELAY = 5000;
/** Events that are read in one transaction. */
const BATCH = 500;
/** Webhooks that catch up in one transaction. */
const MOST_CATCHING_UP = 10;
/**
 * Webhooks whose waiting deliveries one statement counts. 10,000 deliveries of one webhook take milliseconds,
 * and a customer may have thousands of such webhooks.
 */
const MOST_COUNTED = 100;
/** Deliveries after which a statement inserts them, so that it stays far from its time limit. */
const MANY_DELIVERIES = 1000;

const TASK = jobContext('webhooks.sweep');

const IS_ANYTHING_NEW = prepared<{ readonly isNew: boolean }>(`
  SELECT p.event_id < (SELECT coalesce(max(id), 0) FROM audit_log)
    OR EXISTS (SELECT FROM webhooks WHERE behind_after IS NOT NULL) AS "isNew"
  FROM webhook_position p`);

/** Only one process sweeps at a time; the others skip their sweep. */
const LOCK_POSITION = `SELECT event_id AS position FROM webhook_position FOR UPDATE SKIP LOCKED`;

const MOVE = `UPDATE webhook_position SET event_id = $1`;

const IS_USED = `SELECT EXISTS (SELECT FROM webhooks WHERE enabled) AS "isUsed"`;

/** A webhook that receives events. */
interface Listener {
  readonly id: number;
  readonly organisationId: number;
  readonly events: readonly string[];
  readonly beneath: boolean;
  /** Events up to this one are older than the webhook. */
  readonly madeAfter: number;
  /** Later events that were committed before the webhook was made. */
  readonly unsettledEventIds: readonly number[];
  /** The last event with a delivery, if too many deliveries waited. */
  readonly behindAfter: number | null;
  /** Number of waiting deliveries. */
  readonly waiting: number;
}

/** The lock delays changes and deletions of the webhook. */
const listeners = (condition: string): string => `
  SELECT w.id, w.organisation_id AS "organisationId", w.events, w.reaches_beneath AS beneath,
    w.made_after AS "madeAfter", w.overtaking AS "unsettledEventIds", w.behind_after AS "behindAfter", waiting.count AS waiting
  FROM webhooks w CROSS JOIN LATERAL (
    SELECT count(*)::integer AS count FROM webhook_deliveries d
    WHERE d.webhook_id = w.id AND d.next_try_at IS NOT NULL) waiting
  WHERE w.enabled AND ${condition} FOR UPDATE OF w`;

const KEEPING_UP_IDS = `
  SELECT id FROM webhooks WHERE enabled AND organisation_id = ANY ($1) AND behind_after IS NULL ORDER BY id`;

const KEEPING_UP = listeners('w.id = ANY ($1) AND w.behind_after IS NULL');

/** Chosen at random, so that webhooks that never catch up do not block others. */
const SOME_BEHIND = `ARRAY(
    SELECT id FROM webhooks WHERE behind_after IS NOT NULL AND enabled ORDER BY random() LIMIT ${MOST_COUNTED})`;

const BEHIND = listeners(
  `w.id = ANY (${SOME_BEHIND}) AND waiting.count <= ${MOST_WAITING / 2} LIMIT ${MOST_CATCHING_UP}`,
);

const MARK_BEHIND = `UPDATE webhooks SET behind_after = $2 WHERE id = $1`;

/**
 * Messages are sent in the order of this time. The start of the transaction may be earlier than the time of
 * the previous sweep, which held the lock.
 */
const INSERT = `
  INSERT INTO webhook_deliveries (webhook_id, message_id, event, body, next_try_at)
  SELECT delivery.webhook_id, gen_random_uuid(), delivery.event, delivery.body, clock_timestamp()
  FROM unnest($1::integer[], $2::text[], $3::text[]) AS delivery (webhook_id, event, body)`;

/** Turns events into deliveries, and begins the turns of due webhooks. */
@Injectable()
export class EventSweep extends BackgroundWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly events: EventReader,
    private readonly turns: DeliveryTurns,
    private readonly settings: Settings,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    if (this.settings.worker) this.running = this.keepRunning();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.turns.end();
  }

  /** Processes all new events, and begins the turns that are due after each batch. */
  async run(): Promise<void> {
    const found = await this.queries.row(IS_ANYTHING_NEW, []);
    let hasMore = found?.isNew === true;
    do {
      if (hasMore) hasMore = await this.transactions.run(TASK, (manager) => this.deliverNext(manager));
      await this.turns.begin();
    } while (hasMore && !this.stopping.signal.aborted);
  }

  private async keepRunning(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      let delay = INTERVAL;
      try {
        await this.run();
      } catch (error) {
        this.logger.warn({ err: error }, 'events could not be delivered to webhooks, will be retried');
        delay = RESTART_DELAY;
      }
      await setTimeout(delay, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** Returns whether there may be more events. */
  private async deliverNext(manager: EntityManager): Promise<boolean> {
    const [held] = await manager.query<{ position: number }[]>(LOCK_POSITION);
    if (held === undefined) return false;
    // Read this first: a webhook that the later statements do not see was made after these events.
    const settled = await this.events.settled(manager);
    const [{ isUsed }] = await manager.query<[{ isUsed: boolean }]>(IS_USED);
    const { events, position } = isUsed
      ? await this.events.after(held.position, BATCH, manager)
      : { events: [], position: settled };
    if (position > held.position) await manager.query(MOVE, [position]);
    const hasDelivered = await this.deliver(manager, events, held.position);
    return (await this.catchUp(manager, position)) || hasDelivered;
  }

  private async deliver(
    manager: EntityManager,
    audience: readonly AudienceEvent[],
    before: number,
  ): Promise<boolean> {
    if (audience.length === 0) return false;
    const byOrganisation = new Map<number, AudienceEvent[]>();
    for (const one of audience)
      byOrganisation.set(one.toOrganisationId, [...(byOrganisation.get(one.toOrganisationId) ?? []), one]);
    const ids = (await manager.query<{ id: number }[]>(KEEPING_UP_IDS, [[...byOrganisation.keys()]])).map(
      ({ id }) => id,
    );
    for (let first = 0; first < ids.length; first += MOST_COUNTED) {
      const some = ids.slice(first, first + MOST_COUNTED);
      const told: NewDelivery[] = [];
      for (const listener of await manager.query<Listener[]>(KEEPING_UP, [some])) {
        const { id: webhookId, organisationId, waiting } = listener;
        const events = (byOrganisation.get(organisationId) ?? [])
          .filter(({ isBeneath }) => listener.beneath || !isBeneath)
          .map(({ event }) => event)
          .filter((event) => hasChosen(listener, event));
        if (waiting + events.length > MOST_WAITING) await manager.query(MARK_BEHIND, [webhookId, before]);
        else told.push(...events.map((event) => ({ webhookId, event })));
        if (told.length >= MANY_DELIVERIES) await insert(manager, told.splice(0));
      }
      await insert(manager, told);
    }
    return true;
  }

  /** Continues with webhooks that had too many waiting deliveries. */
  private async catchUp(manager: EntityManager, position: number): Promise<boolean> {
    const behind = await manager.query<Listener[]>(BEHIND);
    let hasMore = behind.length === MOST_CATCHING_UP;
    for (const listener of behind) {
      const { id, organisationId, beneath } = listener;
      const after = listener.behindAfter ?? position;
      const page = await this.events.feed(organisationId, { after, limit: BATCH, beneath }, manager);
      const events = page.events.filter((event) => event.id <= position);
      await insert(
        manager,
        events.filter((event) => hasChosen(listener, event)).map((event) => ({ webhookId: id, event })),
      );
      const isBehind = events.length === BATCH;
      await manager.query(MARK_BEHIND, [id, isBehind ? events.at(-1)?.id : null]);
      hasMore ||= isBehind;
    }
    return hasMore;
  }
}

/** Whether a webhook has chosen an event of its audience, and was there when it happened. */
function hasChosen(listener: Listener, event: AccountEvent): boolean {
  const { madeAfter, unsettledEventIds, events } = listener;
  if (event.id <= madeAfter || unsettledEventIds.includes(event.id)) return false;
  return ['*', `${event.kind}.*`, typeOf(event)].some((word) => events.includes(word));
}

const typeOf = ({ kind, verb }: AccountEvent): EventType => `${kind}.${verb}`;

interface NewDelivery {
  readonly webhookId: number;
  readonly event: AccountEvent;
}

async function insert(manager: EntityManager, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await manager.query(INSERT, [
    deliveries.map(({ webhookId }) => webhookId),
    deliveries.map(({ event }) => typeOf(event)),
    deliveries.map(({ event }) => bodyOf(event)),
  ]);
}
