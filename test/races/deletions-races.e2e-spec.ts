import { asAdmin } from '../support/service/client';
import { auditRows } from '../support/service/audit';
import { makeContact, makeTeam } from '../support/factories/records';
import { makeOrganisation, makeUser } from '../support/factories/factories';
import { makeInvitation } from '../support/factories/invitations-factories';
import { describeService } from '../support/service/service';
import { VARIANTS } from '../support/service/variants';

describeService(VARIANTS, '16 DELETEs of one record at once, Variant %s', (service) => {
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
    const responses = await Promise.all(Array.from({ length: 16 }, () => admin.delete(path)));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([204, ...Array.from({ length: 15 }, () => 404)]);
    if (table === undefined) return;
    const deletions = (await auditRows(service, 'table_name = $1 AND record_id = $2', [table, id])).filter(
      ({ action, after }) => action === 'delete' || Boolean(after?.['deleted_at']),
    );
    expect(deletions).toHaveLength(1);
  });
});
