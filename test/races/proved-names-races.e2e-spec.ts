import { makeCustomer, makeUser, nextNumber, PASSWORD } from '../support/factories/factories';
import {
  type MadeInvitation,
  makeInvitation,
  registrationOf,
} from '../support/factories/invitations-factories';
import { pathOf } from '../support/factories/users-factories';
import { anonymous } from '../support/service/client';
import { describeService } from '../support/service/service';

const AT_ONCE = 16;
const ROUNDS = 6;

/** rule recovery 71, rule recovery 72: who proves a name has it, whoever else takes it at the same moment. */
describeService(['A'], 'a user name at the same time', (service) => {
  const register = (invitation: MadeInvitation) =>
    anonymous(service)
      .post(`/registerInvitation/${invitation.token}`, registrationOf(invitation, PASSWORD))
      .then(({ status }) => status);

  async function named(name: string): Promise<readonly { id: number; told: string | null }[]> {
    return service.sql<{ id: number; told: string | null }>(
      'SELECT id, told_name AS told FROM users WHERE lower(username) = lower($1) AND deleted_at IS NULL',
      [name],
    );
  }

  it('goes to the mailbox that registers by it, of 16 others who rename to it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { organisationId, custadmin } = await makeCustomer(service);
      const name = `contested${nextNumber()}@example.com`;
      const invitation = await makeInvitation(service, {
        organisationId,
        inviterId: custadmin.id,
        email: name,
      });
      const users = await Promise.all(
        Array.from({ length: AT_ONCE - 1 }, () => makeUser(service, { organisationId })),
      );
      const renames = users.map((user) =>
        user.client
          .patch(pathOf(user), { username: name, firstName: 'Jan', lastName: 'de Vries' })
          .then(({ status }) => status),
      );
      const [registered, ...renamed] = await Promise.all([register(invitation), ...renames]);
      expect(registered).toBe(201);
      expect(renamed.every((status) => status === 204 || status === 400)).toBe(true);
      expect(renamed.filter((status) => status === 204).length).toBeLessThanOrEqual(1);
      // The registered user alone, proved; whoever was first has the own name again.
      const holders = await named(name);
      expect(holders).toHaveLength(1);
      expect(holders[0]?.told).toBeNull();
      expect(users.map(({ id }) => id)).not.toContain(holders[0]?.id);
      for (const user of users) expect(await named(user.username)).toEqual([{ id: user.id, told: null }]);
    }
  });

  it('that others are told goes to one of 16 invitations, and to its former user never at once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { organisationId, plain } = await makeCustomer(service);
      await plain.client
        .patch(pathOf(plain), {
          username: `moved${nextNumber()}@example.com`,
          firstName: 'Jan',
          lastName: 'de Vries',
        })
        .expect(204);
      const invitations: MadeInvitation[] = [];
      for (let made = 0; made < AT_ONCE - 1; made++) {
        const { organisationId: inviting, custadmin } = await makeCustomer(service);
        invitations.push(
          await makeInvitation(service, {
            organisationId: inviting,
            inviterId: custadmin.id,
            email: plain.username,
          }),
        );
      }
      const back = plain.client
        .patch(pathOf({ organisationId, id: plain.id }), {
          username: plain.username,
          firstName: 'Jan',
          lastName: 'de Vries',
        })
        .then(({ status }) => status);
      const [restored, ...statuses] = await Promise.all([back, ...invitations.map(register)]);
      const registered = statuses.filter((status) => status === 201).length;
      expect([...statuses, restored].every((status) => [201, 204, 400].includes(status))).toBe(true);
      expect(registered + (restored === 204 ? 1 : 0)).toBe(1);
      const holders = await named(plain.username);
      expect(holders).toHaveLength(1);
      expect(holders[0]?.told).toBeNull();
    }
  });
});
