import {
  clientOf,
  type MadeUser,
  makeOrganisation,
  makeUser,
  PASSWORD,
} from '../support/factories/factories';
import { makeInvitation, registrationOf } from '../support/factories/invitations-factories';
import { type Call, Wire, type WireResponse } from '../support/generators/access-calls';
import { pickOf, randomNumbers } from '../support/generators/random';
import { treeAndOracle } from '../support/generators/tree-oracle';
import { asAdmin } from '../support/service/client';
import { useService } from '../support/service/service';

const ROUNDS = 50;

describe('PUT …/organisations, PATCH and DELETE …/users at the same time', () => {
  afterAll(() => wire.close());
  const service = useService('A');
  let wire: Wire;
  beforeAll(() => {
    wire = new Wire(service.url);
  });
  let admin: string;
  beforeAll(async () => {
    admin = (await asAdmin(service)).hash as string;
  });

  /**
   * Sends them at once, or all but the first some round trips later. Whatever wins, nothing is a
   * fault and nothing gives up.
   */
  async function atOnce(calls: readonly Call[], roundTripsOfLead = 0): Promise<WireResponse[]> {
    const responses = await Promise.all(
      calls.map(async (call, index) => {
        for (let trip = 0; index > 0 && trip < roundTripsOfLead; trip++) {
          await wire.send({ method: 'GET', path: '/v1/whoami', hash: admin });
        }
        return wire.send(call);
      }),
    );
    const faults = responses.filter(
      ({ status, reason }) => status === 503 || (status === 500 && reason !== 'ROLE_REQUIRED'),
    );
    // The log says why: what failed here once did not fail again.
    const log = faults.length === 0 ? [] : service.logLines.filter((line) => /"level":(40|50)/.test(line));
    expect({ faults, log }).toEqual({ faults: [], log: [] });
    return responses;
  }
  const count = async (text: string, values: readonly unknown[] = []): Promise<number> =>
    Number((await service.sql<{ count: string }>(`SELECT count(*) FROM ${text}`, values))[0]?.count);

  describe('leave one admin', () => {
    const OPERATIONS = {
      demote: ({ id, username }: MadeUser): Omit<Call, 'hash'> => ({
        method: 'PATCH',
        path: `/v1/organisations/1/users/${id}`,
        body: { username, firstName: 'x', lastName: 'x', defaultRoles: '' },
      }),
      disable: ({ id }: MadeUser): Omit<Call, 'hash'> => ({
        method: 'POST',
        path: `/v1/organisations/1/users/${id}/actions`,
        body: { type: 'disable' },
      }),
      delete: ({ id }: MadeUser): Omit<Call, 'hash'> => ({
        method: 'DELETE',
        path: `/v1/organisations/1/users/${id}`,
      }),
    };
    const names = Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[];
    const pairs = names.flatMap((first) => names.map((second) => [first, second] as const));
    const ADMINS = `users WHERE deleted_at IS NULL AND enabled AND roles @> ARRAY['ROLE_ADMIN']`;

    afterAll(async () => {
      // The admin of the other tests comes back.
      await service.sql(`UPDATE users SET enabled = true, roles = '{ROLE_ADMIN}' WHERE id = 1`);
      admin = (await clientOf(service, 1)).hash as string;
    });

    it.each(pairs)('when two %s and %s each other and themselves', async (first, second) => {
      for (let round = 0; round < Math.ceil(ROUNDS / pairs.length); round++) {
        const two = [
          await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] }),
          await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] }),
        ] as const;
        await service.sql(`UPDATE users SET enabled = false WHERE id <> ALL ($1)`, [two.map(({ id }) => id)]);
        const [one, other] = two;
        const responses = await atOnce([
          { ...OPERATIONS[first](other), hash: one.client.hash },
          { ...OPERATIONS[second](one), hash: other.client.hash },
          { ...OPERATIONS[first](one), hash: one.client.hash },
          { ...OPERATIONS[second](other), hash: other.client.hash },
        ]);
        expect(responses.some(({ status }) => status < 300)).toBe(true);
        expect(await count(ADMINS)).toBe(1);
      }
    });
  });

  it('moves, creations and deletions leave no circle, and the tree as its links say', async () => {
    const random = randomNumbers(7);
    const ids: number[] = [];
    for (let made = 0; made < 8; made++) ids.push(await makeOrganisation(service));
    const statuses = new Map<number, number>();
    for (let round = 0; round < ROUNDS; round++) {
      const calls = Array.from({ length: 8 }, (_, index): Call => {
        const link = random(2) === 0 ? 'parentOrganisation' : 'resellerOrganisation';
        const target = random(6) === 0 ? (link === 'parentOrganisation' ? 1 : null) : pickOf(random, ids);
        const body = { name: `Round ${round}`, taxNumber: 'T', [link]: target };
        const path = `/v1/organisations/${pickOf(random, ids)}`;
        if (index === 0) return { method: 'POST', path: '/v1/organisations', hash: admin, body };
        if (index === 1) return { method: 'DELETE', path, hash: admin };
        return { method: index % 2 === 0 ? 'PUT' : 'PATCH', path, hash: admin, body };
      });
      for (const { status, text } of await atOnce(calls)) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 201) ids.push((JSON.parse(text) as { organisation: { id: number } }).organisation.id);
      }
      const { stored, computed } = await treeAndOracle(service);
      expect(stored).toEqual(computed);
      expect(computed.closure.filter(({ ancestor, descendant }) => ancestor === descendant)).toEqual([]);
      const live = `SELECT id FROM organisations WHERE deleted_at IS NULL`;
      expect(
        await count(`organisations WHERE deleted_at IS NULL AND id <> 1
          AND (parent_id NOT IN (${live}) OR reseller_id NOT IN (${live}))`),
      ).toBe(0);
    }
    expect([...statuses.keys()].filter((status) => ![201, 204, 400, 404].includes(status))).toEqual([]);
    expect(statuses.get(204)).toBeGreaterThan(100);
    expect(statuses.get(400)).toBeGreaterThan(20);
  });

  it('the deletion of an organisation, against whatever would bring it to life, wins or loses whole', async () => {
    const ends = { deleted: 0, kept: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const organisationId = await makeOrganisation(service);
      const sleeper = await makeUser(service, { organisationId, enabled: false });
      const invitation = await makeInvitation(service, { organisationId, inviterId: 1 });
      const path = `/v1/organisations/${organisationId}`;
      const rivals: Call[] = [
        {
          method: 'POST',
          path: `/v1/registerInvitation/${invitation.token}`,
          body: registrationOf(invitation, PASSWORD),
        },
        {
          method: 'POST',
          path: '/v1/organisations',
          hash: admin,
          body: {
            name: 'Beneath',
            taxNumber: 'T',
            [round % 2 === 0 ? 'parentOrganisation' : 'resellerOrganisation']: organisationId,
          },
        },
        {
          method: 'POST',
          path: `${path}/users/${sleeper.id}/actions`,
          hash: admin,
          body: { type: 'enable' },
        },
      ];
      // All of them or one at a time; the deletion leads by up to four round trips, so
      // that each side wins at times.
      const chosen = round % 4 === 0 ? rivals : rivals.slice(round % 3, (round % 3) + 1);
      const responses = await atOnce([{ method: 'DELETE', path, hash: admin }, ...chosen], round % 5);
      const [deletion] = responses;
      const isDeleted =
        (await count(`organisations WHERE id = $1 AND deleted_at IS NOT NULL`, [organisationId])) === 1;
      expect({ round, status: deletion?.status }).toEqual({ round, status: isDeleted ? 204 : 400 });
      ends[isDeleted ? 'deleted' : 'kept'] += 1;
      const enabled = await count(`users WHERE organisation_id = $1 AND enabled AND deleted_at IS NULL`, [
        organisationId,
      ]);
      const beneath = await count(
        `organisations WHERE deleted_at IS NULL AND $1 IN (parent_id, reseller_id)`,
        [organisationId],
      );
      const rivalsThatWon = responses.filter(({ status }) => status < 300).length - (isDeleted ? 1 : 0);
      expect({ round, enabled: enabled + beneath }).toEqual({ round, enabled: rivalsThatWon });
      if (isDeleted) expect(rivalsThatWon).toBe(0);
    }
    expect(ends.kept).toBeGreaterThan(0);
    expect(ends.deleted).toBeGreaterThan(0);
  });

  it('logins while the user is disabled are not usable, then or after it is enabled again', async () => {
    const organisationId = await makeOrganisation(service);
    for (let round = 0; round < ROUNDS; round++) {
      const user = await makeUser(service, { organisationId });
      const login = {
        method: 'POST',
        path: '/v1/login',
        body: { username: user.username, password: PASSWORD },
      };
      const actions = `/v1/organisations/${organisationId}/users/${user.id}/actions`;
      const disable = { method: 'POST', path: actions, hash: admin, body: { type: 'disable' } };
      // Whether a login of the race itself is in time depends on the machine: one before it always is.
      const early = await wire.send(login);
      const [disabled, ...raced] = await atOnce([disable, login, login, login, login]);
      expect(disabled?.status).toBe(200);
      const hashes = [early, ...raced]
        .filter(({ status }) => status === 200)
        .map(({ text }) => (JSON.parse(text) as { hash: string }).hash);
      expect(hashes.length).toBeGreaterThan(0);
      const whoami = () =>
        wire.sendAll(
          [...hashes, user.client.hash].map((hash) => ({ method: 'GET', path: '/v1/whoami', hash })),
        );
      expect((await whoami()).map(({ status }) => status)).toEqual([...hashes, ''].map(() => 401));
      expect(await count('logins WHERE user_id = $1', [user.id])).toBe(0);
      await wire.send({ ...disable, body: { type: 'enable' } });
      expect((await whoami()).map(({ status }) => status)).toEqual([...hashes, ''].map(() => 401));
    }
  });

  it('PUT and PATCH lose nothing of each other, and never mix two bodies in one field set', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const path = `/v1/organisations/${await makeOrganisation(service)}`;
      const required = { name: 'N', taxNumber: 'T' };
      const send = (method: string, body: object): Call => ({
        method,
        path,
        hash: admin,
        body: { ...required, ...body },
      });
      const responses = await atOnce([
        send('PUT', { street: 'put', houseNumber: 'put', zip: 'put' }),
        send('PATCH', { street: 'patch', houseNumber: 'patch', zip: 'patch' }),
        send('PUT', { city: 'kept' }),
        send('PATCH', { information: 'kept' }),
        send('PUT', { mustPayTax: false }),
        send('PATCH', { agencyMode: 3 }),
      ]);
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 204));
      const { text } = await wire.send({ method: 'GET', path, hash: admin });
      const { organisation } = JSON.parse(text) as { organisation: Record<string, unknown> };
      expect(organisation).toMatchObject({
        city: 'kept',
        information: 'kept',
        mustPayTax: false,
        agencyMode: 3,
      });
      const { street } = organisation;
      expect(['put', 'patch']).toContain(street);
      expect(organisation).toMatchObject({ houseNumber: street, zip: street });
    }
  });
});
