import { Client } from 'pg';
import { type MadeUser, makeCustomer } from '../support/factories/factories';
import { makeContact } from '../support/factories/records';
import { pathOf } from '../support/factories/users-factories';
import { useService } from '../support/service/service';

const service = useService('A');

/** The statements that the process sent while a request was answered. */
async function statementsOf(action: () => Promise<unknown>): Promise<string[]> {
  const spy = jest.spyOn(Client.prototype, 'query');
  try {
    await action();
    const calls = spy.mock.calls as unknown as [string | { text?: string }][];
    return calls.map(([query]) => (typeof query === 'string' ? query : (query.text ?? '')));
  } finally {
    spy.mockRestore();
  }
}

/** Expects at most so many statements of a request, and shows those beyond. */
async function expectAtMost(most: number, action: () => Promise<unknown>): Promise<void> {
  const statements = await statementsOf(action);
  expect(statements.length).toBeGreaterThan(3);
  expect(statements.slice(most)).toEqual([]);
}

let organisationId: number;
let plain: MadeUser;
let custadmin: MadeUser;
beforeEach(async () => {
  ({ organisationId, plain, custadmin } = await makeCustomer(service));
});

it('PATCH …/users/{userId} takes 7 statements, with roles 8, with a user name 21', async () => {
  const patch = (by: MadeUser, changes: object) =>
    by.client
      .patch(pathOf(plain), { username: plain.username, firstName: 'Jan', lastName: 'de Vries', ...changes })
      .expect(204);
  await patch(custadmin, {});
  // Credential, BEGIN, actor, lock of name and user, the change, tag, COMMIT.
  await expectAtMost(7, () => patch(plain, { firstName: 'Piet' }));
  // Whether a manager has chosen the user.
  await expectAtMost(8, () => patch(custadmin, { defaultRoles: 'ROLE_FINANCE' }));
  // The mailbox until then, two mails and the news.
  await expectAtMost(21, () => patch(plain, { username: `new-${plain.username}` }));
});

it('PUT …/contacts/{contactId} takes 7 statements, with another address 15, with System 16', async () => {
  const contact = { organisationId, userId: plain.id, name: 'one@example.com', groups: ['Finance'] };
  const id = await makeContact(service, contact);
  const put = (name: string, preferences = 'Finance') =>
    custadmin.client.put(`${pathOf(plain)}/contacts/${id}`, { type: 'email', name, preferences }).expect(204);
  await put('one@example.com');
  // Credential, BEGIN, actor, lock, the change, tag, COMMIT.
  await expectAtMost(7, () => put('one@example.com'));
  // The news, to the user and to the address that goes.
  await expectAtMost(15, () => put('two@example.com'));
  // To both addresses, whose owner is asked for once.
  await expectAtMost(16, () => put('three@example.com', 'System'));
});
