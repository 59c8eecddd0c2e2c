import { prepareAuthenticator } from './authenticator';
import type { Deployment } from './deployment';
import { newPublicKey, OneTimeCodes } from './made-values';
import type { MailedSecret } from './mail/mails';
import { differences, filled, filledText, type Variable, type Variables } from './matchers';
import { type Example, examplesOf, type Json, type Need, type Scenario } from './scenario';
import { NEW_PASSWORD, NoMorePeople, PASSWORD, type Person, Session, type SessionOptions } from './session';
import type { WebhookReceiver } from './webhook-receiver';

/** The needs of a scenario that the deployment cannot fulfil. */
const missingNeeds = (scenario: Scenario, session: Session): readonly Need[] =>
  (scenario.needs ?? []).filter((need) => !session.can.has(need));

/** One scenario in progress: its people, its keys, and what its examples found until now. */
export class ScenarioRun {
  private readonly codes = new Map<string, OneTimeCodes>();

  private constructor(
    private readonly session: Session,
    private readonly variables: Variables,
    private readonly mark: number,
  ) {}

  static async open(scenario: Scenario, session: Session): Promise<ScenarioRun> {
    const mark = session.deployment.mark;
    const needs = scenario.needs ?? [];
    const wantsPerson = needs.includes('person') || (needs.includes('user') && session.can.has('person'));
    const person = wantsPerson ? await session.makePerson(scenario.personRoles) : adminAsPerson(session);
    const run = new ScenarioRun(session, new Map<string, Variable>(), mark);
    run.prepare(scenario, person);
    return run;
  }

  /** Sends the request of an example; gives what differs from the response it describes. */
  async check(example: Example): Promise<string[]> {
    const own = (await filled(example.with ?? {}, this.variables)) as Record<string, Json>;
    const variables: Variables = new Map([...this.variables, ...Object.entries(own)]);
    const [method = '', pattern = ''] = example.operation.split(' ');
    const path = await filledText(pattern, variables);
    const query = example.query === undefined ? '' : `?${await filledText(example.query, variables)}`;
    const response = await this.session.deployment.send({
      method,
      path: `${path}${query}`,
      hash: example.as && (await filledText(`{${example.as}}`, variables)),
      headers: example.headers && ((await filled(example.headers, variables)) as Record<string, string>),
      body: example.body === undefined ? undefined : await filled(example.body, variables),
    });
    if (path === '/testClock' && response.status === 204) await this.session.renewLogin();
    if (response.status !== example.status) {
      return [`status is ${response.status}, expected ${example.status}: ${response.text.slice(0, 300)}`];
    }
    if (example.file !== undefined) {
      const { text, body } = response as { readonly text?: string; readonly body: unknown };
      const found = Buffer.isBuffer(body) ? body.toString() : text;
      return differences(found, await filled(example.file, variables), this.variables);
    }
    if (example.text !== undefined) {
      return differences(response.text, await filled(example.text, variables), this.variables);
    }
    const expected = example.responses?.[this.session.options.variant] ?? example.response;
    if (expected === undefined) {
      return response.text === '' ? [] : [`body is ${response.text.slice(0, 200)}, expected none`];
    }
    if (!String(response.headers['content-type']).startsWith('application/json')) {
      return [`content-type is ${response.headers['content-type']}, expected application/json`];
    }
    return differences(response.body, await filled(expected, variables), this.variables);
  }

  /** Deletes what the scenario made; returns what could not be deleted. */
  close(): Promise<string[]> {
    return this.session.deployment.cleanUp(this.session.hash, this.mark);
  }

  private prepare(scenario: Scenario, person: Person): void {
    const { session, variables } = this;
    const { id, username, email, firstName, lastName, roles } = session.admin;
    const isAdmin = person.hash === session.hash;
    const key = newPublicKey();
    const otherKey = newPublicKey();
    const fixed: Record<string, Json | undefined> = {
      adminId: id,
      adminOrganisationId: session.admin['organisationId'],
      adminUsername: username,
      adminEmail: email,
      adminFirstName: firstName,
      adminLastName: lastName,
      adminRoles: roles,
      person: person.hash,
      userId: person.id,
      username: person.username,
      organisation: session.organisationId,
      organisationId: scenario.needs?.includes('user') ? person.organisationId : session.organisationId,
      organisationName:
        isAdmin && scenario.needs?.includes('user')
          ? (session.admin['organisation'] as Record<string, Json>)['name']
          : session.organisationName,
      unique: session.uniqueText(),
      tomorrow: String(Math.floor(Date.now() / 1000) + 86_400),
      taxNumber: `QA-${session.unique}`,
      password: PASSWORD,
      newPassword: NEW_PASSWORD,
      publicKey: key.content,
      fingerprint: key.fingerprint,
      otherPublicKey: otherKey.content,
      otherFingerprint: otherKey.fingerprint,
      mailDomain: session.mailDomain,
      documentId: session.newDocumentId(),
      ...session.entities.ids,
    };
    for (const [name, value] of Object.entries(fixed)) if (value !== undefined) variables.set(name, value);
    variables.set('admin', () => Promise.resolve(session.hash));
    variables.set('code', () => this.nextCode());
    variables.set('webhookUrl', () => Promise.resolve(this.receiver.url));
    variables.set('receivedEvent', () => this.receiver.nextEvent(variables.get('webhookSecret') as string));
    prepareAuthenticator(variables, session.options.passkeyOrigin ?? '');
    for (const secret of ['invitationToken', 'resetToken', 'confirmationCode', 'documentHash'] as const) {
      variables.set(secret, () => this.mailed(secret));
    }
  }

  /** A code for the `secret` that the scenario found last. */
  private nextCode(): Promise<string> {
    const secret = this.variables.get('secret') as string;
    const codes = this.codes.get(secret) ?? new OneTimeCodes(secret);
    this.codes.set(secret, codes);
    return codes.next();
  }

  private get receiver(): WebhookReceiver {
    const { receiver } = this.session.options;
    if (receiver === undefined) throw new Error('No webhook can be received here');
    return receiver;
  }

  /** Invitations go to `invited`, the rest to the person. */
  private mailed(secret: MailedSecret): Promise<string> {
    const address = this.variables.get(secret === 'invitationToken' ? 'invited' : 'username');
    const { mails } = this.session.options;
    if (mails === undefined) throw new Error('No mail can be read here');
    return mails.mailedSecret(address as string, secret);
  }
}

const adminAsPerson = ({ admin, hash }: Session): Person => ({
  id: admin['id'] as number,
  username: admin['username'] as string,
  organisationId: admin['organisationId'] as number,
  hash,
});

/** How an example came out. */
export interface Result {
  readonly area: string;
  readonly scenario: string;
  readonly operation: string;
  readonly title: string;
  readonly outcome: 'ok' | 'failed' | 'not checked';
  /** What differs, or why nothing was sent. */
  readonly notes: readonly string[];
  readonly milliseconds: number;
}

/** What a run found and what it left behind. */
export interface RunReport {
  readonly results: readonly Result[];
  /** What the run made and could not delete. */
  readonly left: readonly string[];
  /** A signal ended it early. */
  readonly interrupted: boolean;
}

const REASONS: Readonly<Record<Need, string>> = {
  person:
    'needs a registered user: here invitations are answered only by mail, or 30 were without one (--mail-dir or --smtp)',
  user: '',
  mail: 'needs to read a mail (--mail-dir or --smtp)',
  receiver: 'needs to receive webhooks (--webhook-listen)',
  passkeys: 'needs an origin of PASSKEY_ORIGINS, as whose page to add passkeys (--passkey-origin)',
  clock: 'needs a service whose clock can be moved (--test-clock)',
};

/** Why a deployment cannot be sent a scenario; none: it can. */
export const reasonsAgainst = (scenario: Scenario, session: Session): string[] =>
  missingNeeds(scenario, session).map((need) => REASONS[need]);

/** What a run does in its session; it adds to the results, and gives what it could not delete. */
export type Work = (
  session: Session,
  results: Result[],
  isInterrupted: () => boolean,
) => Promise<readonly string[]>;

/** Sends the scenarios, one request at a time. */
export const runScenarios =
  (scenarios: readonly Scenario[]): Work =>
  async (session, results, isInterrupted) => {
    const left: string[] = [];
    for (const scenario of scenarios) {
      if (isInterrupted()) break;
      left.push(...(await runScenario(scenario, session, results, isInterrupted)));
    }
    return left;
  };

/** Works in a session at a deployment, and always deletes what was made there. */
export async function inSession(
  work: Work,
  deployment: Deployment,
  options: SessionOptions,
  stopping: AbortSignal,
): Promise<RunReport> {
  const isInterrupted = (): boolean => stopping.aborted;
  const session = new Session(deployment, options);
  const results: Result[] = [];
  const left: string[] = [];
  try {
    await session.begin();
    left.push(...(await work(session, results, isInterrupted)));
  } finally {
    left.push(...(await session.end()));
  }
  return { results, left, interrupted: isInterrupted() };
}

async function runScenario(
  scenario: Scenario,
  session: Session,
  results: Result[],
  isInterrupted: () => boolean,
): Promise<string[]> {
  const examples = examplesOf(scenario, session.options.variant);
  if (examples.length === 0) return [];
  const add = (
    example: (typeof examples)[number],
    rest: Pick<Result, 'outcome' | 'notes' | 'milliseconds'>,
  ) =>
    results.push({
      area: scenario.area,
      scenario: scenario.title,
      operation: example.operation,
      title: example.title,
      ...rest,
    });
  const missing = reasonsAgainst(scenario, session);
  if (missing.length > 0) {
    for (const example of examples) add(example, { outcome: 'not checked', notes: missing, milliseconds: 0 });
    return [];
  }
  let run: ScenarioRun;
  try {
    run = await ScenarioRun.open(scenario, session);
  } catch (error) {
    // The session has no people any more, and says so to this scenario too.
    if (error instanceof NoMorePeople) return runScenario(scenario, session, results, isInterrupted);
    const notes = [`the session could not be made: ${(error as Error).message}`];
    for (const example of examples) add(example, { outcome: 'failed', notes, milliseconds: 0 });
    return [];
  }
  for (const example of examples) {
    if (isInterrupted()) break;
    const started = performance.now();
    const notes = await run.check(example).catch((error: unknown) => [(error as Error).message]);
    add(example, {
      outcome: notes.length === 0 ? 'ok' : 'failed',
      notes,
      milliseconds: performance.now() - started,
    });
  }
  return run.close();
}
