import { makeCustomer, makeOrganisation } from '../support/factories/factories';
import { makeServiceKey } from '../support/factories/key-factories';
import { runCli } from '../support/service/cli';
import { type ApiClient, asAdmin } from '../support/service/client';
import { useService } from '../support/service/service';

const service = useService('A');

const limits = (...args: string[]) => runCli(service.database, ['limits', ...args]);

const FIELDS = { name: 'Named', taxNumber: 'T' };

describe('the hourly limits of a customer', () => {
  /** A customer with three organisations beneath, and a service key in each. */
  async function makeKeys() {
    const { organisationId, custadmin } = await makeCustomer(service);
    const below: { id: number; client: ApiClient }[] = [];
    for (let index = 0; index < 3; index++) {
      const id = await makeOrganisation(service, { resellerId: organisationId });
      const { client } = await makeServiceKey(service, id, {
        operations: [
          'organisations.create',
          'notifications.create',
          'invitations.create',
          'invitations.delete',
        ],
      });
      below.push({ id, client });
    }
    return { organisationId, custadmin, below };
  }

  /** Raises the one count that stands at `counted` until only `left` of `most` are left. */
  const leave = (counted: number, most: number, left: number) =>
    service.sql(`UPDATE attempts SET used = ${most - left} WHERE used = ${counted}`);

  const expectRefused = async (request: ReturnType<ApiClient['post']>): Promise<void> => {
    const { body, headers } = await request.expect(429);
    expect(body).toMatchObject({ reason: 'TOO_MANY_ATTEMPTS' });
    expect((body as { message: string }).message).toMatch(/^Your organisations have reached a limit on: /);
    expect(Number((headers as Record<string, string>)['retry-after'])).toBeGreaterThan(3000);
  };

  afterEach(() => service.sql('DELETE FROM attempts'));

  it('POST /organisations and PATCH of resellerOrganisation: count for all its organisations, and for no other customer; above is 429', async () => {
    const { organisationId, custadmin, below } = await makeKeys();
    for (const { client } of below) await client.post('/organisations', FIELDS).expect(201);
    await leave(3, 1000, 1);
    await custadmin.client.post('/organisations', FIELDS).expect(201);
    await expectRefused(below[0]!.client.post('/organisations', FIELDS));
    const stranger = await makeCustomer(service);
    await stranger.custadmin.client.post('/organisations', FIELDS).expect(201);
    await (await asAdmin(service)).post('/organisations', FIELDS).expect(201);

    const [leaf, to] = [below[0]!.id, below[1]!.id];
    const move = (resellerOrganisation: number | null, client = custadmin.client) =>
      client.patch(`/organisations/${leaf}`, { ...FIELDS, resellerOrganisation });
    await move(to).expect(204);
    // Neither changes a link: an old panel repeats what is there, and null.
    await move(to).expect(204);
    await move(null).expect(204);
    await move(stranger.organisationId).expect(400);
    await leave(1, 1000, 1);
    await move(organisationId).expect(204);
    await expectRefused(move(to));
    await custadmin.client.patch(`/organisations/${leaf}`, FIELDS).expect(204);
    await move(to, await asAdmin(service)).expect(204);
  });

  it('POST …/notifications: count for one organisation, and for all of them together; above is 429', async () => {
    const { organisationId, custadmin, below } = await makeKeys();
    const post = (id: number, client = custadmin.client) =>
      client.post(`/organisations/${id}/notifications`, {
        type: 'news',
        group: 'Crm',
        params: { subject: 'News', message: 'Text' },
      });
    for (const { id, client } of below) await post(id, client).expect(201);
    await leave(3, 10_000, 2);
    await post(organisationId).expect(201);
    await post(organisationId).expect(201);
    await expectRefused(post(below[2]!.id, below[2]!.client));
    await service.sql('DELETE FROM attempts');
    await post(organisationId).expect(201);
    await post(organisationId).expect(201);
    await service.sql('UPDATE attempts SET used = 1000');
    await expectRefused(post(organisationId));
    await post(below[0]!.id).expect(201);
    await post(organisationId, await asAdmin(service)).expect(201);
  });

  it('POST …/invitations: are N times as high after cli limits ORG --times N, which is audited', async () => {
    const { organisationId, below } = await makeKeys();
    const invite = async (index: number, email: string): Promise<number> => {
      const { id, client } = below[index % 3]!;
      const body = { email, firstName: 'A', lastName: 'B', language: 'en' };
      const { status, body: made } = await client.post(`/organisations/${id}/invitations`, body);
      if (status === 201) {
        const { invitation } = made as { invitation: { id: number } };
        await client.delete(`/organisations/${id}/invitations/${invitation.id}`).expect(204);
      }
      return status;
    };
    const inviteAll = async (email: string): Promise<number> => {
      let sent = 0;
      for (let index = 0; index < 15; index++) if ((await invite(index, email)) === 201) sent++;
      return sent;
    };
    expect(await inviteAll('first@else.example')).toBe(10);
    const { exitCode, report } = await limits(String(organisationId), '--times', '2', '--json');
    expect({ exitCode, report }).toMatchObject({ exitCode: 0, report: { organisationId, times: 2 } });
    // The customer may mail twenty invitations to one address a day now: all fifteen are made.
    expect(await inviteAll('second@else.example')).toBe(15);
    const [row] = await service.sql(
      `SELECT request_id AS command, before ->> 'limit_times' AS before, after ->> 'limit_times' AS after
       FROM audit_log WHERE table_name = 'organisations' AND action = 'update' ORDER BY id DESC LIMIT 1`,
    );
    expect(row).toEqual({ command: 'limits', before: '1', after: '2' });
    expect((await limits(String(organisationId), '--json')).report).toMatchObject({ times: 2 });
  });

  it('cli limits refuses an id that is no customer', async () => {
    const { organisationId, below } = await makeKeys();
    const refusal = async (...args: string[]) => {
      const { exitCode, messages } = await limits(...args);
      return [exitCode, messages.at(-1)];
    };
    expect(await refusal('999999', '--times', '2')).toEqual([1, expect.stringContaining('no organisation')]);
    expect(await refusal('1', '--times', '2')).toEqual([1, expect.stringContaining('the operator')]);
    expect(await refusal(String(below[0]!.id), '--times', '2')).toEqual([
      1,
      expect.stringContaining(`the customer ${organisationId}`),
    ]);
    expect(await refusal(String(organisationId), '--times', '0')).toEqual([2, expect.any(String)]);
  });
});
