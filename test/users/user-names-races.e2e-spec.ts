import { type MadeUser, makeCustomer, makeUser, nextNumber, PASSWORD } from '../support/factories/factories';
import {
  type MadeInvitation,
  makeInvitation,
  registrationOf,
} from '../support/factories/invitations-factories';
import { makeFormerNameToken, makeResetToken } from '../support/factories/page-factories';
import { pathOf } from '../support/factories/users-factories';
import { atOnce } from '../support/service/at-once';
import { anonymous } from '../support/service/client';
import { describeService } from '../support/service/service';
import { makeOlder } from '../support/service/time';

const AT_ONCE = 16;
const ROUNDS = 6;
const NAMES = { firstName: 'Jan', lastName: 'de Vries' };

describeService(['A'], 'PATCH …/users at the same time: user names', (service) => {
  const register = (invitation: MadeInvitation) =>
    anonymous(service)
      .post(`/registerInvitation/${invitation.token}`, registrationOf(invitation, PASSWORD))
      .then(({ status }) => status);
  const rename = (user: MadeUser, username: string): Promise<number> =>
    user.client.patch(pathOf(user), { username, ...NAMES }).then(({ status }) => status);
  const reset = (token: string): Promise<number> =>
    anonymous(service)
      .post(`/resetting/${token}`, { password: 'Opnieuw-1234' })
      .then(({ status }) => status);

  /** Who has the name now, or as a former one that still counts. */
  const holdersOf = (name: string) =>
    service.sql<{ id: number; verified: boolean }>(
      `SELECT id, username_verified AS verified FROM users
       WHERE deleted_at IS NULL AND lower($1) IN (lower(username), lower(former_name(users)))`,
      [name],
    );
  const inviteTo = async (email: string): Promise<MadeInvitation> => {
    const { organisationId, custadmin } = await makeCustomer(service);
    return makeInvitation(service, { organisationId, inviterId: custadmin.id, email });
  };

  it('one goes to the mailbox that registers by it, of 16 others who rename to it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { organisationId } = await makeCustomer(service);
      const name = `contested${nextNumber()}@example.com`;
      const invitation = await inviteTo(name);
      const users = await Promise.all(
        Array.from({ length: AT_ONCE - 1 }, () => makeUser(service, { organisationId })),
      );
      const [registered, ...renamed] = await Promise.all([
        register(invitation),
        ...users.map((user) => rename(user, name)),
      ]);
      expect(registered).toBe(201);
      expect(renamed.every((status) => status === 204 || status === 400)).toBe(true);
      expect(renamed.filter((status) => status === 204).length).toBeLessThanOrEqual(1);
      // The registered user alone; whoever was first has the own name again.
      const holders = await holdersOf(name);
      expect(holders).toEqual([{ id: expect.any(Number) as number, verified: true }]);
      expect(users.map(({ id }) => id)).not.toContain(holders[0]?.id);
      for (const user of users)
        expect(await holdersOf(user.username)).toEqual([{ id: user.id, verified: true }]);
    }
  });

  it('a former one after its time goes to one of 15 invitations, or back to its user, never to two', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { plain } = await makeCustomer(service);
      expect(await rename(plain, `moved${nextNumber()}@example.com`)).toBe(204);
      await makeOlder(service, 'users', { id: plain.id }, '73 hours', ['renamed_at']);
      const invitations: MadeInvitation[] = [];
      for (let made = 0; made < AT_ONCE - 1; made++) invitations.push(await inviteTo(plain.username));
      const [back, ...statuses] = await Promise.all([
        rename(plain, plain.username),
        ...invitations.map(register),
      ]);
      expect([...statuses, back].every((status) => [201, 204, 400].includes(status))).toBe(true);
      const registered = statuses.filter((status) => status === 201).length;
      expect(registered + (back === 204 ? 1 : 0)).toBe(1);
      expect(await holdersOf(plain.username)).toEqual([{ id: expect.any(Number) as number, verified: true }]);
    }
  });

  it('16 users who take a name that another gives up get it never: it is the former one of that user', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { organisationId, plain } = await makeCustomer(service);
      const users = await Promise.all(
        Array.from({ length: AT_ONCE - 1 }, () => makeUser(service, { organisationId })),
      );
      const [moved, ...taken] = await Promise.all([
        rename(plain, `moved${nextNumber()}@example.com`),
        ...users.map((user) => rename(user, plain.username)),
      ]);
      expect([moved, ...taken]).toEqual([204, ...users.map(() => 400)]);
      expect(await holdersOf(plain.username)).toMatchObject([{ id: plain.id }]);
    }
  });

  it('two renames and a reset leave one of the possible results', async () => {
    for (let round = 0; round < ROUNDS * 2; round++) {
      const { plain } = await makeCustomer(service);
      const token = await makeResetToken(service, plain.id);
      const [one, two] = [`one${nextNumber()}@example.com`, `two${nextNumber()}@example.com`];
      const statuses = await Promise.all([rename(plain, one), rename(plain, two), reset(token)]);
      // A reset ends the login, so that a rename after it is refused.
      expect(statuses[2]).toBe(200);
      for (const status of statuses.slice(0, 2)) expect([204, 401]).toContain(status);
      const [state] = await service.sql<{ username: string; verified: boolean; former: string | null }>`
        SELECT username, username_verified AS verified, former_username AS former FROM users WHERE id = ${plain.id}`;
      expect([
        { username: plain.username, verified: true, former: null },
        { username: one, verified: false, former: plain.username },
        { username: two, verified: false, former: plain.username },
      ]).toContainEqual(state);
    }
  });

  it('16 resets with one link give a former name back once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { plain } = await makeCustomer(service);
      const former = `former${nextNumber()}@example.com`;
      const token = await makeFormerNameToken(service, plain.id, former);
      const statuses = await atOnce(AT_ONCE, () => reset(token));
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 400)).toHaveLength(AT_ONCE - 1);
      expect(await holdersOf(former)).toEqual([{ id: plain.id, verified: true }]);
      const told = await service.sql`
        SELECT 1 FROM notifications WHERE about_user_id = ${plain.id} AND type = 'account_recovered'`;
      expect(told).toHaveLength(1);
    }
  });
});
