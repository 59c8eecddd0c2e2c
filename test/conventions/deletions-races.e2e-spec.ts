import {
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
  nextNumber,
} from '../support/factories/factories';
import { makeInvitation } from '../support/factories/invitations-factories';
import { makeContact, makeTeam, register } from '../support/factories/records';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { atOnce } from '../support/service/at-once';
import { auditRows } from '../support/service/audit';
import { asAdmin } from '../support/service/client';
import { describeService } from '../support/service/service';

describeService(SHARED_VARIANTS, '16 DELETEs of one record at once, Variant %s', (service) => {
  const organisation = async () => {
    const id = await makeOrganisation(service);
    return { path: `/organisations/${id}`, table: 'organisations', id };
  };
  const user = async () => {
    const organisationId = await makeOrganisation(service);
    const { id } = await makeUser(service, { organisationId });
    return { path: `/organisations/${organisationId}/users/${id}`, table: 'users', id };
  };
  const invitation = async () => {
    const organisationId = await makeOrganisation(service);
    const { id } = await makeInvitation(service, { organisationId, inviterId: 1 });
    return { path: `/organisations/${organisationId}/invitations/${id}`, table: 'invitations', id };
  };
  const team = async () => {
    const organisationId = await makeOrganisation(service);
    const id = await makeTeam(service, organisationId);
    return { path: `/organisations/${organisationId}/teams/${id}`, table: 'teams', id };
  };
  const contact = async () => {
    const organisationId = await makeOrganisation(service);
    const { id: userId } = await makeUser(service, { organisationId });
    const id = await makeContact(service, { organisationId, userId });
    return { path: `/organisations/${organisationId}/users/${userId}/contacts/${id}`, table: undefined, id };
  };

  it.each([
    ['organisation', organisation],
    ['user', user],
    ['invitation', invitation],
    ['team', team],
    ['contact', contact],
  ])('%s: one 204, then 404, and one row in the audit log', async (_, make) => {
    const admin = await asAdmin(service);
    const { path, table, id } = await make();
    const responses = await atOnce(16, () => admin.delete(path));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([204, ...Array.from({ length: 15 }, () => 404)]);
    if (table === undefined) return;
    const deletions = (await auditRows(service, 'table_name = $1 AND record_id = $2', [table, id])).filter(
      ({ action, after }) => action === 'delete' || Boolean(after?.['deleted_at']),
    );
    expect(deletions).toHaveLength(1);
  });
});

describeService(SHARED_VARIANTS, 'the deletion of a grantor, Variant %s', (service) => {
  it('leaves no record in a team, though 15 requests put some there meanwhile', async () => {
    const admin = await asAdmin(service);
    const agency = await makeCustomer(service);
    const path = `/organisations/${agency.organisationId}/teams/${await makeTeam(service, agency.organisationId)}`;
    for (let round = 0; round < 4; round++) {
      const organisationId = await makeOrganisation(service);
      await makeGrant(service, organisationId, agency.organisationId);
      const ids = Array.from({ length: 15 }, () => nextNumber());
      const domains = undefined;
      await register(
        service,
        ...ids.map((id) => ({ kind: 'system' as const, id, name: 'web', organisationId, domains })),
      );
      const [deletion, ...additions] = await Promise.all([
        admin.delete(`/organisations/${organisationId}`),
        ...ids.map((objectId) => agency.custadmin.client.post(`${path}/systems`, { objectId })),
      ]);
      expect(deletion.status).toBe(204);
      for (const { status } of additions) expect([201, 400]).toContain(status);
      expect(await service.sql`SELECT FROM team_entities WHERE object_id = ANY (${ids}::integer[])`).toEqual(
        [],
      );
    }
  });
});
