import { VARIANTS } from '../../../qa/variants';
import { makeCustomer, makeOrganisation, makeUser } from '../../support/factories/factories';
import { makeServiceKey } from '../../support/factories/key-factories';
import { type ApiClient, asAdmin } from '../../support/service/client';
import { describeService } from '../../support/service/service';

/** Organisations that the users and keys of one make in an hour. */
const MOST = 1000;

describeService(VARIANTS, 'POST /organisations: new organisations of a customer in Variant %s', (service) => {
  const FIELDS = { name: 'New', taxNumber: 'T' };
  const make = (client: ApiClient, fields: object = {}) =>
    client.post('/organisations', { ...FIELDS, ...fields });

  it('are 1,000 in an hour, whoever of it makes them and wherever; others go on', async () => {
    const { organisationId, custadmin } = await makeCustomer(service);
    const colleague = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
    const below = await makeOrganisation(service, { resellerId: organisationId });
    const key = await makeServiceKey(service, organisationId, {
      operations: ['organisations.create'],
      beneath: true,
    });
    const makers = [custadmin.client, colleague.client, key.client];

    await make(custadmin.client, { country: 'nowhere' }).expect(400);
    await make(custadmin.client, { resellerOrganisation: 1 }).expect(400);
    const statuses: number[] = [];
    for (let round = 0; round < 3; round++) {
      statuses.push(
        ...(await Promise.all(
          Array.from({ length: 20 }, async (_, index) => {
            const fields = index % 2 === 0 ? {} : { resellerOrganisation: below };
            const { status } = await make(makers[index % makers.length] as ApiClient, fields);
            return status;
          }),
        )),
      );
      // As if all but the last ones had been made before.
      if (round === 0) await service.sql`UPDATE attempts SET used = ${MOST - 30} WHERE used = 20`;
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(20 + 30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);

    const { body, headers } = await make(custadmin.client).expect(429);
    expect(body).toMatchObject({ code: 429, reason: 'TOO_MANY_ATTEMPTS' });
    expect(Number((headers as Record<string, string>)['retry-after'])).toBeGreaterThan(3000);
    await make((await makeCustomer(service)).custadmin.client).expect(201);
    await make(await asAdmin(service), { resellerOrganisation: organisationId }).expect(201);
  });
});
