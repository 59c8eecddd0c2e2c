import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventReader } from '@app/feeds/events/event-reader';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { makerAbove } from '@app/people/organisations/maker-above';
import { StepUp } from '@app/people/users/step-up';
import { lockOwner } from '@app/people/users/user-rows';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { found, NotFound, ValidationFailed } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import type { Caller } from '@app/security/access/caller';
import { isWider, type Power } from '@app/security/access/wider-powers';
import type { Proven, StepUpProof } from '@app/security/passwords/step-up-proof';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { ReceiverAddresses } from './receiver-addresses';
import {
  type DeliveryDetails,
  type DeliveryOrder,
  deliveryPage,
  WEBHOOK_BY_ID,
  type WebhookDetails,
  type WebhookOrder,
  webhookPage,
  type WebhookWithSecret,
} from './webhook.columns';
import { Webhook } from './webhook.entity';
import {
  ADDRESS_NOT_PUBLIC,
  eventTypesOf,
  MOST_WAITING,
  type NewWebhook,
  shownName,
  standardUrl,
  tooManyWaiting,
  type WebhookInput,
} from './webhook.types';
import { TEST_EVENT, testBody } from './webhook-body';
import { newWebhookSecret, webhookSecretContext } from './webhook-signature';
import { endWaiting } from './webhooks.lifecycle';
import { WEBHOOK_NOTIFICATIONS } from './webhooks.notifications';

/** The encryption of the secret depends on the id. */
const NEXT_ID = `SELECT nextval(pg_get_serial_sequence('webhooks', 'id'))::integer AS id`;

const INSERT = `
  INSERT INTO webhooks
    (id, organisation_id, url, events, reaches_beneath, enabled, encrypted_secret, made_after, overtaking,
      made_by_organisation)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

const STORED = prepared<StoredWebhook>(`
  SELECT url, events, reaches_beneath AS beneath, enabled, made_by_organisation AS "madeByOrganisation" FROM webhooks
  WHERE organisation_id = $1 AND id = $2`);

/** Locks the webhook for a change, so that no delivery is added meanwhile. */
const LOCK = `${STORED.text} FOR UPDATE`;

const ROTATE = `
  UPDATE webhooks SET encrypted_secret = $2, former_encrypted_secret = encrypted_secret,
    former_secret_ends_at = now() + interval '24 hours', made_by_organisation = coalesce(made_by_organisation, $3)
  WHERE id = $1`;

/**
 * Resets the health of a changed webhook, except whether it is slow. Otherwise a change would let a
 * webhook that hangs delay others.
 */
const RESET_HEALTH = { lastError: '', failingSince: null, failedTries: 0 };

const WAITING = `
  SELECT count(*)::integer AS waiting FROM webhook_deliveries WHERE webhook_id = $1 AND next_try_at IS NOT NULL`;

const SEND_TEST = `
  INSERT INTO webhook_deliveries (webhook_id, message_id, event, body) VALUES ($1, gen_random_uuid(), $2, $3)`;

const RESEND = `UPDATE webhook_deliveries SET next_try_at = now(), failures = 0 WHERE webhook_id = $1 AND id = $2`;

/** The webhook of a path. */
interface WebhookPath {
  readonly organisationId: number;
  readonly id: number;
}

/** A webhook that its organisation is told of. */
interface AnnouncedWebhook extends WebhookPath {
  readonly url: string;
  readonly event: 'new' | 'rotated' | 'changed';
}

/** The rules of webhooks. The access statement enforces their rights. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly keyring: SecretsKeyring,
    private readonly addresses: ReceiverAddresses,
    private readonly events: EventReader,
    private readonly notifications: NotificationRecorder,
    private readonly stepUp: StepUp,
  ) {}

  list(organisationId: number, request: ListRequest<WebhookOrder>): Promise<Page<WebhookDetails>> {
    return this.paginator.page(request, webhookPage(organisationId, request));
  }

  async read({ organisationId, id }: WebhookPath): Promise<WebhookDetails> {
    return found(await this.queries.row<WebhookDetails>(WEBHOOK_BY_ID, [organisationId, id]), 'Webhook');
  }

  /** Only this response contains the secret. */
  async create(
    caller: Caller,
    organisationId: number,
    { proof, ...input }: NewWebhook & Proven,
  ): Promise<WebhookWithSecret> {
    const url = standardUrl(input.url);
    this.assertUrlAllowed(url, organisationId);
    await this.stepUp.confirm(caller, proof);
    return this.transactions.run(caller, async (manager) => {
      const maker = await makerAbove(manager, caller, organisationId);
      await lockOwner(manager, { organisationId });
      const [{ id }] = await manager.query<[{ id: number }]>(NEXT_ID);
      const secret = newWebhookSecret();
      const { settled, unsettledEventIds } = await this.events.snapshot(organisationId, manager);
      await manager.query(INSERT, [
        id,
        organisationId,
        url,
        input.events,
        input.beneath,
        input.enabled,
        this.keyring.encrypt(secret, webhookSecretContext(id)),
        settled,
        unsettledEventIds,
        maker,
      ]);
      await this.announce(manager, caller, { organisationId, id, url, event: 'new' });
      return { ...(await stored(manager, { organisationId, id })), secret };
    });
  }

  /** The old secret also signs for a day, so that the receiver has time to learn the new one. */
  async rotate(
    caller: Caller,
    path: WebhookPath,
    proof: StepUpProof | undefined,
  ): Promise<WebhookWithSecret> {
    await this.stepUp.confirm(caller, proof);
    return this.transactions.run(caller, async (manager) => {
      const maker = await makerAbove(manager, caller, path.organisationId);
      const { url } = await lockWebhook(manager, path);
      const secret = newWebhookSecret();
      const encrypted = this.keyring.encrypt(secret, webhookSecretContext(path.id));
      await manager.query(ROTATE, [path.id, encrypted, maker]);
      await this.announce(manager, caller, { ...path, url, event: 'rotated' });
      return { ...(await stored(manager, path)), secret };
    });
  }

  /**
   * Absent fields do not change; a stored URL that is sent again does not either. Another receiver, and one
   * that is told more than before, is announced and asks for the proof as a new one. Switching on does
   * neither: what a webhook tells was announced, whether it was on or not.
   */
  async update(caller: Caller, path: WebhookPath, { proof, ...input }: WebhookInput & Proven): Promise<void> {
    this.assertUrlAllowed(input.url, path.organisationId);
    await this.stepUp.confirmIf(caller, proof, async () => {
      const before = await this.queries.row(STORED, [path.organisationId, path.id]);
      return before !== undefined && changeOf(before, input).isAnnounced;
    });
    await this.transactions.run(caller, async (manager) => {
      const maker = await makerAbove(manager, caller, path.organisationId);
      const before = await lockWebhook(manager, path);
      const { isOtherReceiver, isAnnounced, ...changes } = changeOf(before, input);
      const { id } = path;
      // Who names the receiver answers for it, else who made or rotated it or let it tell more first.
      const madeByOrganisation = isOtherReceiver
        ? maker
        : (before.madeByOrganisation ?? (isAnnounced ? maker : null));
      await manager.update(Webhook, { id }, { ...changes, madeByOrganisation, ...RESET_HEALTH });
      if (!changes.enabled) await endWaiting(manager, [id]);
      if (isAnnounced) await this.announce(manager, caller, { ...path, url: changes.url, event: 'changed' });
    });
  }

  /** There may be many deliveries. They are hidden from now on, and the clean-up deletes them. */
  async delete(caller: Caller, path: WebhookPath): Promise<void> {
    await this.transactions.run(caller, async (manager) => {
      await lockWebhook(manager, path);
      await manager.delete(Webhook, { id: path.id });
    });
  }

  async test(caller: Caller, path: WebhookPath): Promise<void> {
    await this.transactions.run(caller, async (manager) => {
      await lockWebhook(manager, path);
      await manager.query(SEND_TEST, [path.id, TEST_EVENT, testBody(path)]);
    });
  }

  /** A service key that does not reach beneath sees what was told of the organisation itself. */
  listDeliveries(
    caller: Caller,
    { organisationId, id }: WebhookPath,
    request: ListRequest<DeliveryOrder>,
  ): Promise<Page<DeliveryDetails>> {
    const about = caller.reachesBeneath ? undefined : organisationId;
    return this.paginator.page(request, deliveryPage(id, about, request));
  }

  /** Starts the delivery again from the first try, with the same message. */
  async resend(caller: Caller, path: WebhookPath, deliveryId: number): Promise<void> {
    await this.transactions.run(caller, async (manager) => {
      await lockWebhook(manager, path);
      const [{ waiting }] = await manager.query<[{ waiting: number }]>(WAITING, [path.id]);
      if (waiting >= MOST_WAITING) throw tooManyWaiting();
      const [, count] = await manager.query<[unknown, number]>(RESEND, [path.id, deliveryId]);
      if (count === 0) throw new NotFound('Delivery');
    });
  }

  /** Tells the organisation, as of its service keys. */
  private async announce(
    manager: EntityManager,
    caller: Caller,
    { organisationId, id, url, event }: AnnouncedWebhook,
  ): Promise<void> {
    await this.notifications.record(manager, WEBHOOK_NOTIFICATIONS[event], {
      organisationId,
      entity: { id, name: shownName(url) },
      userId: caller.userId,
    });
  }

  private assertUrlAllowed(url: string, organisationId: number): void {
    if (!this.addresses.isUrlAllowed(new URL(url), organisationId))
      throw ValidationFailed.on('url', ADDRESS_NOT_PUBLIC);
  }
}

/** Webhooks of before may have another form of the URL. */
const isSameUrl = (url: string, stored: string): boolean => new URL(url).href === new URL(stored).href;

/** What the receiver is told: each kind of event. */
const powerOf = ({
  events,
  beneath,
}: Pick<WebhookInput, 'events'> & Pick<WebhookDetails, 'beneath'>): Power => ({
  words: new Set(events.flatMap(eventTypesOf)),
  beneath,
  whitelist: [],
});

/** The columns that a change sets, and whether it is announced. */
function changeOf(
  before: StoredWebhook,
  { url: given, events, beneath = before.beneath, enabled = before.enabled }: WebhookInput,
): WebhookChange {
  const url = given === before.url ? given : standardUrl(given);
  const isOtherReceiver = !isSameUrl(url, before.url);
  return {
    url,
    events: [...events],
    beneath,
    enabled,
    isOtherReceiver,
    isAnnounced: isOtherReceiver || isWider(powerOf(before), powerOf({ events, beneath })),
  };
}

/** What a change stores, and what follows from it. */
interface WebhookChange extends Pick<Webhook, 'url' | 'events' | 'beneath' | 'enabled'> {
  readonly isOtherReceiver: boolean;
  readonly isAnnounced: boolean;
}

/** A webhook to change. */
type StoredWebhook = Pick<WebhookDetails, 'url' | 'events' | 'beneath' | 'enabled'> &
  Pick<Webhook, 'madeByOrganisation'>;

async function lockWebhook(
  manager: EntityManager,
  { organisationId, id }: WebhookPath,
): Promise<StoredWebhook> {
  const [webhook] = await manager.query<StoredWebhook[]>(LOCK, [organisationId, id]);
  if (webhook === undefined) throw new NotFound('Webhook');
  return webhook;
}

async function stored(manager: EntityManager, { organisationId, id }: WebhookPath): Promise<WebhookDetails> {
  const [webhook] = await manager.query<WebhookDetails[]>(WEBHOOK_BY_ID.text, [organisationId, id]);
  return webhook as WebhookDetails;
}
