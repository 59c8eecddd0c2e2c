import { VARIANTS } from '../../../qa/variants';
import { recordsOfUser } from '../../support/factories/domain-records';
import { type MadeUser, makeCustomer } from '../../support/factories/factories';
import { makeApiKey, makeServiceKey } from '../../support/factories/key-factories';
import {
  beginPlanting,
  changePlanted,
  plantedIn,
  type PlantedOrganisation,
  plantOrganisation,
} from '../../support/factories/planted-organisations';
import { makeContact, makeTeam } from '../../support/factories/records';
import { enable, suspend } from '../../support/factories/suspensions-factories';
import { deliverWebhooks, localReceivers } from '../../support/factories/webhooks-factories';
import { type Receiver, startReceiver } from '../../support/faults/receiver';
import { useMailServer } from '../../support/faults/smtp';
import { Wire, type WireResponse } from '../../support/generators/access-calls';
import {
  inEveryOrder,
  isList,
  type NamedCall,
  otherFormsOf,
  type Reader,
  type ReadPlace,
  readsOf,
  searchingFor,
} from '../../support/generators/grantor-reads';
import { Interface } from '../../support/generators/interface';
import { asAdmin } from '../../support/service/client';
import { runJobs } from '../../support/service/jobs';
import { useService } from '../../support/service/service';

/** Nobody has this name. */
const NOBODY = 'nobody-has-this';

const ALL_GROUPS = ['App', 'Crm', 'Domain', 'Finance', 'Mail', 'System'];

interface Answer {
  readonly call: NamedCall;
  readonly response: WireResponse;
}

/**
 * Read grants and grants to manage, which nobody of the grantees asked for or agreed to (rule grants 13,
 * rule grants 46).
 */
describe.each(VARIANTS)('who gives grants unasked by POST …/grants, in Variant %s,', (variant) => {
  const mailServer = useMailServer();
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.stop());
  const service = useService(variant, () => ({
    settings: { smtpUrl: mailServer.url },
    overrides: [localReceivers()],
  }));
  let wire: Wire;
  beforeAll(() => {
    wire = new Wire(service.url);
  });
  afterAll(() => wire.close());

  let grantor: Awaited<ReturnType<typeof makeCustomer>>;
  let above: Awaited<ReturnType<typeof makeCustomer>>;
  let beneath: Awaited<ReturnType<typeof makeCustomer>>;
  let place: ReadPlace;
  let readers: readonly Reader[];
  /** The manager and the widest service key of the grantor, and the manager above. */
  let widest: readonly Reader[];
  /**
   * With read, with manage, with one that a program gave, suspended, and of one above the grantor.
   */
  let victims: readonly PlantedOrganisation[];
  let grantIds: readonly number[];
  let description: Interface;

  beforeAll(async () => {
    description = await Interface.of(service);
    above = await makeCustomer(service);
    grantor = await makeCustomer(service, { resellerId: above.organisationId });
    const { organisationId, custadmin, plain } = grantor;
    beneath = await makeCustomer(service, { parentId: organisationId });
    await makeContact(service, { organisationId, name: 'all@grantor.example', groups: ALL_GROUPS });
    readers = await readersOf();
    widest = readers.filter(({ name }) => ['CUSTADMIN', 'service key beneath', 'above'].includes(name));
    const userRecords = await recordsOfUser(service, { organisationId, userId: plain.id });
    const teamId = await makeTeam(service, organisationId, { userIds: [plain.id] });
    const hook = await custadmin.client
      .post(`/organisations/${organisationId}/webhooks`, {
        url: receiver.url,
        events: ['*'],
        beneath: true,
      })
      .expect(201);
    const webhookId = (hook.body as { webhook: { id: number } }).webhook.id;
    await beginPlanting(service);
    victims = [];
    for (let made = 0; made < 5; made++) victims = [...victims, await plantOrganisation(service)];
    grantIds = await giveAll();
    place = {
      organisationId,
      userId: plain.id,
      records: { teamId, webhookId, grantId: grantIds[0] as number },
      recordsOfUser: userRecords,
    };
    // "Last used" of those who read changes with the clock.
    for (const table of ['logins', 'api_keys', 'service_keys'])
      await service.sql(`UPDATE ${table} SET last_used_at = now() + interval '1 hour' WHERE id < 700000000`);
    await suspend(await asAdmin(service), (victims[3] as PlantedOrganisation).organisationId);
  });

  async function readersOf(): Promise<Reader[]> {
    const { organisationId, custadmin, plain } = grantor;
    const operations = ['organisations', 'access', 'grants', 'acls', 'users', 'teams', 'audit', 'events'];
    const everything = [
      ...operations,
      'contacts',
      'notifications',
      'webhooks',
      'invitations',
      'entities',
      'sshkeys',
      'servicekeys',
    ].map((group) => `${group}.*`);
    const key = (of: number, isBeneath: boolean) =>
      makeServiceKey(service, of, { operations: everything, beneath: isBeneath });
    return [
      { name: 'CUSTADMIN', client: custadmin.client },
      { name: 'plain user', client: plain.client },
      { name: 'API key', client: (await makeApiKey(service, custadmin.id)).client },
      { name: 'read-only key', client: (await makeApiKey(service, custadmin.id, { readOnly: true })).client },
      { name: 'service key', client: (await key(organisationId, false)).client },
      { name: 'service key beneath', client: (await key(organisationId, true)).client },
      { name: 'above', client: above.custadmin.client },
      { name: 'service key above', client: (await key(above.organisationId, true)).client },
    ];
  }

  /** Of both kinds, with every way there is to give one. */
  async function giveAll(): Promise<number[]> {
    const grants = `/organisations/${grantor.organisationId}/grants`;
    const [read, managed, third, suspended, from] = victims.map(({ organisationId }) => organisationId);
    const give = async (client: MadeUser['client'], path: string, body: object) => {
      const answer = await client.post(path, body).expect(201);
      expect(plantedIn(answer.text)).toEqual([]);
      return Object.values(answer.body as Record<string, { id: number }>)[0]?.id as number;
    };
    const { client } = grantor.custadmin;
    // Variant B has a way of its own to give one that reads.
    const ways: Readonly<Record<string, string>> = { B: `/organisations/${grantor.organisationId}/acls` };
    return [
      await give(client, grants, { organisation: read }),
      await give(client, grants, { organisation: managed, access: 'manage' }),
      await give(client, ways[variant] ?? grants, { organisation: third }),
      await give(client, grants, { organisation: suspended, access: 'manage' }),
      await give(above.custadmin.client, grants, { organisation: from, access: 'manage' }),
      await give(client, `/organisations/${beneath.organisationId}/grants`, { organisation: read }),
    ];
  }

  const isOfWidest = ({ reader }: NamedCall): boolean => widest.includes(reader);

  const answersTo = async (calls: readonly NamedCall[]): Promise<Answer[]> =>
    (await wire.sendAll(calls)).map((response, index) => ({ call: calls[index] as NamedCall, response }));

  /**
   * The requests that a reader may send, with what the path names being the grantor's; of what
   * lies beneath who has access.
   */
  async function allowed(by: readonly Reader[]): Promise<NamedCall[]> {
    const ofBeneath = (call: NamedCall): boolean => /\/(access|grants|acls|events)$/.test(call.path);
    const calls = by.flatMap((reader) => [
      ...readsOf(description, reader, grantor.organisationId, place),
      ...readsOf(description, reader, beneath.organisationId, place).filter(ofBeneath),
    ]);
    const answers = await answersTo(calls);
    return answers.filter(({ response }) => response.status === 200).map(({ call }) => call);
  }

  /** What the answers tell, one line for each. */
  const notifiedGrantOf = (answers: readonly Answer[]): string[] =>
    answers.flatMap(({ call, response }) => plantedIn(response.text).map((word) => `${call.name}: ${word}`));

  it('reads nothing of the grantees in any GET, form or order', async () => {
    const placeOf = ({ organisationId, plain, ...records }: PlantedOrganisation): ReadPlace => ({
      organisationId,
      userId: plain.id,
      ...records,
    });
    const everywhere = readers.flatMap((reader) => [
      ...readsOf(description, reader, grantor.organisationId, place),
      ...victims
        .slice(0, 2)
        .flatMap((victim) => [
          ...readsOf(description, reader, grantor.organisationId, placeOf(victim)),
          ...readsOf(description, reader, victim.organisationId, placeOf(victim)),
        ]),
    ]);
    expect(notifiedGrantOf(await answersTo(everywhere))).toEqual([]);
    const readable = await allowed(readers);
    for (const { name } of readers)
      expect(readable.filter(({ reader }) => reader.name === name).length).toBeGreaterThan(10);
    expect(notifiedGrantOf(await answersTo(readable.flatMap(otherFormsOf)))).toEqual([]);
    const listed = readable.filter(isList);
    expect(notifiedGrantOf(await answersTo(listed.filter(isOfWidest).flatMap(inEveryOrder)))).toEqual([]);
  });

  it('finds none of their names by a search', async () => {
    const readable = await allowed(widest);
    const found = async (text: string) =>
      (await answersTo(readable.flatMap((call) => searchingFor(call, text))))
        .filter(({ response }) => response.status === 200)
        .map(({ call, response }) => `${call.path.split('=')[0]}: ${response.text}`);
    const nothing = await found(NOBODY);
    expect(nothing.length).toBeGreaterThan(50);
    for (const text of victims[0]?.names ?? []) expect(await found(text)).toEqual(nothing);
  });

  it('reads nothing of them by a question or an error', async () => {
    const told: string[] = [];
    for (const [index, { plain, organisationId }] of victims.entries())
      for (const { client } of readers) {
        const grants = `/organisations/${grantor.organisationId}/grants`;
        for (const call of [
          client.post(grants, { organisation: organisationId, access: 'manage' }),
          client.put(`${grants}/${grantIds[index]}`, { expires: '1' }),
          client.put(
            `/organisations/${grantor.organisationId}/teams/${place.records['teamId']}/users/${plain.id}`,
          ),
        ]) {
          const { status, text } = await call;
          if (status < 400) told.push(text);
          told.push(...plantedIn(text));
        }
      }
    expect(told).toEqual([]);
  });

  it('is told nothing by events, deliveries, notifications and mails, whatever they do', async () => {
    const [reading, managing] = victims as [PlantedOrganisation, PlantedOrganisation];
    await reading.plain.client.get(`/organisations/${grantor.organisationId}/users`).expect(200);
    await reading.plain.client.get(`/organisations/${grantor.organisationId}/teams`).expect(403);
    await managing.custadmin.client.get(`/organisations/${grantor.organisationId}/teams`).expect(200);
    for (const [victim, index] of [
      [reading, 0],
      [managing, 1],
    ] as const)
      await victim.custadmin.client
        .delete(`/organisations/${victim.organisationId}/grants/${grantIds[index]}`)
        .expect(204);
    await runJobs(service);
    await deliverWebhooks(service);
    const types = receiver.messages.map(({ body }) => body.type);
    expect(types).toEqual(expect.arrayContaining(['acls.created', 'acls.deleted']));
    expect(receiver.messages.flatMap(({ text }) => plantedIn(text))).toEqual([]);
    const mails = mailServer.mailsTo('all@grantor.example');
    expect(mails.length).toBeGreaterThan(2);
    expect(mails.flatMap(({ raw, text, html }) => plantedIn(`${raw} ${text} ${html}`))).toEqual([]);
    expect(notifiedGrantOf(await answersTo(await allowed(widest)))).toEqual([]);
    for (const [victim, access] of [
      [reading, 'read'],
      [managing, 'manage'],
    ] as const)
      await grantor.custadmin.client
        .post(`/organisations/${grantor.organisationId}/grants`, {
          organisation: victim.organisationId,
          access,
        })
        .expect(201);
  });

  it('gets the same answers whatever becomes of the grantees', async () => {
    const readable = await allowed(widest);
    const calls = [
      ...readable,
      ...readable.flatMap(otherFormsOf),
      ...readable.filter(isList).flatMap(inEveryOrder),
      ...readable.filter(isList).flatMap((call) => searchingFor(call, 'zq')),
    ];
    const textsOf = async () =>
      (await answersTo(calls))
        .filter(({ response }) => response.status === 200)
        .map(({ call, response }) => `${call.name}: ${response.text}`);
    const before = await textsOf();
    for (const victim of victims) await changePlanted(service, victim);
    const admin = await asAdmin(service);
    await suspend(admin, (victims[1] as PlantedOrganisation).organisationId);
    await enable(admin, (victims[3] as PlantedOrganisation).organisationId);
    expect(await textsOf()).toEqual(before);
  });
});
