import { randomBytes } from 'node:crypto';
import type { Call, Deployment } from './deployment';
import type { PerVariant, Variant } from '../test/support/variants';
import type { Json, Need } from './scenario';

/** Follows the password rules of both variants. */
export const PASSWORD = 'Passw0rd-1x';
/** What examples change {@link PASSWORD} to. */
export const NEW_PASSWORD = 'Andere-Passw0rd-2';

/** Whether an admin can create a user, or users come from invitations alone. */
const CAN_CREATE_USERS: PerVariant<boolean> = { A: false, B: true };

/** The secrets that mails carry. */
export type MailedSecret = 'invitationToken' | 'resetToken' | 'confirmationCode';

/** What no client of the interface can do, but a test with a service of its own can. */
export interface TestHooks {
  /** The secret in the newest mail to the address. */
  mailedSecret(address: string, secret: MailedSecret): Promise<string>;
  /** Puts an app 101, a domain 102, a mail group 103 and a system 104 of the organisation into the register. */
  registerEntities(organisationId: number): Promise<void>;
}

export interface SessionOptions {
  readonly variant: Variant;
  readonly adminUsername: string;
  readonly adminPassword: string;
  /** For an admin with two-factor login. */
  readonly adminCode?: string;
  readonly testHooks?: TestHooks;
}

/** A user as whom examples act. */
export interface Person {
  readonly id: number;
  readonly username: string;
  readonly organisationId: number;
  readonly hash: string;
}

/** The run cannot begin: nothing was checked. */
export class CannotBegin extends Error {}

const asObject = (value: unknown): Record<string, Json> => value as Record<string, Json>;

/** The admin who runs the examples, and one organisation that was made for them. */
export class Session {
  readonly unique = randomBytes(5).toString('hex');
  readonly organisationName = `QA ${this.unique}`;
  organisationId = 0;
  /** The admin's login. */
  hash = '';
  admin: Record<string, Json> = {};
  /** The needs that this deployment can fulfil. */
  readonly can = new Set<Need>(['user']);
  private people = 0;

  constructor(
    readonly deployment: Deployment,
    readonly options: SessionOptions,
  ) {}

  async begin(): Promise<void> {
    const { adminUsername, adminPassword, adminCode, testHooks } = this.options;
    const login = await this.succeed('log in as the admin', {
      method: 'POST',
      path: '/login',
      body: {
        username: adminUsername,
        password: adminPassword,
        ...(adminCode !== undefined && { '6digitCode': adminCode }),
      },
    });
    this.hash = login['hash'] as string;
    const user = asObject(login['user']);
    if (!(user['roles'] as string[]).includes('ROLE_ADMIN')) {
      throw new CannotBegin(`${adminUsername} does not hold ROLE_ADMIN.`);
    }
    this.admin = { ...user, organisationId: asObject(user['organisation'])['id'] as number };
    const made = await this.succeed('create an organisation', {
      method: 'POST',
      path: '/organisations',
      hash: this.hash,
      body: { name: this.organisationName, taxNumber: `QA-${this.unique}` },
    });
    this.organisationId = asObject(made['organisation'])['id'] as number;
    if (testHooks !== undefined) this.can.add('mail').add('entities');
    if (await this.canMakePeople()) this.can.add('person');
  }

  /** Takes everything away and ends the admin's login; gives what is left, with why. */
  async end(): Promise<string[]> {
    if (this.hash === '') return [];
    const left = await this.deployment.cleanUp(this.hash);
    try {
      await this.deployment.send({ method: 'POST', path: '/logout', hash: this.hash });
    } catch (error) {
      left.push(`the login of the admin: ${(error as Error).message}`);
    }
    return left;
  }

  /** Anna de Boer, a fresh user of the run's organisation, and a login of hers. */
  async makePerson(roles = ''): Promise<Person> {
    const username = `qa-${this.unique}-${++this.people}@example.com`;
    const person = { username, firstName: 'Anna', lastName: 'de Boer' };
    const id = this.canCreateUsers ? await this.create(person, roles) : await this.register(person, roles);
    const login = await this.succeed('log in as the person', {
      method: 'POST',
      path: '/login',
      body: { username, password: PASSWORD },
    });
    return { id, username, organisationId: this.organisationId, hash: login['hash'] as string };
  }

  private get canCreateUsers(): boolean {
    return CAN_CREATE_USERS[this.options.variant];
  }

  /** Where users come from invitations alone, the tokens are mailed unless the deployment needs none. */
  private async canMakePeople(): Promise<boolean> {
    if (this.canCreateUsers || this.options.testHooks !== undefined) return true;
    const mark = this.deployment.mark;
    try {
      await this.makePerson();
      return true;
    } catch (error) {
      if (error instanceof CannotBegin) return false;
      throw error;
    } finally {
      await this.deployment.cleanUp(this.hash, mark);
    }
  }

  private async create(person: Readonly<Record<string, string>>, roles: string): Promise<number> {
    const response = await this.succeed('create a user', {
      method: 'POST',
      path: `/organisations/${this.organisationId}/userandcontact`,
      hash: this.hash,
      body: { ...person, password: PASSWORD, defaultRoles: roles },
    });
    return asObject(response['user'])['id'] as number;
  }

  private async register(
    { username, ...names }: Readonly<Record<'username' | 'firstName' | 'lastName', string>>,
    roles: string,
  ): Promise<number> {
    const response = await this.succeed('invite a user', {
      method: 'POST',
      path: `/organisations/${this.organisationId}/invitations`,
      hash: this.hash,
      body: { ...names, email: username, autoRoles: roles },
    });
    const inviationId = asObject(response['invitation'])['id'] as number;
    const token = await this.options.testHooks?.mailedSecret(username, 'invitationToken');
    const registered = await this.succeed('register without a mailed token', {
      method: 'POST',
      path: `/registerInvitation${token === undefined ? '' : `/${token}`}`,
      body: { email: username, organisationId: this.organisationId, inviationId, password: PASSWORD },
    });
    return asObject(registered['user'])['id'] as number;
  }

  private async succeed(action: string, call: Call): Promise<Record<string, Json>> {
    const response = await this.deployment.send(call).catch((error: unknown) => {
      throw new CannotBegin(`Could not ${action}: ${(error as Error).message}`);
    });
    const { status } = response;
    if (status === 200 || status === 201) return response.body as Record<string, Json>;
    throw new CannotBegin(`Could not ${action}: ${status} ${response.text.slice(0, 200)}`.trim());
  }
}
