import { WorkContext } from './work-context';

/**
 * By what an actor may make a change: a credential of the interface, what stands for one on a route that asks for
 * none, or that it is the operator's own process.
 */
type ActorCredential =
  | 'login'
  | 'api_key'
  | 'password'
  | 'confirmation_code'
  | 'reset_token'
  | 'name_restoration'
  | 'invitation'
  | 'command'
  | 'job'
  | 'start-up';

/** Who makes a change, as audit rows tell it; whatever is not known is left out. */
export interface Actor {
  readonly userId?: number;
  readonly credentialKind?: ActorCredential;
  /** Id of the login, API key or invitation. */
  readonly credentialId?: number;
  /** Who or what acts where it is no user of the service: an account of the machine, a job's task. */
  readonly name?: string;
  /** Client address of the request. */
  readonly address?: string;
  /** Id of the request, as in log and answer; of a job its own id, of a command its name. */
  readonly requestId?: string;
}

/** Tells the audit triggers who makes the changes of the running transaction; $1 is an {@link Actor} as JSON. */
export const NAME_ACTOR = `SELECT set_config('audit.actor', $1, true)`;

/** The part that becomes known while a request is served. */
type Identity = Pick<Actor, 'userId' | 'credentialKind' | 'credentialId'>;

class ActingContext {
  private identity: Identity = {};

  /** `surroundings` is asked only by who writes: finding an address out would cost every read something. */
  constructor(
    private readonly surroundings: () => Actor,
    /** When somebody began to wait, by `performance.now()`; absent where nobody does. */
    readonly waitedForSince: number | undefined,
  ) {}

  identify(identity: Identity): void {
    this.identity = identity;
  }

  get actor(): Actor {
    return { ...this.surroundings(), ...this.identity };
  }
}

const contexts = new WorkContext<ActingContext>();

/** Does work, with all that it awaits, in the name of an actor. */
export function actingAs<Result>(actor: () => Actor, work: () => Promise<Result>): Promise<Result> {
  return contexts.run(new ActingContext(actor, undefined), work);
}

/** The same for a request, whose client waits from now on. */
export function actingForRequest<Result>(actor: () => Actor, work: () => Promise<Result>): Promise<Result> {
  return contexts.run(new ActingContext(actor, performance.now()), work);
}

/** Since when a client waits for the running work, by `performance.now()`; undefined where none does. */
export const waitedForSince = (): number | undefined => contexts.current?.waitedForSince;

/** Says who the actor of the running work is, once that was checked; outside of {@link actingAs} it does nothing. */
export function identifyActor(identity: Identity): void {
  contexts.current?.identify(identity);
}

/** The actor of the running work; undefined where nobody was named. */
export function currentActor(): Actor | undefined {
  return contexts.current?.actor;
}
