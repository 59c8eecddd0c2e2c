import { Takeovers } from '@app/lifecycle/takeovers';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import {
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { registrationOf } from '../support/factories/invitations-factories';
import { pathOf } from '../support/factories/users-factories';
import { transactionBeside, untilWaiting } from '../support/faults/locks';
import { atOnce } from '../support/service/at-once';
import { anonymous, ApiClient } from '../support/service/client';
import { useService } from '../support/service/service';

const AT_ONCE = 16;
const ROUNDS = 8;
const NAMES = { firstName: 'Jan', lastName: 'de Vries' } as const;

/** What a stolen account made ends with the restoration of its name, whatever happens at the same moment. */
describe('a restored name at the same time', () => {
  // Five writes of one user at once.
  const service = useService('A', { settings: { databasePool: 40 } });
  const freshName = (): string => `name${nextNumber()}@example.com`;

  /** Renames the user by its own login. The token of the link that gives the name back. */
  async function stolen(user: MadeUser): Promise<string> {
    await user.client.patch(pathOf(user), { username: freshName(), ...NAMES }).expect(204);
    const token = newSecret();
    await service.sql`UPDATE name_restorations SET token_digest = ${digestOf(token)}
      WHERE user_id = ${user.id} AND ended_at IS NULL`;
    return token;
  }
  const restore = (token: string) =>
    anonymous(service)
      .post(`/resetting/${token}`, { password: 'Terug-Van-Weg-1' })
      .then(({ status }) => status);

  async function invite(by: Pick<MadeUser, 'organisationId' | 'client'>, autoRoles = 'ROLE_CUSTADMIN') {
    const email = freshName();
    const { organisationId } = by;
    const { body } = await by.client
      .post(`/organisations/${organisationId}/invitations`, { email, ...NAMES, autoRoles })
      .expect(201);
    const { id } = (body as { invitation: { id: number } }).invitation;
    const token = newSecret();
    await service.sql`UPDATE invitations SET token_digest = ${digestOf(token)} WHERE id = ${id}`;
    return { id, organisationId, email, token };
  }

  /** What is left in the organisation that would let somebody in or tell somebody. */
  const alive = async (organisationId: number, owners: readonly number[]) => {
    const [row] = await service.sql`
      SELECT (SELECT count(*)::integer FROM service_keys WHERE organisation_id = ${organisationId}) AS keys,
        (SELECT count(*)::integer FROM webhooks WHERE organisation_id = ${organisationId}) AS webhooks,
        (SELECT count(*)::integer FROM acls WHERE organisation_id = ${organisationId}) AS grants,
        (SELECT count(*)::integer FROM contacts WHERE organisation_id = ${organisationId} AND user_id IS NULL) AS contacts,
        (SELECT count(*)::integer FROM invitations WHERE organisation_id = ${organisationId} AND accepted_at IS NULL
          AND deleted_at IS NULL) AS invitations,
        (SELECT count(*)::integer FROM users WHERE organisation_id = ${organisationId} AND enabled
          AND id <> ALL (${[...owners]}::integer[])) AS users`;
    return row;
  };
  const NOTHING = { keys: 0, webhooks: 0, grants: 0, contacts: 0, invitations: 0, users: 0 };

  it('ends everything once, of 16 tries', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { organisationId, custadmin, plain } = await makeCustomer(service);
      const token = await stolen(custadmin);
      await custadmin.client
        .post(`/organisations/${organisationId}/servicekeys`, { name: 'evil', operations: ['users.list'] })
        .expect(201);
      const statuses = await atOnce(AT_ONCE, () => restore(token));
      // On a busy machine some wait too long for the row of the user.
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      for (const status of statuses) expect([200, 400, 503]).toContain(status);
      expect(await alive(organisationId, [custadmin.id, plain.id])).toEqual(NOTHING);
      const told =
        await service.sql`SELECT params FROM notifications WHERE organisation_id = ${organisationId}
        AND type = 'takeover_ended'`;
      expect(told).toEqual([{ params: { endedServiceKeys: ['evil'] } }]);
    }
  });

  it('leaves nobody inside who registers by an invitation of the thief', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { organisationId, custadmin, plain } = await makeCustomer(service);
      const token = await stolen(custadmin);
      const invitations = [];
      for (let made = 0; made < 5; made++) invitations.push(await invite(custadmin));
      const registrations = invitations.map((invitation) =>
        anonymous(service)
          .post(`/registerInvitation/${invitation.token}`, registrationOf(invitation, PASSWORD))
          .then(({ status }) => status),
      );
      const [restored, ...registered] = await Promise.all([restore(token), ...registrations]);
      expect(restored).toBe(200);
      for (const status of registered) expect([201, 400, 404]).toContain(status);
      expect(await alive(organisationId, [custadmin.id, plain.id])).toEqual(NOTHING);
    }
  });

  it('leaves what a colleague takes over while the restoration waits for it', async () => {
    const { organisationId, custadmin } = await makeCustomer(service);
    const colleague = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
    const path = `/organisations/${organisationId}`;
    const token = await stolen(custadmin);
    const made = async (collection: string, body: object) =>
      (
        Object.values(
          (await custadmin.client.post(`${path}/${collection}`, body).expect(201)).body as object,
        ) as { id: number }[]
      )[0]?.id;
    const contact = await made('contacts', { type: 'email', name: 'evil@evil.example' });
    const grant = await made('grants', { organisation: await makeOrganisation(service), access: 'read' });
    await using taking = await transactionBeside(service);
    await taking.query(`SELECT set_config('audit.actor', $1, true)`, [
      JSON.stringify({ userId: colleague.id, kind: 'login', credentialId: 1 }),
    ]);
    await taking.query(
      `UPDATE contacts SET name = 'ours@of.example', unique_key = 'ours@of.example' WHERE id = $1`,
      [contact],
    );
    await taking.query(`UPDATE acls SET access = 'manage' WHERE id = $1`, [grant]);
    const restored = restore(token);
    await untilWaiting(service, 1);
    await taking.query('COMMIT');
    expect(await restored).toBe(200);
    expect(await service.sql`SELECT name FROM contacts WHERE id = ${contact}`).toEqual([
      { name: 'ours@of.example' },
    ]);
    expect(await service.sql`SELECT access FROM acls WHERE id = ${grant}`).toEqual([{ access: 'manage' }]);
  });

  it('leaves a name that is proved meanwhile, of more users than it locks at its beginning', async () => {
    // The restoration itself meets the proof, however slow the machine is.
    service.app.get(Takeovers).longest = 60_000;
    const { organisationId, custadmin } = await makeCustomer(service);
    const token = await stolen(custadmin);
    const users = await service.sql<{ id: number; username: string }>`
      INSERT INTO users (organisation_id, username, first_name, last_name, password_hash)
      SELECT ${organisationId}, ${freshName()} || n, 'Jan', 'de Vries', '' FROM generate_series(1, 51) n
      RETURNING id, username`;
    await using thief = await transactionBeside(service);
    await thief.query(`SELECT set_config('audit.actor', $1, true)`, [
      JSON.stringify({ userId: custadmin.id, kind: 'login', credentialId: 1 }),
    ]);
    await thief.query(
      `UPDATE users SET username = 'new' || username, told_name = username, name_given_by = 'other', renamed_at = now()
       WHERE id = ANY ($1)`,
      [users.map(({ id }) => id)],
    );
    await thief.query('COMMIT');
    const last = users.at(-1);
    await using proving = await transactionBeside(service);
    await proving.query(
      'UPDATE users SET told_name = NULL, name_given_by = NULL, renamed_at = NULL WHERE id = $1',
      [last?.id],
    );
    const restored = restore(token);
    await untilWaiting(service, 1);
    await proving.query('COMMIT');
    expect(await restored).toBe(200);
    const names = await service.sql<{ username: string }>`
      SELECT username FROM users WHERE id = ANY (${users.map(({ id }) => id)}) ORDER BY id`;
    expect(names.map(({ username }) => username)).toEqual([
      ...users.slice(0, -1).map(({ username }) => username),
      `new${last?.username}`,
    ]);
  });

  it('leaves nobody inside who registers meanwhile, by the invitation of a key of the thief', async () => {
    const { organisationId, custadmin, plain } = await makeCustomer(service);
    const path = `/organisations/${organisationId}`;
    const token = await stolen(custadmin);
    const { body } = await custadmin.client
      .post(`${path}/servicekeys`, { name: 'evil', operations: ['invitations.*'] })
      .expect(201);
    const { hash } = (body as { serviceKey: { hash: string } }).serviceKey;
    const invitation = await invite({ organisationId, client: new ApiClient(service.url, hash) }, '');
    await using holder = await transactionBeside(service);
    // The registration has accepted the invitation when it counts the users.
    await holder.query(`SELECT pg_advisory_xact_lock(hashtext('users_limit_of_organisation'), $1)`, [
      organisationId,
    ]);
    const registered = anonymous(service)
      .post(`/registerInvitation/${invitation.token}`, registrationOf(invitation, PASSWORD))
      .then(({ status }) => status);
    await untilWaiting(service, 1);
    const restored = restore(token);
    await untilWaiting(service, 2);
    await holder.query('COMMIT');
    expect(await registered).toBe(201);
    expect(await restored).toBe(200);
    expect(await alive(organisationId, [custadmin.id, plain.id])).toEqual(NOTHING);
  });

  it('lets two managers back in whose thieves renamed each other and the same colleague', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { organisationId, custadmin: one, plain } = await makeCustomer(service);
      const other = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
      const tokens = [await stolen(one), await stolen(other)];
      const rename = (by: MadeUser, user: MadeUser) =>
        by.client.patch(pathOf(user), { username: freshName(), ...NAMES }).expect(204);
      await rename(one, other);
      await rename(other, one);
      await rename(one, plain);
      await rename(other, plain);
      expect(await Promise.all(tokens.map(restore))).toEqual([200, 200]);
      const names = await service.sql<{ username: string }>`SELECT username FROM users
        WHERE organisation_id = ${organisationId} ORDER BY id`;
      expect(names.map(({ username }) => username)).toEqual([one.username, plain.username, other.username]);
    }
  });
});
