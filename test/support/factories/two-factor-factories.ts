import type { Test } from 'supertest';
import { Clock } from '@app/people/users/clock';
import { newTotpSecret, secretContext, totpAt } from '@app/people/users/totp';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { anonymous, ApiClient } from '../service/client';
import type { ReachableService, TestService } from '../service/service';
import { type MadeUser, makeUser, PASSWORD, type UserOptions } from './factories';

/** Milliseconds of one TOTP step. */
const STEP = 30_000;

/** A clock of the service that stands still until a test moves it. */
export class MovableClock {
  /** The middle of a step, so that a step either way is a step either way. */
  private time = Math.floor(Date.now() / STEP) * STEP + STEP / 2;

  constructor(...services: TestService[]) {
    for (const service of services) service.app.get(Clock).now = () => this.now();
  }

  now(): Date {
    return new Date(this.time);
  }

  moveSteps(steps: number): void {
    this.time += steps * STEP;
  }

  /** The code that an authenticator shows, `steps` away from now. */
  code(secret: string, steps = 0): string {
    return totpAt(secret, new Date(this.time + steps * STEP));
  }

  /** Six digits that are right neither now nor a step away. */
  wrongCode(secret: string): string {
    const right = [-1, 0, 1].map((steps) => this.code(secret, steps));
    return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '444444';
  }
}

export interface TwoFactorUser extends MadeUser {
  /** Base32, as the service showed it. */
  readonly secret: string;
}

/**
 * Gives a user a second factor without the routes of Variant A, and gives the secret of its authenticator.
 */
export async function giveSecondFactor(service: TestService, userId: number): Promise<string> {
  const secret = newTotpSecret();
  const encrypted = service.app.get(SecretsKeyring).encrypt(secret, secretContext(userId));
  await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = ${encrypted} WHERE id = ${userId}`;
  return secret;
}

/** Gives a user who has none an authenticator that nobody has. */
export async function storeAuthenticator(service: ReachableService, userId: number): Promise<null> {
  await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'nobody’s'
    WHERE id = ${userId} AND second_factor <> 'enabled'`;
  return null;
}

/** Asks for a secret as the user does. */
export async function showSecret(service: ReachableService, username: string): Promise<string> {
  const response = await anonymous(service)
    .post('/enable2faandget2fasecret', { username, password: PASSWORD })
    .expect(200);
  return (response.body as { secret: string }).secret;
}

/** A user that has switched two-factor login on, and for whom the next code is a new one. */
export async function makeTwoFactorUser(
  service: ReachableService,
  clock: MovableClock,
  options: UserOptions,
): Promise<TwoFactorUser> {
  const user = await makeUser(service, options);
  const secret = await showSecret(service, user.username);
  const response = await anonymous(service)
    .post('/activate2fa', { username: user.username, password: PASSWORD, '6digitCode': clock.code(secret) })
    .expect(200);
  clock.moveSteps(2);
  return { ...user, secret, client: new ApiClient(service.url, (response.body as { hash: string }).hash) };
}

/** Calls of the routes that take name and password, as one user from one device. */
export class Device {
  constructor(
    private readonly service: ReachableService,
    private readonly username: string,
    private readonly userAgent = 'Test/1.0',
  ) {}

  login = (fields: object = {}): Test => this.post('/login', fields);
  activate = (fields: object = {}): Test => this.post('/activate2fa', fields);
  cancel = (fields: object = {}): Test => this.post('/cancel2faActivation', fields);
  showSecret = (fields: object = {}): Test => this.post('/enable2faandget2fasecret', fields);

  private post(path: string, fields: object): Test {
    return anonymous(this.service)
      .post(path, { username: this.username, password: PASSWORD, ...fields })
      .set('User-Agent', this.userAgent);
  }
}

/** The stored state of a user's second factor. */
export async function storedSecondFactor(
  service: ReachableService,
  userId: number,
): Promise<{ state: string; secret: string | null; lastStep: number | null }> {
  const [row] = await service.sql<{ state: string; secret: string | null; lastStep: number | null }>(
    `SELECT second_factor AS state, totp_secret AS secret, totp_last_step AS "lastStep" FROM users WHERE id = $1`,
    [userId],
  );
  if (row === undefined) throw new Error(`No user ${userId}`);
  return row;
}
