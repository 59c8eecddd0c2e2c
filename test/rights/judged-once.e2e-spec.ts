import { request as rawRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { type MadeUser, makeCustomer, makeUser } from '../support/factories/factories';
import { makeServiceKey } from '../support/factories/key-factories';
import { pathOf } from '../support/factories/users-factories';
import { transactionBeside, untilBlocked } from '../support/faults/locks';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { describeService } from '../support/service/service';
import { until } from '../support/service/until';

describeService(
  SHARED_VARIANTS,
  'the access check of POST …/contacts (rule rights 24, rule login 13) in Variant %s',
  (service) => {
    const contact = { type: 'email', name: 'late@example.com' };
    const body = JSON.stringify(contact);
    const contactsOf = ({ organisationId }: Pick<MadeUser, 'organisationId'>): string =>
      `/organisations/${organisationId}/contacts`;
    const storedOf = async ({ organisationId }: Pick<MadeUser, 'organisationId'>): Promise<number> =>
      (await service.sql`SELECT FROM contacts WHERE organisation_id = ${organisationId} AND user_id IS NULL`)
        .length;

    /** What takes the right of the manager away, and the status that says so. */
    const ENDS: Readonly<Record<string, { sql: string; status: number }>> = {
      'the login has ended': { sql: 'DELETE FROM logins WHERE user_id = $1', status: 401 },
      'the user is disabled': { sql: 'UPDATE users SET enabled = false WHERE id = $1', status: 401 },
      'the role is taken': { sql: `UPDATE users SET roles = '{}' WHERE id = $1`, status: 500 },
      'the organisation is suspended': {
        sql: `INSERT INTO suspensions (organisation_id, itself, beneath, reason, by_organisation_id)
        SELECT organisation_id, true, false, '', 1 FROM users WHERE id = $1`,
        status: 401,
      },
    };

    it.each(Object.entries(ENDS))(
      'comes when the body has come whole: where %s while it trickles in, nothing is stored',
      async (_, { sql, status }) => {
        const { custadmin } = await makeCustomer(service);
        const { hostname, port } = new URL(service.url);
        const sent = rawRequest({
          hostname,
          port,
          method: 'POST',
          path: `/v1${contactsOf(custadmin)}`,
          headers: {
            Authorization: custadmin.client.hash,
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(body),
          },
        });
        const answered = new Promise<{ status: number | undefined; answer: string }>((resolve, reject) => {
          sent.on('error', reject);
          sent.on('response', (response) => {
            void text(response).then((answer) => resolve({ status: response.statusCode, answer }), reject);
          });
        });
        sent.write(body.slice(0, 10));
        await until(() => Promise.resolve((sent.socket?.bytesWritten ?? 0) > 0));
        // The service, which answers this one, has read the head of the other.
        await custadmin.client.get('/whoami').expect(200);
        await service.sql(sql, [custadmin.id]);
        sent.end(body.slice(10));
        expect(await answered).toMatchObject({ status });
        expect(await storedOf(custadmin)).toBe(0);
      },
    );

    it.each(Object.entries(ENDS))(
      'comes once: where %s meanwhile, a request that was let in is 201, and the next one is refused',
      async (_, { sql }) => {
        const { custadmin } = await makeCustomer(service);
        await using beside = await transactionBeside(service);
        await beside.query('LOCK TABLE contacts IN SHARE MODE');
        const written = custadmin.client.post(contactsOf(custadmin), contact).then(({ status }) => status);
        await untilBlocked(service, written);
        await service.sql(sql, [custadmin.id]);
        await beside.query('COMMIT');
        expect(await written).toBe(201);
        expect(await storedOf(custadmin)).toBe(1);
        // The next one is refused, a read too.
        const status = sql.includes('roles') ? 500 : 401;
        await custadmin.client.get(contactsOf(custadmin)).expect(status);
      },
    );

    it('lets a service key finish what it began before its DELETE, and the next one is 401', async () => {
      const { organisationId } = await makeCustomer(service);
      const { id, client } = await makeServiceKey(service, organisationId, {
        operations: ['organisationContacts.create'],
      });
      await using beside = await transactionBeside(service);
      await beside.query('LOCK TABLE contacts IN SHARE MODE');
      const written = client.post(contactsOf({ organisationId }), contact).then(({ status }) => status);
      await untilBlocked(service, written);
      await service.sql`DELETE FROM service_keys WHERE id = ${id}`;
      await beside.query('COMMIT');
      expect(await written).toBe(201);
      await client.post(contactsOf({ organisationId }), contact).expect(401);
    });

    it('PATCH …/users/{userId}: a manager who was let in changes a user who becomes an admin meanwhile, and the next one is 403', async () => {
      const custadmin = await makeUser(service, { organisationId: 1, roles: ['ROLE_CUSTADMIN'] });
      const user = await makeUser(service, { organisationId: 1 });
      await using beside = await transactionBeside(service);
      await beside.query(`UPDATE users SET roles = '{ROLE_ADMIN}' WHERE id = $1`, [user.id]);
      const rename = () =>
        custadmin.client.patch(pathOf(user), { username: user.username, firstName: 'Jan', lastName: 'Late' });
      const changed = rename().then(({ status }) => status);
      await untilBlocked(service, changed);
      await beside.query('COMMIT');
      expect(await changed).toBe(204);
      await rename().expect(403);
      expect(await service.sql`SELECT last_name FROM users WHERE id = ${user.id}`).toEqual([
        { last_name: 'Late' },
      ]);
    });
  },
);
