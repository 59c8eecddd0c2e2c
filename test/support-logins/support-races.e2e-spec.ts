import { type MadeUser, makeCustomer, makeUser } from '../support/factories/factories';
import { pathOf } from '../support/factories/users-factories';
import { transactionBeside, untilBlocked } from '../support/faults/locks';
import { type Call, Wire, type WireResponse } from '../support/generators/access-calls';
import { asAdmin } from '../support/service/client';
import { useService } from '../support/service/service';

const ROUNDS = 10;
/** A busy machine may need more of them until each side has come first once. */
const MAX_ROUNDS = 60;

describe('POST …/supportlogins at the same time: support logins', () => {
  afterAll(() => wire.close());
  const service = useService('A', { settings: { databasePool: 20 } });
  let wire: Wire;
  beforeAll(() => {
    wire = new Wire(service.url);
  });
  let admin: string;
  beforeAll(async () => {
    admin = (await asAdmin(service)).hash as string;
  });

  async function makeStaff(): Promise<MadeUser> {
    const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${staff.id}`;
    return staff;
  }

  async function atOnce(calls: readonly Call[]): Promise<WireResponse[]> {
    const responses = await Promise.all(calls.map((call) => wire.send(call)));
    expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
    return responses;
  }

  const beginning = (staff: MadeUser, user: MadeUser, write: boolean): Call => ({
    method: 'POST',
    path: `/v1${pathOf(user)}/supportlogins`,
    hash: staff.client.hash,
    body: { reason: 'Ticket', write },
  });

  it.each(['none', 'read'])('never outlive the change of the consent to %s', async (access) => {
    const outcomes = new Set<number>();
    for (let round = 0; round < ROUNDS || (outcomes.size < 3 && round < MAX_ROUNDS); round++) {
      const { plain, custadmin, organisationId } = await makeCustomer(service);
      const staff = await makeStaff();
      const consent = (word: string): Call => ({
        method: 'PUT',
        path: `/v1/organisations/${organisationId}/supportaccess`,
        hash: custadmin.client.hash,
        body: { access: word },
      });
      await atOnce([consent('write')]);
      const begun = Array.from({ length: 15 }, () => beginning(staff, plain, true));
      begun.splice(round % 16, 0, consent(access));
      for (const { status } of await atOnce(begun)) outcomes.add(status);
      const left =
        await service.sql`SELECT id FROM logins WHERE user_id = ${plain.id} AND staff_id IS NOT NULL`;
      expect(left).toEqual([]);
    }
    expect([...outcomes].sort()).toEqual([201, 204, 403]);
  });

  it('never outlive the rights of their staff member', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { plain } = await makeCustomer(service);
      const staff = await makeStaff();
      const calls = Array.from({ length: 15 }, () => beginning(staff, plain, false));
      calls.splice(round % 16, 0, {
        method: 'POST',
        path: `/v1${pathOf(staff)}/actions`,
        hash: admin,
        body: { type: 'disable' },
      });
      await atOnce(calls);
      expect(await service.sql`SELECT id FROM logins WHERE staff_id = ${staff.id}`).toEqual([]);
    }
  });

  it('never outlive the login that began them', async () => {
    const outcomes = new Set<number>();
    for (let round = 0; round < ROUNDS || (outcomes.size < 3 && round < MAX_ROUNDS); round++) {
      const { plain } = await makeCustomer(service);
      const staff = await makeStaff();
      const calls = Array.from({ length: 15 }, () => beginning(staff, plain, false));
      calls.splice(round % 16, 0, { method: 'POST', path: '/v1/logout', hash: staff.client.hash });
      for (const { status } of await atOnce(calls)) outcomes.add(status);
      expect(await service.sql`SELECT id FROM logins WHERE staff_id = ${staff.id}`).toEqual([]);
    }
    // Without its login the staff member has passed no second factor: 403.
    expect([...outcomes].filter((status) => ![201, 204, 401, 403].includes(status))).toEqual([]);
    expect(outcomes.has(201)).toBe(true);
  });

  it('are refused to a staff member who loses the role meanwhile', async () => {
    const { plain } = await makeCustomer(service);
    const staff = await makeStaff();
    await using other = await transactionBeside(service);
    await other.query(`UPDATE users SET roles = '{}' WHERE id = $1`, [staff.id]);
    const waiting = wire.send(beginning(staff, plain, false));
    await untilBlocked(service, waiting);
    await other.query('COMMIT');
    expect(await waiting).toMatchObject({ status: 500, reason: 'ROLE_REQUIRED' });
  });

  it('are 20 of a staff member at most', async () => {
    const { plain } = await makeCustomer(service);
    const staff = await makeStaff();
    const responses = await atOnce(Array.from({ length: 32 }, () => beginning(staff, plain, false)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(responses.filter(({ reason }) => reason === 'LIMIT_REACHED')).toHaveLength(12);
    expect(await service.sql`SELECT id FROM logins WHERE staff_id = ${staff.id}`).toHaveLength(20);
  });
});
