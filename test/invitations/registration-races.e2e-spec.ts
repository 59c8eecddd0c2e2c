import {
  type Customer,
  makeCustomer,
  makeOrganisation,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import {
  type MadeInvitation,
  makeInvitation,
  registrationOf,
} from '../support/factories/invitations-factories';
import { atOnce } from '../support/service/at-once';
import { anonymous, type ApiClient, asAdmin } from '../support/service/client';
import { describeService } from '../support/service/service';

const AT_ONCE = 16;
const ROUNDS = 20;

describeService(['A'], 'POST /registerInvitation at the same time: registrations', (service) => {
  let admin: ApiClient;
  let customer: Customer;
  beforeAll(async () => {
    admin = await asAdmin(service);
    customer = await makeCustomer(service);
  });

  const make = (organisationId = customer.organisationId, email?: string): Promise<MadeInvitation> =>
    makeInvitation(service, { organisationId, inviterId: customer.custadmin.id, ...(email && { email }) });
  const register = (invitation: MadeInvitation) =>
    anonymous(service)
      .post(`/registerInvitation/${invitation.token}`, registrationOf(invitation, PASSWORD))
      .then(({ status }) => status);
  const pathOf = ({ organisationId, id }: MadeInvitation) =>
    `/organisations/${organisationId}/invitations/${id}`;

  /** How many rows each part of a registration left behind: all one, or all none. */
  const left = async (email: string) => {
    const [row] = await service.sql<{
      users: number;
      contacts: number;
      notifications: number;
      accepted: number;
    }>(
      `SELECT (SELECT count(*) FROM users WHERE username = $1)::integer AS users,
         (SELECT count(*) FROM contacts WHERE name = $1)::integer AS contacts,
         (SELECT count(*) FROM notifications n JOIN users u ON u.id = n.entity_id
            WHERE n.entity_class = 'User' AND u.username = $1)::integer AS notifications,
         (SELECT count(*) FROM invitations WHERE email = $1 AND accepted_at IS NOT NULL)::integer AS accepted`,
      [email],
    );
    return Object.values(row ?? {});
  };
  const WHOLE = [1, 1, 1, 1];
  const NOTHING = [0, 0, 0, 0];

  it('let one of 16 win, 20 times', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const invitation = await make();
      const responses = await atOnce(AT_ONCE, () =>
        anonymous(service).post(
          `/registerInvitation/${invitation.token}`,
          registrationOf(invitation, PASSWORD),
        ),
      );
      const losers = responses.filter(({ status }) => status !== 201);
      expect(losers).toHaveLength(AT_ONCE - 1);
      // Not "the name is taken": the invitation itself was gone.
      for (const { body, status } of losers) {
        expect([status, (body as { reason: string }).reason]).toEqual([
          400,
          expect.stringMatching(/^INVITATION_/),
        ]);
      }
      expect(await left(invitation.email)).toEqual(WHOLE);
    }
  });

  it('with invitations of many organisations to one address let one win and keep the others open', async () => {
    const email = `many${nextNumber()}@example.com`;
    const invitations: MadeInvitation[] = [];
    for (let made = 0; made < AT_ONCE; made++) {
      const beneath = { resellerId: customer.organisationId };
      invitations.push(await make(await makeOrganisation(service, beneath), email));
    }
    const statuses = await Promise.all(invitations.map(register));
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(AT_ONCE - 1);
    expect(await left(email)).toEqual(WHOLE);
  });

  it('and withdrawals never both count half', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const invitation = await make();
      const [removal, ...statuses] = await Promise.all([
        admin.delete(pathOf(invitation)).then(({ status }) => status),
        ...Array.from({ length: 4 }, () => register(invitation)),
      ]);
      expect(removal).toBe(204);
      const wins = statuses.filter((status) => status === 201).length;
      expect(statuses.every((status) => [201, 400, 404].includes(status))).toBe(true);
      expect(await left(invitation.email)).toEqual(wins === 1 ? WHOLE : NOTHING);
    }
  });

  it('and a change of the address: either the old address registered and the change failed, or it never can', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const invitation = await make();
      const body = { email: `moved${nextNumber()}@example.com`, firstName: 'A', lastName: 'B' };
      const [change, ...statuses] = await Promise.all([
        admin.put(pathOf(invitation), body).then(({ status }) => status),
        ...Array.from({ length: 4 }, () => register(invitation)),
      ]);
      const wins = statuses.filter((status) => status === 201).length;
      expect(statuses.every((status) => [201, 400, 404].includes(status))).toBe(true);
      expect([change, wins]).toEqual(wins === 1 ? [400, 1] : [204, 0]);
      expect(await left(invitation.email)).toEqual(wins === 1 ? WHOLE : NOTHING);
    }
  });

  it('and the deletion of the organisation: no user stays in a deleted organisation', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const organisationId = await makeOrganisation(service);
      const invitation = await make(organisationId);
      const [deletion, ...statuses] = await Promise.all([
        admin.delete(`/organisations/${organisationId}`).then(({ status }) => status),
        ...Array.from({ length: 4 }, () => register(invitation)),
      ]);
      const wins = statuses.filter((status) => status === 201).length;
      expect(statuses.every((status) => [201, 400, 404].includes(status))).toBe(true);
      expect([deletion, wins]).toEqual(wins === 1 ? [400, 1] : [204, 0]);
      expect(await left(invitation.email)).toEqual(wins === 1 ? WHOLE : NOTHING);
    }
  });
});
