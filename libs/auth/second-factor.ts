import type { EntityManager } from 'typeorm';
import type { Client } from '@app/core/access/client';
import type { Acquaintance } from '@app/core/throttling/acquaintance';
import type { SecondFactor } from '@app/users/user.entity';
import type { LoginInput } from './auth.types';

/** A user whose password was right, as far as the second factor needs it. */
export interface FactorUser {
  readonly id: number;
  readonly secondFactor: SecondFactor;
  readonly totpSecret: string | null;
  readonly totpLastStep: number | null;
  /** Whether the organisation demands a second factor. */
  readonly required: boolean;
  /** What the user is known by; undefined for a stranger with the right password. */
  readonly acquaintance: Acquaintance | undefined;
}

/**
 * What is left of the second step for the transaction that issues the login, after the login itself: it gives the device
 * token that the login answers, empty where there is none. A device is so never trusted by a login that was refused.
 */
export type DeviceStep = (manager: EntityManager) => Promise<string>;

/** Trusts no device now: the login answers this token. */
export const answersToken =
  (token: string): DeviceStep =>
  () =>
    Promise.resolve(token);

/** The second step of a login in the running variant. */
export abstract class SecondFactorStep {
  /**
   * Lets a user with the right password pass, or throws one of the four 401 answers (or 429).
   *
   * Call it before the transaction that issues the login, never inside one: a refused code must stay counted,
   * and many logins that each held one connection while they waited for a second would block each other.
   */
  abstract pass(
    user: FactorUser,
    input: Pick<LoginInput, 'code' | 'trustThisDevice' | 'deviceToken'>,
    client: Client,
  ): Promise<DeviceStep>;
}
