import { type PerVariant } from '../../qa/variants';
import {
  type Customer,
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
} from '../support/factories/factories';
import { queuedMails } from '../support/factories/invitations-factories';
import { makeServiceKey } from '../support/factories/key-factories';
import { transactionBeside, untilBlocked } from '../support/faults/locks';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { anonymous, ApiClient, asAdmin } from '../support/service/client';
import { describeService } from '../support/service/service';

/** Grants to read are given by other routes in each variant. */
const GRANTS: PerVariant<string> = { A: 'grants', B: 'acls' };

const KINDS = ['grant', 'service key', 'webhook', 'invitation'] as const;
type Kind = (typeof KINDS)[number];

/** What somebody made in an organisation, one of each kind. */
interface Made extends Readonly<Record<Kind, number>> {
  readonly keyClient: ApiClient;
  readonly email: string;
}

const EVERY = { grant: true, 'service key': true, webhook: true, invitation: true };
const NONE = { grant: false, 'service key': false, webhook: false, invitation: false };

describeService(SHARED_VARIANTS, 'what managers above made, in Variant %s: it', (service, variant) => {
  const grants = GRANTS[variant];
  let admin: ApiClient;
  /** Above the middle one by the reseller link. */
  let reseller: Customer;
  let middle: Customer;
  let customer: Customer;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  beforeEach(async () => {
    reseller = await makeCustomer(service);
    middle = await makeCustomer(service, { resellerId: reseller.organisationId });
    customer = await makeCustomer(service, { parentId: middle.organisationId });
  });

  const OPERATIONS = [`${grants}.create`, 'invitations.create', 'users.delete'];
  const address = () => `invited${nextNumber()}@example.com`;
  const idOf = (body: unknown): number =>
    Object.values(body as Record<string, { id: number }>)[0]?.id as number;

  const made = async (by: ApiClient, organisationId: number): Promise<Made> => {
    const of = `/organisations/${organisationId}`;
    const email = address();
    const post = async (path: string, fields: object) =>
      (await by.post(`${of}/${path}`, fields).expect(201)).body;
    const grant = idOf(await post(grants, { organisation: await makeOrganisation(service) }));
    const key = await post('servicekeys', { name: 'k', operations: OPERATIONS });
    const webhook = idOf(await post('webhooks', { url: 'https://receiver.invalid/', events: ['*'] }));
    const invitation = idOf(await post('invitations', { email, firstName: 'Jan', lastName: 'de Vries' }));
    const { hash } = (key as { serviceKey: { hash: string } }).serviceKey;
    const keyClient = new ApiClient(service.url, hash);
    return { grant, 'service key': idOf(key), webhook, invitation, keyClient, email };
  };

  const isThere = async (kind: Kind, id: number): Promise<boolean> => {
    const STORED: Readonly<Record<Kind, string>> = {
      grant: 'SELECT FROM acls WHERE id = $1',
      'service key': 'SELECT FROM service_keys WHERE id = $1',
      webhook: 'SELECT FROM webhooks WHERE id = $1',
      invitation: 'SELECT FROM invitations WHERE id = $1 AND deleted_at IS NULL',
    };
    return (await service.sql(STORED[kind], [id])).length > 0;
  };

  const thereOf = async (of: Made): Promise<Record<Kind, boolean>> => ({
    grant: await isThere('grant', of.grant),
    'service key': await isThere('service key', of['service key']),
    webhook: await isThere('webhook', of.webhook),
    invitation: await isThere('invitation', of.invitation),
  });

  const move = (id: number, links: { parentOrganisation?: number; resellerOrganisation?: number | null }) =>
    admin.put(`/organisations/${id}`, { name: 'Moved', taxNumber: 'T', ...links });

  const leave = () => move(middle.organisationId, { resellerOrganisation: null }).expect(204);

  it('ends in the PUT …/organisations that takes its organisation out of reach, for good', async () => {
    const fromAbove = await made(reseller.custadmin.client, customer.organisationId);
    const own = await made(customer.custadmin.client, customer.organisationId);
    const beside = await made(reseller.custadmin.client, reseller.organisationId);
    const mails = JSON.stringify(await queuedMails(service, fromAbove.email));
    const [token] = /\b[0-9a-f]{64}\b/.exec(mails) ?? [];
    await fromAbove.keyClient.get('/whoami').expect(200);
    await anonymous(service).get(`/registerInvitation/${token}`).expect(200);
    await leave();
    expect(await thereOf(fromAbove)).toEqual(NONE);
    expect([await thereOf(own), await thereOf(beside)]).toEqual([EVERY, EVERY]);
    const of = `/organisations/${customer.organisationId}`;
    const { keyClient, webhook, invitation } = fromAbove;
    await keyClient.post(`${of}/${grants}`, { organisation: reseller.organisationId }).expect(401);
    await keyClient.delete(`${of}/users/${customer.custadmin.id}`).expect(401);
    await customer.custadmin.client.get(`${of}/webhooks/${webhook}`).expect(404);
    await customer.custadmin.client.get(`${of}/invitations/${invitation}`).expect(404);
    expect(await queuedMails(service, fromAbove.email)).toEqual([]);
    await anonymous(service).get(`/registerInvitation/${token}`).expect(404);
    await move(middle.organisationId, { resellerOrganisation: reseller.organisationId }).expect(204);
    expect(await thereOf(fromAbove)).toEqual(NONE);
  });

  it('stays while another way leads there, and ends with the last', async () => {
    const fromAbove = await made(reseller.custadmin.client, customer.organisationId);
    await move(customer.organisationId, { resellerOrganisation: reseller.organisationId }).expect(204);
    await leave();
    expect(await thereOf(fromAbove)).toEqual(EVERY);
    await move(customer.organisationId, { resellerOrganisation: null }).expect(204);
    expect(await thereOf(fromAbove)).toEqual(NONE);
  });

  it('ends in a whole tree that moves, and what was made within the tree stays', async () => {
    const inMiddle = await made(reseller.custadmin.client, middle.organisationId);
    const inCustomer = await made(reseller.custadmin.client, customer.organisationId);
    const fromMiddle = await made(middle.custadmin.client, customer.organisationId);
    await leave();
    expect([await thereOf(inMiddle), await thereOf(inCustomer)]).toEqual([NONE, NONE]);
    expect(await thereOf(fromMiddle)).toEqual(EVERY);
  });

  it('stays when the organisation moves within the reach', async () => {
    const fromAbove = await made(reseller.custadmin.client, customer.organisationId);
    await move(customer.organisationId, { parentOrganisation: reseller.organisationId }).expect(204);
    expect(await thereOf(fromAbove)).toEqual(EVERY);
  });

  it('stays with a move that fails', async () => {
    const fromAbove = await made(reseller.custadmin.client, customer.organisationId);
    await move(customer.organisationId, { parentOrganisation: customer.organisationId }).expect(400);
    expect(await thereOf(fromAbove)).toEqual(EVERY);
  });

  it('is gone before the organisation above can be deleted', async () => {
    const fromAbove = await made(reseller.custadmin.client, customer.organisationId);
    await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${reseller.organisationId}`;
    await admin.delete(`/organisations/${reseller.organisationId}`).expect(400);
    await leave();
    await admin.delete(`/organisations/${reseller.organisationId}`).expect(204);
    expect(await thereOf(fromAbove)).toEqual(NONE);
  });

  it('is not what the operator made, who is always above', async () => {
    const byAdmin = await made(admin, customer.organisationId);
    const { client } = await makeUser(service, { organisationId: 1, roles: ['ROLE_CUSTADMIN'] });
    const byOperator = await made(client, customer.organisationId);
    await leave();
    expect([await thereOf(byAdmin), await thereOf(byOperator)]).toEqual([EVERY, EVERY]);
  });

  it('is what its service keys made too, there and in its own organisation', async () => {
    const keyAbove = await makeServiceKey(service, reseller.organisationId, {
      operations: OPERATIONS,
      beneath: true,
    });
    const { keyClient } = await made(reseller.custadmin.client, customer.organisationId);
    const of = `/organisations/${customer.organisationId}`;
    const makers = [keyAbove.client, keyClient];
    const things: [Kind, number][] = [];
    for (const by of makers) {
      const organisation = await makeOrganisation(service);
      things.push(['grant', idOf((await by.post(`${of}/${grants}`, { organisation }).expect(201)).body)]);
      const person = { email: address(), firstName: 'Jan', lastName: 'de Vries' };
      things.push(['invitation', idOf((await by.post(`${of}/invitations`, person).expect(201)).body)]);
    }
    await leave();
    for (const [kind, id] of things) expect([kind, await isThere(kind, id)]).toEqual([kind, false]);
  });

  describe('and somebody else', () => {
    /** Whose it is after the change: it ends with the reach of the reseller, or stays. */
    type Change = (by: ApiClient, of: string, made: Made) => Promise<unknown>;
    const CHANGES: readonly [Kind, string, Change, { readonly above: boolean; readonly own: boolean }][] = [
      [
        'service key',
        'is given another operation',
        (by, of, { 'service key': id }) =>
          by
            .put(`${of}/servicekeys/${id}`, { name: 'k', operations: [...OPERATIONS, 'users.list'] })
            .expect(204),
        // Whoever made it has its value.
        { above: false, own: false },
      ],
      [
        'service key',
        'is given less',
        (by, of, { 'service key': id }) =>
          by.put(`${of}/servicekeys/${id}`, { name: 'k', operations: ['invitations.create'] }).expect(204),
        { above: true, own: false },
      ],
      [
        'webhook',
        'sends to another address',
        (by, of, { webhook: id }) =>
          by
            .put(`${of}/webhooks/${id}`, { url: 'https://other.invalid/', events: ['*'], beneath: false })
            .expect(204),
        { above: false, own: true },
      ],
      [
        'webhook',
        'tells more',
        (by, of, { webhook: id }) =>
          by
            .put(`${of}/webhooks/${id}`, { url: 'https://receiver.invalid/', events: ['*'], beneath: true })
            .expect(204),
        { above: false, own: false },
      ],
      [
        'webhook',
        'is switched off',
        (by, of, { webhook: id }) =>
          by
            .put(`${of}/webhooks/${id}`, { url: 'https://receiver.invalid/', events: ['*'], enabled: false })
            .expect(204),
        { above: true, own: false },
      ],
      [
        'webhook',
        'has a new secret',
        (by, of, { webhook: id }) => by.post(`${of}/webhooks/${id}/rotate`, {}).expect(201),
        { above: false, own: false },
      ],
      [
        'invitation',
        'is sent again',
        (by, of, { invitation: id }) => by.post(`${of}/invitations/${id}/resend`, {}).expect(200),
        { above: false, own: true },
      ],
      [
        'invitation',
        'is changed',
        (by, of, { invitation: id, email }) =>
          by.put(`${of}/invitations/${id}`, { email, firstName: 'Anna', lastName: 'Smit' }).expect(204),
        { above: false, own: true },
      ],
    ];

    it.each(CHANGES)('has a %s that %s', async (kind, _, change, stays) => {
      const of = `/organisations/${customer.organisationId}`;
      const own = await made(customer.custadmin.client, customer.organisationId);
      const fromAbove = await made(reseller.custadmin.client, customer.organisationId);
      await change(reseller.custadmin.client, of, own);
      await change(customer.custadmin.client, of, fromAbove);
      await leave();
      expect({ above: await isThere(kind, own[kind]), own: await isThere(kind, fromAbove[kind]) }).toEqual(
        stays,
      );
    });

    it('rotates a service key, and answers for the new one', async () => {
      const of = `/organisations/${customer.organisationId}/servicekeys`;
      const rotated = async (by: ApiClient, { 'service key': id }: Made) =>
        idOf((await by.post(`${of}/${id}/rotate`, {}).expect(201)).body);
      const own = await made(customer.custadmin.client, customer.organisationId);
      const fromAbove = await made(reseller.custadmin.client, customer.organisationId);
      const ids = [
        own['service key'],
        await rotated(reseller.custadmin.client, own),
        fromAbove['service key'],
        await rotated(customer.custadmin.client, fromAbove),
      ];
      await leave();
      const there = [];
      for (const id of ids) there.push(await isThere('service key', id));
      expect(there).toEqual([true, false, false, true]);
    });

    if (variant === 'A')
      it('lets a grant do more or last longer, and answers for it', async () => {
        const of = `/organisations/${customer.organisationId}/grants`;
        const expires = Math.floor(Date.now() / 1000) + 86_400;
        const makers = { own: customer.custadmin.client, above: reseller.custadmin.client };
        const given = async (by: ApiClient): Promise<number> =>
          idOf(
            (await by.post(of, { organisation: await makeOrganisation(service), expires }).expect(201)).body,
          );
        const there: Record<string, boolean> = {};
        const ids: Record<string, number> = {};
        for (const fields of [
          { access: 'manage' },
          { expires: expires + 3600 },
          { expires: expires - 3600 },
        ]) {
          for (const [first, then] of [
            ['own', 'above'],
            ['above', 'own'],
          ] as const) {
            const id = await given(makers[first]);
            await makers[then].put(`${of}/${id}`, fields).expect(204);
            ids[`${first}, ${Object.keys(fields)[0]} ${fields.access ?? fields.expires - expires}`] = id;
          }
        }
        await leave();
        for (const [name, id] of Object.entries(ids)) there[name] = await isThere('grant', id);
        expect(there).toEqual({
          'own, access manage': false,
          'above, access manage': true,
          'own, expires 3600': false,
          'above, expires 3600': true,
          'own, expires -3600': true,
          'above, expires -3600': false,
        });
      });
  });

  it.each([
    ...KINDS.map((kind) => [kind, 'the manager'] as const),
    ...(['grant', 'invitation'] as const).map((kind) => [kind, 'a service key of the manager'] as const),
  ])('is made before the move, or refused after it: a %s by %s', async (kind, who) => {
    const of = `/organisations/${customer.organisationId}`;
    const by =
      who === 'the manager'
        ? reseller.custadmin.client
        : (await made(reseller.custadmin.client, customer.organisationId)).keyClient;
    const BODIES: Readonly<Record<Kind, [string, object]>> = {
      grant: [grants, { organisation: await makeOrganisation(service) }],
      'service key': ['servicekeys', { name: 'k', operations: OPERATIONS }],
      webhook: ['webhooks', { url: 'https://receiver.invalid/', events: ['*'] }],
      invitation: ['invitations', { email: address(), firstName: 'Jan', lastName: 'de Vries' }],
    };
    const [path, body] = BODIES[kind];
    await using moving = await transactionBeside(service);
    await moving.query('UPDATE organisations SET reseller_id = NULL WHERE id = $1', [middle.organisationId]);
    const status = by.post(`${of}/${path}`, body).then((response) => response.status);
    await untilBlocked(service, status);
    await moving.query('COMMIT');
    expect(await status).toBe(403);
  });
});
