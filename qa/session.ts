import { randomBytes, randomInt } from 'node:crypto';
import type { Call, Deployment } from './deployment';
import { ENTITY_PATHS, newEntities } from './made-values';
import type { Mails } from './mail/mails';
import type { Json, Need } from './scenario';
import type { PerVariant, Variant } from './variants';
import type { WebhookReceiver } from './webhook-receiver';

/** Follows the password rules of both variants. */
export const PASSWORD = 'Passw0rd-1x';
/** What examples change {@link PASSWORD} to. */
export const NEW_PASSWORD = 'Andere-Passw0rd-2';

/**
 * A service takes 30 registrations without a mailed token of one network in 15 minutes (rule users 35).
 */
export class NoMorePeople extends Error {
  override readonly name = 'NoMorePeople';
}

/** Whether an admin can create a user, or users come only from invitations. */
const CAN_CREATE_USERS: PerVariant<boolean> = { A: false, B: true };

/** The domain of mails that nobody reads. */
const MAIL_DOMAIN = 'example.com';

export interface SessionOptions {
  readonly variant: Variant;
  readonly adminUsername: string;
  readonly adminPassword: string;
  /** For an admin with two-factor login. */
  readonly adminCode?: string;
  /** Where the mails of the deployment can be read. */
  readonly mails?: Mails;
  /** Where the webhooks of the deployment arrive. */
  readonly receiver?: WebhookReceiver;
  /** Domain of the people that the run makes. */
  readonly mailDomain?: string;
  /** A page that adds passkeys and logs in with them: one of `PASSKEY_ORIGINS`. */
  readonly passkeyOrigin?: string;
  /** Whether time may pass there, for everybody: it must be a service with `TEST_CLOCK=on`. */
  readonly testClock?: boolean;
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
  readonly entities = newEntities();
  readonly mailDomain: string;
  private people = 0;
  private texts = 0;

  constructor(
    readonly deployment: Deployment,
    readonly options: SessionOptions,
  ) {
    this.mailDomain = options.mailDomain ?? MAIL_DOMAIN;
  }

  async begin(): Promise<void> {
    const user = await this.logIn();
    if (!(user['roles'] as string[]).includes('ROLE_ADMIN')) {
      throw new CannotBegin(`${this.options.adminUsername} does not hold ROLE_ADMIN.`);
    }
    this.admin = { ...user, organisationId: asObject(user['organisation'])['id'] as number };
    const made = await this.succeed('create an organisation', {
      method: 'POST',
      path: '/organisations',
      hash: this.hash,
      body: { name: this.organisationName, taxNumber: `QA-${this.unique}` },
    });
    this.organisationId = asObject(made['organisation'])['id'] as number;
    if (this.options.testClock === true) await this.findClock();
    if (this.options.mails !== undefined) this.can.add('mail');
    if (this.options.receiver !== undefined) this.can.add('receiver');
    if (this.options.passkeyOrigin !== undefined) this.can.add('passkeys');
    if (await this.canMakePeople()) this.can.add('person');
    await this.registerEntities();
  }

  /** Logs the admin in again where time has ended the login. */
  async renewLogin(): Promise<void> {
    const { status } = await this.deployment.send({ method: 'GET', path: '/whoami', hash: this.hash });
    if (status === 401) await this.logIn();
  }

  /** Deletes everything and ends the admin's login; returns what is left, with the reason. */
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

  /** Given once: a mail that comes late must not be taken for one to the same address in another scenario. */
  uniqueText(): string {
    return `${this.unique}${++this.texts}`;
  }

  /** Whoever hands a document over chooses its identifier. */
  newDocumentId(): number {
    return randomInt(1, 2 ** 31);
  }

  /** Anna de Boer, a fresh user of the run's organisation, and a login of hers. */
  readonly makePerson = async (roles = ''): Promise<Person> => {
    const username = `qa-${this.unique}-${++this.people}@${this.mailDomain}`;
    const person = { username, firstName: 'Anna', lastName: 'de Boer' };
    const id = this.canCreateUsers ? await this.create(person, roles) : await this.register(person, roles);
    const login = await this.succeed('log in as the person', {
      method: 'POST',
      path: '/login',
      body: { username, password: PASSWORD },
    });
    return { id, username, organisationId: this.organisationId, hash: login['hash'] as string };
  };

  private async logIn(): Promise<Record<string, Json>> {
    const { adminUsername, adminPassword, adminCode } = this.options;
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
    return asObject(login['user']);
  }

  /** An empty request moves nothing, and tells by its refusal that the route is there. */
  private async findClock(): Promise<void> {
    if (this.options.adminCode !== undefined) {
      throw new CannotBegin('Where time passes, the admin logs in again: take one without two-factor login.');
    }
    const call = { method: 'POST', path: '/testClock', hash: this.hash, body: {} };
    const { status } = await this.deployment.send(call);
    if (status !== 400) throw new CannotBegin(`This service does not run with TEST_CLOCK=on: ${status}`);
    this.can.add('clock');
  }

  /** Puts an app, a domain, a mail group and a system of the run's organisation into the register. */
  private async registerEntities(): Promise<void> {
    for (const { kind, id, ...body } of this.entities.of(this.organisationId)) {
      const path = `/entities/${ENTITY_PATHS[kind]}/${id}`;
      await this.succeed('register an entity', { method: 'PUT', path, hash: this.hash, body });
      this.deployment.remember(path);
    }
  }

  private get canCreateUsers(): boolean {
    return CAN_CREATE_USERS[this.options.variant];
  }

  /** Where users come only from invitations, the tokens are mailed unless the deployment needs none. */
  private async canMakePeople(): Promise<boolean> {
    if (this.canCreateUsers) return true;
    const mark = this.deployment.mark;
    try {
      await this.makePerson();
      return true;
    } catch (error) {
      // Whoever said where the mails are is told why nobody can register.
      if (this.options.mails !== undefined) throw new CannotBegin((error as Error).message);
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
    const token = await this.options.mails?.mailedSecret(username, 'invitationToken');
    const registered = await this.succeed(`register with${token === undefined ? 'out' : ''} a mailed token`, {
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
    if (status >= 200 && status < 300) return response.body as Record<string, Json>;
    if (status === 429 && call.path === '/registerInvitation') {
      this.can.delete('person');
      throw new NoMorePeople();
    }
    throw new CannotBegin(`Could not ${action}: ${status} ${response.text.slice(0, 200)}`.trim());
  }
}
