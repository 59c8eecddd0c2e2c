import type { Test } from 'supertest';
import { makeCustomer, nextNumber, PASSWORD } from '../support/factories/factories';
import { makeInvitation } from '../support/factories/invitations-factories';
import { passkeysOf, passSecondFactor, storePasskey } from '../support/factories/passkey-factories';
import { makeTeam } from '../support/factories/records';
import { pathOf } from '../support/factories/users-factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { failingFields } from '../support/service/client';
import { useService } from '../support/service/service';

/** Bodies that no route for a proof expects, by media type. */
const STRANGE: readonly (readonly [type: string, body: string])[] = [
  ['application/json', '{"half'],
  ['application/json', '[]'],
  ['application/json', '"text"'],
  ['application/json', 'null'],
  ['application/json', '{"password": {}, "6digitCode": []}'],
  ['application/json', '{"force": true}'],
  ['application/json; charset=utf-16', '{}'],
  ['application/x-www-form-urlencoded', 'id=1'],
  ['text/xml', '<delete/>'],
];

describe.each(SHARED_VARIANTS)('a request whose body may hold a proof alone, Variant %s', (variant) => {
  const service = useService(variant, { settings: { stepUp: true, strictBody: true } });
  const sending = (call: Test, [type, body]: readonly [string, string]): Test => call.type(type).send(body);

  it.each(STRANGE)('is refused for no body where it needs no proof: %s %s', async (...strange) => {
    const { plain, custadmin, organisationId } = await makeCustomer(service);
    const { client } = custadmin;
    const organisation = `/organisations/${organisationId}`;
    for (const owner of [pathOf(plain), organisation]) {
      const contact = { type: 'email', name: `jan${nextNumber()}@a.example` };
      const { body } = await client.post(`${owner}/contacts`, contact).expect(201);
      const { id } = (body as { contact: { id: number } }).contact;
      await sending(client.delete(`${owner}/contacts/${id}`), strange).expect(204);
    }
    // A DELETE that never needs one.
    const team = await makeTeam(service, organisationId);
    await sending(client.delete(`${organisation}/teams/${team}`), strange).expect(204);
    const { id } = await makeInvitation(service, { organisationId, inviterId: custadmin.id });
    await sending(client.post(`${organisation}/invitations/${id}/resend`), strange).expect(200);
  });

  it('lacks the proof where it needs one and has another body', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const { id } = await makeInvitation(service, {
      organisationId,
      inviterId: custadmin.id,
      autoRoles: ['ROLE_CUSTADMIN'],
    });
    const passkey = `${passkeysOf(custadmin)}/${await storePasskey(service, custadmin.id)}`;
    await passSecondFactor(service, custadmin.id);
    const calls = [
      () => custadmin.client.post(`/organisations/${organisationId}/invitations/${id}/resend`),
      ...(variant === 'A' ? [() => custadmin.client.delete(passkey)] : []),
    ];
    for (const call of calls) {
      for (const strange of STRANGE)
        expect(failingFields(await sending(call(), strange).expect(400))).toEqual(['password']);
      expect((await call().send({ password: PASSWORD, force: true })).status).toBeLessThan(300);
    }
  });
});
