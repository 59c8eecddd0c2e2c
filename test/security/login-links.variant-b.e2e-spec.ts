import { makeOrganisation, makeUser } from '../support/factories/factories';
import { linkedClient, makeLinkKey } from '../support/factories/login-links-factories';
import { describeSharedService } from '../support/service/shared-services';

describeSharedService(['B'], 'a login by a link, in Variant %s', (service) => {
  it('makes no users without an invitation, as it is no admin', async () => {
    const operator = await makeUser(service, { organisationId: 1, roles: ['ROLE_MAIL'] });
    const path = `/organisations/${await makeOrganisation(service)}`;
    const linked = await linkedClient(service, (await makeLinkKey(service)).client, operator);
    await linked.post(`${path}/userandcontact`, {}).expect(403);
    await linked.post(`${path}/users`, {}).expect(403);
  });
});
