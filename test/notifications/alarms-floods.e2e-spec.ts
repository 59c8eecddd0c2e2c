import { type MadeUser, makeCustomer, makeUser, nextNumber, PASSWORD } from '../support/factories/factories';
import { makeContact } from '../support/factories/records';
import { Device, giveSecondFactor, MovableClock } from '../support/factories/two-factor-factories';
import { pathOf } from '../support/factories/users-factories';
import { useMailServer } from '../support/faults/smtp';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';
import { endWaits, useOneHour } from '../support/service/time';

useOneHour();

/** rule notifications 35: noise of one kind holds back nothing of another, whoever makes it. */
const mailServer = useMailServer();
const service = useService('A', () => ({
  settings: { smtpUrl: mailServer.url, testClock: true },
}));
let clock: MovableClock;
beforeAll(() => {
  clock = new MovableClock(service);
});

const EVIL = 'thief@evil.example';

let organisationId: number;
let custadmin: MadeUser;
let plain: MadeUser;

beforeEach(async () => {
  ({ organisationId, custadmin, plain } = await makeCustomer(service));
  mailServer.mails.length = 0;
});

const times = async (count: number, act: () => Promise<unknown>): Promise<void> => {
  for (let done = 0; done < count; done++) await act();
};

/** The subjects of the mails to the address since the last call, in the order of the alphabet. */
async function subjectsTo(address: string): Promise<string[]> {
  await runJobs(service);
  return mailServer
    .mailsTo(address)
    .map(({ headers }) => headers.get('subject') ?? '')
    .sort();
}

const forget = async (): Promise<void> => {
  await runJobs(service);
  mailServer.mails.length = 0;
};

const addOwnContact = (user: MadeUser, name = `made${nextNumber()}@made.example`, preferences = '') =>
  user.client.post(`${pathOf(user)}/contacts`, { type: 'email', name, preferences }).expect(201);

describe('a manager whose address gets the security notifications of the organisation', () => {
  let contactId: number;
  beforeEach(async () => {
    contactId = await makeContact(service, {
      organisationId,
      userId: custadmin.id,
      name: custadmin.username,
      groups: ['System'],
    });
  });

  it('is told what a thief does to the account, whatever a colleague did before', async () => {
    await times(12, () => addOwnContact(plain));
    expect(await subjectsTo(custadmin.username)).toHaveLength(5);
    await forget();
    const own = pathOf(custadmin);
    await custadmin.client.post(`${own}/apikeys`, { name: 'stolen', whitelist: [] }).expect(200);
    await addOwnContact(custadmin, EVIL, 'System');
    await custadmin.client.delete(`${own}/contacts/${contactId}`).expect(204);
    await custadmin.client
      .post(`${own}/changepassword`, { oldPassword: PASSWORD, password: 'Gestolen-1234' })
      .expect(200);
    expect(await subjectsTo(custadmin.username)).toEqual([
      'Contact verwijderd',
      'Nieuw contact',
      'Nieuwe API-sleutel',
      'Wachtwoord gewijzigd',
    ]);
  });

  it('is told of guessed codes, whatever a colleague did before', async () => {
    await times(12, () => addOwnContact(plain));
    const secret = await giveSecondFactor(service, custadmin.id);
    await forget();
    const device = new Device(service, custadmin.username);
    for (let time = 0; time < 10; time++) {
      await device.login({ '6digitCode': clock.wrongCode(secret) }).expect(401);
      await endWaits(service);
    }
    expect(await subjectsTo(custadmin.username)).toHaveLength(1);
  });

  it('is told of what another manager takes away, whatever that one did before', async () => {
    const thief = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
    const victim = pathOf(custadmin);
    await times(20, async () => {
      await thief.client.patch(`${victim}/enable2fa`, {}).expect(204);
      await thief.client.patch(`${victim}/disable2fa`, {}).expect(204);
    });
    await forget();
    await thief.client.delete(`${victim}/contacts/${contactId}`).expect(204);
    await thief.client
      .patch(victim, { username: EVIL, firstName: 'Jan', lastName: 'de Vries', defaultRoles: '' })
      .expect(204);
    expect(await subjectsTo(custadmin.username)).toEqual([
      'Contact verwijderd',
      'Uw gebruikersnaam is gewijzigd',
    ]);
  });
});

describe('the address of an organisation', () => {
  const boss = 'boss@of.example';
  let contactId: number;
  beforeEach(async () => {
    contactId = await makeContact(service, { organisationId, name: boss, groups: ['System'] });
  });

  it('is told what its managers do, whatever was done of another kind before', async () => {
    await times(11, async () => {
      const id = await makeContact(service, { organisationId, name: `made${nextNumber()}@made.example` });
      await custadmin.client.delete(`/organisations/${organisationId}/contacts/${id}`).expect(204);
    });
    expect(await subjectsTo(boss)).toHaveLength(5);
    await forget();
    await custadmin.client
      .post(`/organisations/${organisationId}/servicekeys`, { name: 'stolen', operations: ['users.list'] })
      .expect(201);
    await custadmin.client.delete(`/organisations/${organisationId}/contacts/${contactId}`).expect(204);
    expect(await subjectsTo(boss)).toEqual(['Contact verwijderd', 'Nieuwe servicesleutel']);
  });
});
