import type { EntityManager } from 'typeorm';
import type { SecondFactor } from '@app/people/users/user.types';
import { prepared, preparedRows } from '@app/platform/database/pg-reads/database-reads';
import type { RequestContext } from '@app/security/context/request-context';
import type { KnownClient } from '@app/security/passwords/password-checks';
import type { LoginInput } from './auth.types';
import { TrustedDevice } from './trusted-device.entity';

/** The data that the second factor needs, of a user with the right password. */
export interface FactorUser {
  readonly id: number;
  readonly secondFactor: SecondFactor;
  readonly totpSecret: string | null;
  readonly totpLastStep: number | null;
  /** Whether the organisation demands a second factor. */
  readonly required: boolean;
  /** Undefined for a stranger with the right password. */
  readonly knownClient: KnownClient | undefined;
}

/** What the second step found out about the device of a login. */
export interface PassedFactor {
  /** The token of a device that is trusted already, for the response; else empty. */
  readonly deviceToken: string;
  /** The user wants this device to be trusted, or its trust renewed. */
  readonly trustsDevice: boolean;
}

/** The second step of a login in the running variant. */
export abstract class SecondFactorStep {
  /**
   * Accepts a user with the right password, or throws one of the four 401 errors or 429.
   *
   * Call it before the transaction that issues the login. A rollback must not undo the count of a refused
   * code, and logins that hold a connection while they wait for a second one would block each other.
   */
  abstract pass(
    ctx: RequestContext,
    user: FactorUser,
    input: Pick<LoginInput, 'code' | 'trustThisDevice' | 'deviceToken'>,
  ): Promise<PassedFactor>;

  /**
   * Trusts the device of the user, and returns its token for the response. Call it after the login, in its
   * transaction, so that a refused login trusts no device.
   */
  protected abstract trustDevice(
    ctx: RequestContext,
    manager: EntityManager,
    userId: number,
  ): Promise<string>;

  /** The device token of the response, in the transaction of the login; empty for none. */
  async deviceTokenOf(
    ctx: RequestContext,
    manager: EntityManager,
    userId: number,
    { deviceToken, trustsDevice }: PassedFactor,
  ): Promise<string> {
    return trustsDevice ? this.trustDevice(ctx, manager, userId) : deviceToken;
  }
}

const LACKS_FACTOR = prepared<{ lacks: boolean }>(`
  SELECT o.required_2fa AND NOT has_second_factor(u.id) AS lacks
  FROM users u JOIN organisations o ON o.id = u.organisation_id WHERE u.id = $1`);

/**
 * Whether the organisation of a user demands a second factor, and the user has neither an authenticator nor a
 * passkey.
 */
export async function lacksDemandedFactor(manager: EntityManager, userId: number): Promise<boolean> {
  const [user] = await preparedRows(manager, LACKS_FACTOR, [userId]);
  return user?.lacks === true;
}

/** Ends the trust in all devices of a user, so that the next login requires a code. */
export async function forgetDevices(manager: EntityManager, userId: number): Promise<void> {
  await manager.delete(TrustedDevice, { userId });
}

/** Ends the trust in one device of a user. False if the device does not exist. */
export async function forgetDevice(manager: EntityManager, userId: number, id: number): Promise<boolean> {
  const { affected } = await manager.delete(TrustedDevice, { id, userId });
  return affected !== 0;
}
