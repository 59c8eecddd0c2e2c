import type { Request } from 'express';
import { networkOf } from '@app/formats/ip-address';
import type { Client } from '@app/platform/concurrency/fair-limiter';
import type { AddressedVersion } from '@app/platform/context/addressed-version';
import type { ClientAddresses } from '@app/platform/context/client-addresses';
import type { ContextTransaction, WorkContext } from '@app/platform/context/work-context';
import type { CountedAttempt } from '../throttling/throttler';
import { OPERATOR_ORGANISATION } from './operator';

export type CredentialKind = 'login' | 'support_login' | 'api_key' | 'service_key';

/** The proof of the actor: a credential, its substitute on a public route, or the operator's own process. */
interface ActingCredential {
  readonly kind:
    | CredentialKind
    | 'password'
    | 'passkey'
    | 'confirmation_code'
    | 'reset_token'
    | 'username_link'
    | 'login_notice'
    | 'login_link'
    | 'invitation'
    | 'command'
    | 'job'
    | 'start-up';
  /** Id of the login, key, link or invitation. */
  readonly id?: number;
}

/** Maximum length of a stored user agent. */
const MAX_USER_AGENT_LENGTH = 512;

/** An organisation, with the customer that it is or lies beneath. */
export interface PlaceOfCustomer {
  readonly customerId: number;
  readonly organisationId: number;
}

/**
 * The client for somebody of an organisation: a user, a service key, or those whom it has invited. Customers
 * share the work of a process: who makes organisations gets no more of it (rule organisations 22).
 */
export const clientIn = (place: PlaceOfCustomer, holder = 'invited'): Client => ({
  group: `customer ${place.customerId}`,
  part: `organisation ${place.organisationId}`,
  member: holder,
});

/** The parts of an HTTP request that identify its actor. */
export interface Arrival {
  readonly request: Pick<Request, 'socket' | 'headers'>;
  readonly addresses: ClientAddresses;
  /** The id in the log and the response. */
  readonly requestId: string;
  /** When the client began to wait, by `performance.now()`. */
  readonly arrivedAt: number;
}

/**
 * The actor of some work, its address and its start. The access guard makes a context for each request;
 * commands and the start make their own, and a job has no more than a `jobContext`. Everything that writes
 * takes a context as its first argument, and the audit log contains its actor.
 */
export class RequestContext implements WorkContext {
  /** Null if no user acts, but a service key, a job or a command. */
  userId: number | null = null;
  /** The organisation of the user or service key, or the organisation that invited. */
  organisationId: number | undefined;
  /** The count of a call without a credential, which a right login takes back. */
  countedCall: CountedAttempt | undefined;
  /** The customer that this organisation is or lies beneath. */
  customerId: number | undefined;
  version?: AddressedVersion;
  transaction?: ContextTransaction;

  /**
   * @param requestId for a command its name
   * @param name for a job its task, for a service key its name, for a command the account of the machine
   */
  protected constructor(
    readonly requestId: string | undefined,
    public credential?: ActingCredential,
    readonly name?: string,
    private readonly arrival?: Arrival,
  ) {}

  static forRequest(arrival: Arrival): RequestContext {
    return new RequestContext(arrival.requestId, undefined, undefined, arrival);
  }

  /** For a job of the service that acts for somebody, once it has found out for whom. */
  static forJob(task: string): RequestContext {
    return new RequestContext(undefined, { kind: 'job' }, task);
  }

  static forCommand(command: string, account: string): RequestContext {
    return new RequestContext(command, { kind: 'command' }, account);
  }

  static forStart(): RequestContext {
    return new RequestContext(undefined, { kind: 'start-up' });
  }

  /** Sets the actor, after a public route has checked it. */
  identify(actor: {
    readonly userId?: number | null;
    readonly organisationId: number;
    readonly customerId: number;
    readonly credential: ActingCredential;
  }): void {
    this.userId = actor.userId ?? null;
    this.organisationId = actor.organisationId;
    this.customerId = actor.customerId;
    this.credential = actor.credential;
  }

  /** The acting user or service key as text; undefined for others. */
  get holder(): string | undefined {
    if (this.userId !== null) return `user:${this.userId}`;
    return this.credential?.kind === 'service_key' ? `service_key:${this.credential.id}` : undefined;
  }

  get client(): Client {
    const { organisationId, customerId, holder } = this;
    if (organisationId !== undefined && customerId !== undefined)
      return clientIn({ organisationId, customerId }, holder);
    return this.arrival && { network: networkOf(this.ip) };
  }

  get arrivedAt(): number | undefined {
    return this.arrival?.arrivedAt;
  }

  /** Canonical text of the client's address; computed on demand, because most reads do not need it. */
  get ip(): string {
    const { addresses, request } = this.ofRequest();
    return addresses.of(request);
  }

  /** See {@link ClientAddresses.isOwn}. */
  get isIpOwn(): boolean {
    const { addresses, request } = this.ofRequest();
    return addresses.isOwn(request);
  }

  /** The user agent, truncated to the stored length; empty without the header. */
  get userAgent(): string {
    const userAgent = this.ofRequest().request.headers['user-agent'] ?? '';
    return userAgent.replaceAll('\0', '').slice(0, MAX_USER_AGENT_LENGTH);
  }

  /** The customer for whom counts what this work causes; the operator is one, for whom nothing counts. */
  get causingCustomerId(): number | undefined {
    return this.credential?.kind === 'command' ? OPERATOR_ORGANISATION : this.customerId;
  }

  get actor(): Readonly<Record<string, unknown>> {
    return {
      userId: this.userId ?? undefined,
      customerId: this.causingCustomerId,
      kind: this.credential?.kind,
      credentialId: this.credential?.id,
      name: this.name,
      address: this.arrival && this.ip,
      requestId: this.requestId,
    };
  }

  private ofRequest(): Arrival {
    if (this.arrival === undefined) throw new Error('Only a request comes from a client');
    return this.arrival;
  }
}
