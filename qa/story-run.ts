import { differences, filled, filledText, type Variable, type Variables } from './holes';
import { OneTimeCodes } from './one-time-codes';
import { newPublicKey } from './public-keys';
import type { Json, Need, Sample, Story } from './sample';
import { NEW_PASSWORD, PASSWORD, type MailedSecret, type Person, type Situation } from './situation';

/** The needs of a story that the deployment can not fulfil. */
export const missingNeeds = (story: Story, situation: Situation): readonly Need[] =>
  (story.needs ?? []).filter((need) => !situation.can.has(need));

/** One story in progress: its people, its keys, and what its samples found until now. */
export class StoryRun {
  private readonly codes = new Map<string, OneTimeCodes>();

  private constructor(
    private readonly situation: Situation,
    private readonly variables: Variables,
    private readonly mark: number,
  ) {}

  static async open(story: Story, situation: Situation): Promise<StoryRun> {
    const mark = situation.deployment.mark;
    const needs = story.needs ?? [];
    const wantsPerson = needs.includes('person') || (needs.includes('user') && situation.can.has('person'));
    const person = wantsPerson ? await situation.makePerson(story.personRoles) : adminAsPerson(situation);
    if (needs.includes('entities')) {
      await situation.options.backstage?.registerEntities(situation.organisationId);
    }
    const run = new StoryRun(situation, new Map<string, Variable>(), mark);
    run.prepare(story, person);
    return run;
  }

  /** Sends the request of a sample; gives what differs from the answer it tells of. */
  async check(sample: Sample): Promise<string[]> {
    const own = (await filled(sample.with ?? {}, this.variables)) as Record<string, Json>;
    const variables: Variables = new Map([...this.variables, ...Object.entries(own)]);
    const [method = '', pattern = ''] = sample.operation.split(' ');
    const path = await filledText(pattern, variables);
    const query = sample.query === undefined ? '' : `?${await filledText(sample.query, variables)}`;
    const response = await this.situation.deployment.send({
      method,
      path: `${path}${query}`,
      ...(sample.as !== undefined && { hash: await filledText(`{${sample.as}}`, variables) }),
      ...(sample.headers !== undefined && {
        headers: (await filled(sample.headers, variables)) as Record<string, string>,
      }),
      ...(sample.body !== undefined && { body: await filled(sample.body, variables) }),
    });
    if (response.status !== sample.status) {
      return [`status is ${response.status}, expected ${sample.status}: ${response.text.slice(0, 300)}`];
    }
    if (sample.text !== undefined) {
      return differences(response.text, await filled(sample.text, variables), this.variables);
    }
    const isB = this.situation.options.variant === 'B';
    const expected = isB && sample.answerB !== undefined ? sample.answerB : sample.answer;
    if (expected === undefined) {
      return response.text === '' ? [] : [`body is ${response.text.slice(0, 200)}, expected none`];
    }
    if (!String(response.headers['content-type']).startsWith('application/json')) {
      return [`content-type is ${response.headers['content-type']}, expected application/json`];
    }
    return differences(response.body, await filled(expected, variables), this.variables);
  }

  /** Takes away what the story made; gives what could not be. */
  close(): Promise<string[]> {
    return this.situation.deployment.cleanUp(this.situation.hash, this.mark);
  }

  private prepare(story: Story, person: Person): void {
    const { situation, variables } = this;
    const { id, username, email, firstName, lastName, roles } = situation.admin;
    const isAdmin = person.hash === situation.hash;
    const [key, otherKey] = [newPublicKey(), newPublicKey()];
    const fixed: Record<string, Json | undefined> = {
      admin: situation.hash,
      adminId: id,
      adminOrganisationId: situation.admin['organisationId'],
      adminUsername: username,
      adminEmail: email,
      adminFirstName: firstName,
      adminLastName: lastName,
      adminRoles: roles,
      person: person.hash,
      userId: person.id,
      username: person.username,
      organisation: situation.organisationId,
      organisationId: story.needs?.includes('user') ? person.organisationId : situation.organisationId,
      organisationName:
        isAdmin && story.needs?.includes('user')
          ? (situation.admin['organisation'] as Record<string, Json>)['name']
          : situation.organisationName,
      unique: `${situation.unique}${situation.deployment.mark}${this.mark}`,
      taxNumber: `QA-${situation.unique}`,
      password: PASSWORD,
      newPassword: NEW_PASSWORD,
      publicKey: key.content,
      fingerprint: key.fingerprint,
      otherPublicKey: otherKey.content,
      otherFingerprint: otherKey.fingerprint,
    };
    for (const [name, value] of Object.entries(fixed)) if (value !== undefined) variables.set(name, value);
    variables.set('code', () => this.nextCode());
    for (const secret of ['invitationToken', 'resetToken', 'confirmationCode'] as const) {
      variables.set(secret, () => this.mailed(secret));
    }
  }

  /** A code for the `secret` that the story found last. */
  private nextCode(): Promise<string> {
    const secret = this.variables.get('secret') as string;
    const codes = this.codes.get(secret) ?? new OneTimeCodes(secret);
    this.codes.set(secret, codes);
    return codes.next();
  }

  /** Invitations go to `invited`, the rest to the person. */
  private mailed(secret: MailedSecret): Promise<string> {
    const address = this.variables.get(secret === 'invitationToken' ? 'invited' : 'username');
    const { backstage } = this.situation.options;
    if (backstage === undefined) throw new Error('No mail can be read here');
    return backstage.mailedSecret(address as string, secret);
  }
}

const adminAsPerson = ({ admin, hash }: Situation): Person => ({
  id: admin['id'] as number,
  username: admin['username'] as string,
  organisationId: admin['organisationId'] as number,
  hash,
});
