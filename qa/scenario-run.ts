import { differences, filled, filledText, type Variable, type Variables } from './matchers';
import { OneTimeCodes } from './one-time-codes';
import { newPublicKey } from './public-keys';
import type { Json, Need, Example, Scenario } from './scenario';
import type { MailedSecret } from './mail/mails';
import { NEW_PASSWORD, PASSWORD, type Person, type Session } from './session';

/** The needs of a scenario that the deployment cannot fulfil. */
export const missingNeeds = (scenario: Scenario, session: Session): readonly Need[] =>
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
      ...(example.as !== undefined && { hash: await filledText(`{${example.as}}`, variables) }),
      ...(example.headers !== undefined && {
        headers: (await filled(example.headers, variables)) as Record<string, string>,
      }),
      ...(example.body !== undefined && { body: await filled(example.body, variables) }),
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

  /** Takes away what the scenario made; gives what could not be. */
  close(): Promise<string[]> {
    return this.session.deployment.cleanUp(this.session.hash, this.mark);
  }

  private prepare(scenario: Scenario, person: Person): void {
    const { session, variables } = this;
    const { id, username, email, firstName, lastName, roles } = session.admin;
    const isAdmin = person.hash === session.hash;
    const [key, otherKey] = [newPublicKey(), newPublicKey()];
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
