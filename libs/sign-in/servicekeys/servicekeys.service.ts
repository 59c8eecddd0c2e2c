import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { makerAbove } from '@app/people/organisations/maker-above';
import { StepUp } from '@app/people/users/step-up';
import { lockOwner } from '@app/people/users/user-rows';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { assertNameFits, REQUIRED } from '@app/platform/dto/text-rules';
import { AccessDenied, found, NotFound, ValidationFailed } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import { type Caller, isAdmin } from '@app/security/access/caller';
import { isWider } from '@app/security/access/wider-powers';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';
import type { Proven } from '@app/security/passwords/step-up-proof';
import { alreadyRotated, type KeyRotation } from '@app/sign-in/keys/key.types';
import { insertKey, retireKey, ROTATED, type Rotated } from '@app/sign-in/keys/key-rows';
import { faultsOfOperations, isTooWide, needsWhitelist, powerOf } from './permitted-operations';
import {
  type CreatedServiceKey,
  SERVICE_KEY_BY_ID,
  type ServiceKeyDetails,
  type ServiceKeyOrder,
  serviceKeyPage,
} from './service-key.columns';
import { ServiceKey } from './service-key.entity';
import { type NewServiceKey, rangeTooWide, type ServiceKeyInput } from './service-key.types';
import { SERVICE_KEY_NOTIFICATIONS } from './servicekeys.notifications';

const STORED = prepared<StoredKey>(`
  SELECT name, operations, reaches_beneath AS beneath, as_admin AS "asAdmin", whitelist,
    made_by_organisation AS "madeByOrganisation", ${ROTATED}
  FROM service_keys WHERE organisation_id = $1 AND id = $2`);

/** The lock ensures that only the first of parallel rotations succeeds. */
const LOCK = `${STORED.text} FOR UPDATE`;

/** A key to change. */
interface StoredKey extends Omit<NewServiceKey, 'expiresAt'>, Rotated {
  readonly asAdmin: boolean;
  readonly madeByOrganisation: number | null;
}

/** The key of a path. */
interface KeyPath {
  readonly organisationId: number;
  readonly id: number;
}

/** A key that its organisation is told of. */
interface AnnouncedKey extends KeyPath {
  readonly name: string;
  readonly event: 'new' | 'rotated' | 'changed';
}

/** The rules of service keys. The access statement enforces their rights. */
@Injectable()
export class ServiceKeysService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly notifications: NotificationRecorder,
    private readonly settings: Settings,
    private readonly stepUp: StepUp,
  ) {}

  list(organisationId: number, request: ListRequest<ServiceKeyOrder>): Promise<Page<ServiceKeyDetails>> {
    return this.paginator.page(request, serviceKeyPage(organisationId, request));
  }

  async read({ organisationId, id }: KeyPath): Promise<ServiceKeyDetails> {
    return found(
      await this.queries.row<ServiceKeyDetails>(SERVICE_KEY_BY_ID, [organisationId, id]),
      'Service key',
    );
  }

  /** Only this response contains the value of the key. */
  async create(
    caller: Caller,
    organisationId: number,
    { proof, ...key }: NewServiceKey & Proven,
  ): Promise<CreatedServiceKey> {
    const asAdmin = isAdmin(caller) && organisationId === OPERATOR_ORGANISATION;
    assertOperationsAllowed(caller, { ...key, organisationId, asAdmin });
    await this.stepUp.confirm(caller, proof);
    return this.transactions.run(caller, async (manager) => {
      const madeByOrganisation = await makerAbove(manager, caller, organisationId);
      await lockOwner(manager, { organisationId });
      return this.add(manager, caller, { ...key, organisationId, madeByOrganisation, asAdmin, event: 'new' });
    });
  }

  /**
   * Replaces a key by a new one with the same settings, once for each key. Both are
   * valid until the old one ends.
   */
  async rotate(
    caller: Caller,
    { organisationId, id }: KeyPath,
    { oldKeyHours, expiresAt, proof }: KeyRotation & Proven,
  ): Promise<CreatedServiceKey> {
    await this.stepUp.confirm(caller, proof);
    return this.transactions.run(caller, async (manager) => {
      const madeByOrganisation = await makerAbove(manager, caller, organisationId);
      const old = await lockKey(manager, caller, { organisationId, id });
      if (old.isRotated) throw alreadyRotated();
      // The caller gets the new value, so a rotation requires the same rights as a creation.
      assertOperationsAllowed(caller, { ...old, organisationId });
      await retireKey(manager, 'service_keys', { id, hours: oldKeyHours }, ServiceKey);
      const end = expiresAt === undefined ? {} : { expiresAt };
      return this.add(manager, caller, {
        ...old,
        ...end,
        organisationId,
        madeByOrganisation,
        event: 'rotated',
      });
    });
  }

  /**
   * The value, the end and absent fields do not change. A key that may more than before is announced, and
   * asks for the proof, as a new one. Who lets it do more answers for it, beside whoever has its value.
   */
  async update(caller: Caller, path: KeyPath, { proof, ...input }: ServiceKeyInput & Proven): Promise<void> {
    const { organisationId, id } = path;
    await this.stepUp.confirmIf(caller, proof, async () => {
      const before = await this.queries.row(STORED, [organisationId, id]);
      return before !== undefined && (await changeOf(caller, path, before, input)).mayMore;
    });
    await this.transactions.run(caller, async (manager) => {
      const maker = await makerAbove(manager, caller, organisationId);
      const before = await lockKey(manager, caller, path);
      const { key, mayMore } = await changeOf(caller, path, before, input);
      const madeByOrganisation = before.madeByOrganisation ?? (mayMore ? maker : null);
      await manager.update(ServiceKey, { id }, { ...key, madeByOrganisation });
      if (mayMore) await this.announce(manager, caller, { ...path, name: key.name, event: 'changed' });
    });
  }

  /** Takes effect with the next request on every node, because keys are not cached. */
  async delete(caller: Caller, path: KeyPath): Promise<void> {
    await this.transactions.run(caller, async (manager) => {
      await lockKey(manager, caller, path);
      await manager.delete(ServiceKey, { id: path.id });
    });
  }

  /**
   * Inserts a key and notifies its organisation. Without a requested end the key lives `lifetime` seconds.
   */
  private async add(
    manager: EntityManager,
    caller: Caller,
    key: NewServiceKey & {
      readonly organisationId: number;
      readonly madeByOrganisation: number | null;
      readonly asAdmin: boolean;
      readonly lifetime?: number;
      readonly event: 'new' | 'rotated';
    },
  ): Promise<CreatedServiceKey> {
    const { organisationId, name, operations, beneath, asAdmin, whitelist, expiresAt, lifetime } = key;
    const { id, hash } = await insertKey(
      manager,
      'service_keys',
      {
        organisation_id: organisationId,
        name,
        operations,
        reaches_beneath: beneath,
        made_by_organisation: key.madeByOrganisation,
        as_admin: asAdmin,
        whitelist,
      },
      { expiresAt, lifetime, longest: this.settings.apiKeyTtl },
    );
    await this.announce(manager, caller, { organisationId, id, name, event: key.event });
    const [created] = await manager.query<ServiceKeyDetails[]>(SERVICE_KEY_BY_ID.text, [organisationId, id]);
    return { ...(created as ServiceKeyDetails), hash };
  }

  private async announce(
    manager: EntityManager,
    caller: Caller,
    { organisationId, id, name, event }: AnnouncedKey,
  ): Promise<void> {
    await this.notifications.record(manager, SERVICE_KEY_NOTIFICATIONS[event], {
      organisationId,
      entity: { id, name },
      userId: caller.userId,
    });
  }
}

/** The columns that a change sets, and whether the key may more than before. Throws what is refused. */
async function changeOf(
  caller: Caller,
  { organisationId }: KeyPath,
  before: StoredKey,
  { name, ...input }: ServiceKeyInput,
): Promise<{ key: Pick<ServiceKey, 'name' | 'operations' | 'beneath' | 'whitelist'>; mayMore: boolean }> {
  assertKeyInReach(caller, before);
  await assertNameFits(name, () => Promise.resolve(before.name));
  const key = {
    name,
    operations: [...input.operations],
    beneath: input.beneath ?? before.beneath,
    whitelist: [...(input.whitelist ?? before.whitelist)],
  };
  assertOperationsAllowed(caller, { ...key, organisationId, asAdmin: before.asAdmin });
  return { key, mayMore: isWider(powerOf(before), powerOf(key)) };
}

async function lockKey(
  manager: EntityManager,
  caller: Caller,
  { organisationId, id }: KeyPath,
): Promise<StoredKey> {
  const [key] = await manager.query<StoredKey[]>(LOCK, [organisationId, id]);
  if (key === undefined) throw new NotFound('Service key');
  assertKeyInReach(caller, key);
  return key;
}

/** Only an admin may change a key that acts as an admin, as with users. */
function assertKeyInReach(caller: Caller, { asAdmin }: Pick<StoredKey, 'asAdmin'>): void {
  if (asAdmin && !isAdmin(caller)) throw new AccessDenied();
}

function assertOperationsAllowed(
  caller: Caller,
  key: Parameters<typeof faultsOfOperations>[1] & Pick<NewServiceKey, 'operations' | 'whitelist'>,
): void {
  const faults = faultsOfOperations(caller, key, key.operations);
  if (faults.length > 0) throw ValidationFailed.on('operations', faults);
  if (!needsWhitelist(key.operations)) return;
  if (key.whitelist.length === 0) throw ValidationFailed.on('whitelist', REQUIRED);
  const tooWide = key.whitelist.filter(isTooWide).map(rangeTooWide);
  if (tooWide.length > 0) throw ValidationFailed.on('whitelist', tooWide);
}
