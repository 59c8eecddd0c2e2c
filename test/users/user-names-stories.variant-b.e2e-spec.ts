import { clientOf, makeCustomer, nextNumber } from '../support/factories/factories';
import { freshName, PANEL_LINKS } from '../support/factories/renames-factories';
import { userNamesOf } from '../support/factories/user-names-factories';
import { makeAdmin } from '../support/factories/users-factories';
import { useMailServer } from '../support/faults/smtp';
import { useService } from '../support/service/service';
import { letTimePass, useOneHour } from '../support/service/time';

useOneHour();

const mailServer = useMailServer();

describe('a story of Variant B', () => {
  const service = useService('B', () => ({ settings: { smtpUrl: mailServer.url, ...PANEL_LINKS } }));
  const { rename, mails, stateOf, recover, recoveredAt, reset, verify, linkTo } = userNamesOf(
    service,
    mailServer,
  );

  it('a user of a login name who takes an address is recovered by its contact for 72 hours, then by the address', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    const login = `login${nextNumber()}`;
    await rename((await makeAdmin(service)).client, plain, login).expect(204);
    const contact = freshName();
    await service.sql(
      `INSERT INTO contacts (organisation_id, user_id, type, name, unique_key, created_at)
       VALUES ($1, $2, 'email', $3, $3, now() - interval '30 days')`,
      [organisationId, plain.id, contact],
    );
    const address = freshName();
    await rename(plain.client, plain, address).expect(204);
    await verify(linkTo(await mails(), address)).expect(204);
    const [asked] = await recover(address);
    expect(asked?.to).toBe(contact);
    await letTimePass(service, '73 hours');
    expect(await recoveredAt(address)).toEqual([address]);
    expect(await recoveredAt(login)).toEqual([]);

    // A login name that nobody but its user gave stays unverified: recovery goes to the address.
    await rename(await clientOf(service, plain.id), plain, `${login}b`).expect(204);
    await letTimePass(service, '73 hours');
    const [byFormer] = await recover(address);
    expect(byFormer?.to).toBe(address);
    await reset(byFormer?.token).expect(200);
    expect(await stateOf(plain)).toEqual({ username: address, verified: true, former: null });
  });
});
