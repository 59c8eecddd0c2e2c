import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { VARIANTS } from '../../qa/variants';
import { type MadeUser, makeCustomer, makeUser } from '../support/factories/factories';
import {
  inviteBy,
  letManage,
  makeManaged,
  type Managed,
  register,
  registering,
  type SentInvitation,
  tokenTo,
} from '../support/factories/grant-people-factories';
import { makeContact, makeTeam } from '../support/factories/records';
import { enable, suspend } from '../support/factories/suspensions-factories';
import { anonymous, type ApiClient, asAdmin } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { describeSharedService } from '../support/service/shared-services';
import { letExpire } from '../support/service/time';

describeSharedService(VARIANTS, 'what a grant prepared, in Variant %s,', (service) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let managed: Managed;
  beforeEach(async () => {
    managed = await makeManaged(service);
  });

  const invitationOf = async ({ id }: SentInvitation) => {
    const [row] = await service.sql<{ deleted: boolean; mails: number; recipients: string[] }>(
      `SELECT deleted_at IS NOT NULL AS deleted,
        (SELECT count(*)::integer FROM mails WHERE mail_key = 'invitation:' || i.id) AS mails,
        ARRAY(SELECT r.status FROM notification_recipients r JOIN notifications n ON n.id = r.notification_id
          WHERE n.entity_class = 'Invitation' AND n.entity_id = i.id AND r.kind = 'invited') AS recipients
      FROM invitations i WHERE id = $1`,
      [id],
    );
    return row;
  };
  const OPEN = { deleted: false, mails: 1, recipients: ['queued'] };
  const WITHDRAWN = { deleted: true, mails: 0, recipients: ['skipped'] };

  /** Refused by the registration and by what shows its form. */
  const isOnHold = async (invitation: SentInvitation, token: string): Promise<void> => {
    for (const call of [
      registering(service, invitation, token),
      anonymous(service).get(`/registerInvitation/${token}`),
    ])
      expect((await call.expect(400)).body).toMatchObject({ reason: 'INVITATION_ENDED' });
  };

  it.each<[string, () => Promise<unknown>]>([
    ['is deleted', () => end(managed.giver.custadmin.client)],
    ['is deleted by the agency', () => end(managed.agency.custadmin.client, managed.agency.organisationId)],
    [
      'becomes a grant to read',
      () => managed.giver.custadmin.client.put(pathOf(), { access: 'read' }).expect(204),
    ],
    [
      'expires',
      async () => {
        await letExpire(service, 'acls', { id: managed.grantId });
        await service.sql`SELECT graphile_worker.add_job('grants.end', '{}')`;
        await runJobs(service);
      },
    ],
    [
      'goes with the agency',
      async () => {
        const { organisationId } = managed.agency;
        await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${organisationId}`;
        await admin.delete(`/organisations/${organisationId}`).expect(204);
      },
    ],
    [
      'goes with the reach of who gave it',
      async () => {
        const above = await makeCustomer(service);
        await service.sql`UPDATE acls SET made_by_organisation = ${above.organisationId} WHERE id = ${managed.grantId}`;
        await service.sql`UPDATE organisations SET parent_id = ${above.organisationId} WHERE id = ${managed.giver.organisationId}`;
        await service.sql`UPDATE organisations SET parent_id = 1 WHERE id = ${managed.giver.organisationId}`;
      },
    ],
  ])('ends with it: open invitations are withdrawn when it %s', async (_, ends) => {
    const { agency, giver } = managed;
    const { organisationId } = giver;
    const invitation = await inviteBy(agency.custadmin, organisationId);
    const own = await inviteBy(giver.custadmin, organisationId);
    const used = await inviteBy(agency.custadmin, organisationId);
    await register(service, used);
    const token = await tokenTo(service, invitation.email);
    expect([await invitationOf(invitation), await invitationOf(own)]).toEqual([OPEN, OPEN]);
    // The mail server is away: the mails wait.
    await service.sql(
      `UPDATE ${JOB_TABLE} SET run_at = now() + interval '1 hour' WHERE payload ->> 'source' = 'stored'`,
    );
    await ends();
    expect([await invitationOf(invitation), await invitationOf(own)]).toEqual([WITHDRAWN, OPEN]);
    expect(await invitationOf(used)).toMatchObject({ deleted: false });
    await registering(service, invitation, token).expect(404);
    const { body } = await giver.custadmin.client.get(`${managed.of}/invitations?limit=0`).expect(200);
    expect((body as { invitations: { id: number }[] }).invitations.map(({ id }) => id).sort()).toEqual(
      [own.id, used.id].sort(),
    );
  });

  const pathOf = (organisationId = managed.giver.organisationId) =>
    `/organisations/${organisationId}/grants/${managed.grantId}`;
  const end = (client: ApiClient, organisationId?: number) =>
    client.delete(pathOf(organisationId)).expect(204);

  describe('waits while who invited does not use the grant:', () => {
    let member: MadeUser;
    let teamId: number;
    let invitation: SentInvitation;
    let token: string;
    beforeEach(async () => {
      const { agency, giver } = managed;
      member = await makeUser(service, { organisationId: agency.organisationId });
      teamId = await makeTeam(service, agency.organisationId, { userIds: [member.id] });
      await agency.custadmin.client.put(`${pathOf(agency.organisationId)}/teams/${teamId}`).expect(204);
      invitation = await inviteBy(member, giver.organisationId);
      token = await tokenTo(service, invitation.email);
    });

    it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
      [
        'the grant has expired, before a job ends it',
        () => letExpire(service, 'acls', { id: managed.grantId }),
        () => service.sql`UPDATE acls SET expires_at = NULL WHERE id = ${managed.grantId}`,
      ],
      [
        'the agency is suspended',
        () => suspend(admin, managed.agency.organisationId),
        () => enable(admin, managed.agency.organisationId),
      ],
      [
        'the giver is suspended',
        () => suspend(admin, managed.giver.organisationId),
        () => enable(admin, managed.giver.organisationId),
      ],
      [
        'who invited has left the team',
        () => service.sql`DELETE FROM team_members WHERE user_id = ${member.id}`,
        () => service.sql`INSERT INTO team_members (team_id, user_id) VALUES (${teamId}, ${member.id})`,
      ],
      [
        'who invited is disabled',
        () => service.sql`UPDATE users SET enabled = false WHERE id = ${member.id}`,
        () => service.sql`UPDATE users SET enabled = true WHERE id = ${member.id}`,
      ],
      [
        'who invited lacks the second factor that the giver demands',
        () =>
          service.sql`UPDATE organisations SET required_2fa = true WHERE id = ${managed.giver.organisationId}`,
        () =>
          service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${member.id}`,
      ],
    ])('%s', async (_, stops, resumes) => {
      await stops();
      await isOnHold(invitation, token);
      await resumes();
      await registering(service, invitation, token).expect(201);
    });

    it('not once a manager of the giver sent it again, though it still ends with the grant', async () => {
      const { giver, of } = managed;
      await service.sql`UPDATE users SET enabled = false WHERE id = ${member.id}`;
      await giver.custadmin.client.post(`${of}/invitations/${invitation.id}/resend`).expect(200);
      await register(service, invitation);
      const [user] = await service.sql`SELECT grant_id AS "grantId", confirmed_at AS "confirmedAt" FROM users
        WHERE username = ${invitation.email}`;
      expect(user).toEqual({ grantId: managed.grantId, confirmedAt: null });
    });
  });

  describe('is named when it ends:', () => {
    const told = async (): Promise<{ type: string; params: Record<string, unknown> }[]> => {
      await runJobs(service);
      return service.sql`SELECT type, params FROM notifications
        WHERE entity_class = 'Grant' AND entity_id = ${managed.grantId} AND type LIKE '%ended' ORDER BY id`;
    };
    const contactBy = async (client: ApiClient, path: string, name: string, preferences = 'Finance,Crm') => {
      const { body } = await client
        .post(`${path}/contacts`, { type: 'email', name, preferences })
        .expect(201);
      return (body as { contact: { id: number } }).contact.id;
    };

    it('the contacts that it made and the users who came by it, if they are still there, to the giver', async () => {
      const { agency, giver, of } = managed;
      const { client } = agency.custadmin;
      const ofUser = `${of}/users/${giver.plain.id}`;
      const email = (name: string) => `${name}${managed.grantId}@agency.example`;
      await contactBy(client, of, email('fin'));
      await contactBy(client, ofUser, email('crm'));
      const gone = await contactBy(client, of, email('gone'));
      await giver.custadmin.client.delete(`${of}/contacts/${gone}`).expect(204);
      const taken = await contactBy(client, of, email('taken'));
      const own = await contactBy(giver.custadmin.client, of, email('own'));
      const redirected = await contactBy(giver.custadmin.client, of, email('before'));
      const put = (by: ApiClient, id: number, name: string) =>
        by.put(`${of}/contacts/${id}`, { type: 'email', name }).expect(204);
      // Who sets the address chose the contact.
      await put(client, redirected, email('redirected'));
      await put(client, own, email('own'));
      await put(giver.custadmin.client, taken, email('giver'));
      const stays = await register(service, await inviteBy(agency.custadmin, giver.organisationId));
      const confirmed = await register(service, await inviteBy(agency.custadmin, giver.organisationId));
      const deleted = await register(service, await inviteBy(agency.custadmin, giver.organisationId));
      await register(service, await inviteBy(giver.custadmin, giver.organisationId));
      await inviteBy(agency.custadmin, giver.organisationId);
      const teamId = await makeTeam(service, giver.organisationId);
      await giver.custadmin.client.put(`${of}/teams/${teamId}/users/${confirmed.id}`).expect(204);
      await giver.custadmin.client.delete(`${of}/users/${deleted.id}`).expect(204);
      await end(giver.custadmin.client);
      expect(await told()).toEqual([
        {
          type: 'given_ended',
          params: {
            organisation: agency.organisationId,
            contactsOfGrant: [email('crm'), email('fin'), email('redirected')].sort(),
            usersOfGrant: [stays.username, confirmed.username].sort(),
          },
        },
        { type: 'received_ended', params: { organisation: giver.organisationId } },
      ]);
      // The name of a deleted user leaves notifications at once.
      await giver.custadmin.client.delete(`${of}/users/${stays.id}`).expect(204);
      await giver.custadmin.client.delete(ofUser).expect(204);
      expect((await told())[0]?.params).toEqual({
        organisation: agency.organisationId,
        contactsOfGrant: [email('fin'), email('redirected')].sort(),
        usersOfGrant: [confirmed.username],
      });
    });

    it('also when it becomes a grant to read; nothing where nothing is left', async () => {
      const { agency, giver, of } = managed;
      await contactBy(agency.custadmin.client, of, 'fin@agency.example');
      await giver.custadmin.client.put(pathOf(), { access: 'read' }).expect(204);
      expect((await told())[0]?.params).toMatchObject({ contactsOfGrant: ['fin@agency.example'] });
      const other = await makeCustomer(service);
      const grantId = await letManage({ giver, agency: other });
      await giver.custadmin.client.delete(`${of}/grants/${grantId}`).expect(204);
      await runJobs(service);
      expect(
        await service.sql`SELECT params FROM notifications WHERE entity_class = 'Grant' AND entity_id = ${grantId}
          AND type = 'given_ended'`,
      ).toEqual([{ params: { organisation: other.organisationId } }]);
    });

    it('of many the first twenty, and how many more', async () => {
      const { giver, grantId } = managed;
      for (let count = 10; count < 35; count++)
        await service.sql`UPDATE contacts SET grant_id = ${grantId} WHERE id = ${await makeContact(service, {
          organisationId: giver.organisationId,
          name: `fin${count}@agency.example`,
        })}`;
      await end(giver.custadmin.client);
      const { contactsOfGrant } = (await told())[0]?.params as { contactsOfGrant: string[] };
      expect(contactsOfGrant).toHaveLength(21);
      expect(contactsOfGrant.slice(18)).toEqual(['fin28@agency.example', 'fin29@agency.example', '+ 5']);
    });
  });
});
