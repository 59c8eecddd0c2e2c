import { newPublicKey } from '../../qa/made-values';
import { type MadeUser, makeCustomer } from '../support/factories/factories';
import { makeApiKey } from '../support/factories/key-factories';
import { PasskeyPage, passkeysOf } from '../support/factories/passkey-factories';
import { pathOf } from '../support/factories/users-factories';
import { transactionBeside, untilItWaits } from '../support/faults/locks';
import { atOnce } from '../support/service/at-once';
import { PASSKEYS, useService } from '../support/service/service';

/** What ends the right of a user to make keys, as the requests that do it store it. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  'is disabled': ['UPDATE users SET enabled = false WHERE id = $1', 'DELETE FROM logins WHERE user_id = $1'],
  'is deleted': [
    `UPDATE users SET deleted_at = now(), password_hash = '' WHERE id = $1`,
    'DELETE FROM logins WHERE user_id = $1',
  ],
  'has another password': [
    `UPDATE users SET password_hash = password_hash || '.' WHERE id = $1`,
    'DELETE FROM logins WHERE user_id = $1',
  ],
};

/** rule login 16 */
describe('POST …/apikeys beside a change of its user: the key', () => {
  const service = useService('A', { settings: { databasePool: 20, passkeys: PASSKEYS } });

  type Making = (user: MadeUser) => Promise<() => Promise<{ status: number }>>;

  const MAKINGS: Readonly<Record<string, { table: string; most: number; prepare: Making }>> = {
    'POST …/apikeys': {
      table: 'api_keys',
      most: 0,
      prepare: (user) =>
        Promise.resolve(() => user.client.post(`${pathOf(user)}/apikeys`, { name: 'late', whitelist: [] })),
    },
    'POST …/apikeys/{id}/rotate': {
      table: 'api_keys',
      most: 1,
      prepare: async (user) => {
        const { id } = await makeApiKey(service, user.id);
        return () => user.client.post(`${pathOf(user)}/apikeys/${id}/rotate`);
      },
    },
    'POST …/sshkeys': {
      table: 'ssh_keys',
      most: 0,
      prepare: (user) =>
        Promise.resolve(() =>
          user.client.post(`${pathOf(user)}/sshkeys`, {
            description: 'late',
            content: newPublicKey().content,
          }),
        ),
    },
    'POST …/passkeys': {
      table: 'passkeys',
      most: 0,
      prepare: async (user) => {
        const page = new PasskeyPage(service);
        const credential = page.authenticator.create(await page.creationOptions(user));
        return () => user.client.post(passkeysOf(user), { name: 'late', credential });
      },
    },
  };

  const pairs = Object.entries(MAKINGS).flatMap(([route, making]) =>
    Object.entries(ENDS).map(([end, statements]) => ({ route, end, statements, ...making })),
  );

  it.each(pairs)('by $route is none of who $end before it is there: 401', async (pair) => {
    const { plain } = await makeCustomer(service);
    const send = await pair.prepare(plain);
    await using beside = await transactionBeside(service);
    for (const statement of pair.statements) await beside.query(statement, [plain.id]);
    const made = send();
    await untilItWaits(beside, made);
    await beside.query('COMMIT');
    // A user who is gone is not found before the key is asked about.
    expect([401, ...(pair.end === 'is deleted' ? [404] : [])]).toContain((await made).status);
    const keys = await service.sql(`SELECT id FROM ${pair.table} WHERE user_id = $1`, [plain.id]);
    expect(keys).toHaveLength(pair.most);
  });

  it('is one of the 201s, of 16 while the user is disabled by a manager, and none after the answer', async () => {
    for (let round = 0; round < 6; round++) {
      const { plain, custadmin } = await makeCustomer(service);
      let atTheEnd = -1;
      const count = async (): Promise<number> =>
        (await service.sql`SELECT FROM api_keys WHERE user_id = ${plain.id}`).length;
      const responses = await atOnce(16, async (index) => {
        if (index !== (round * 3) % 16)
          return plain.client.post(`${pathOf(plain)}/apikeys`, { name: `key ${index}`, whitelist: [] });
        const ended = await custadmin.client.post(`${pathOf(plain)}/actions`, { type: 'disable' });
        atTheEnd = await count();
        return ended;
      });
      const statuses = responses.map(({ status }) => status);
      for (const status of statuses) expect([200, 401]).toContain(status);
      expect(await count()).toBe(atTheEnd);
    }
  });
});
