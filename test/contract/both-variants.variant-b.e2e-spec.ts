import { OneTimeCodes } from '../../qa/made-values';
import { VARIANTS } from '../../qa/variants';
import { useMailServer } from '../support/faults/smtp';
import { ApiClient } from '../support/service/client';
import { createTestDatabase, type TestDatabase } from '../support/service/databases';
import { type ServiceProcess, settingsOn, startServiceProcess } from '../support/service/processes';
import { ADMIN } from '../support/service/service';
import { until } from '../support/service/until';

const PASSWORD = 'Passw0rd-1x';
const NEW_PASSWORD = 'Andere-Passw0rd-2';
const names = { firstName: 'Anna', lastName: 'de Boer' } as const;
const OWNER = 'owner@bakery.example';
const COLLEAGUE = 'colleague@bakery.example';

/** The life of a customer whose panel speaks Variant A while the operator's tools still speak Variant B. */
describe('processes of Variants A and B on one database', () => {
  const mailServer = useMailServer();
  let database: TestDatabase;
  let processes: readonly ServiceProcess[];
  /** Where the processes of A and B listen. */
  let urls: readonly string[];

  /** What each step of the life leaves for the next. */
  let organisationId: number;
  let ownerId: number;
  let ownerHash: string;
  let invitationId: number;
  let colleagueId: number;
  let colleagueHash: string;
  let apiKey: string;
  let adminHash: string;

  const inA = (hash?: string): ApiClient => new ApiClient(urls[0] ?? '', hash);
  const inB = (hash?: string): ApiClient => new ApiClient(urls[1] ?? '', hash);
  const users = (): string => `/organisations/${organisationId}/users`;
  const login = (client: ApiClient, username: string, password = PASSWORD) =>
    client.post('/login', { username, password });

  beforeAll(async () => {
    database = await createTestDatabase();
    const settings = {
      SMTP_URL: mailServer.url,
      INVITATION_URL_TEMPLATE: 'https://panel.example/register?token={token}',
    };
    // At once: the two agree on who migrates the database and who makes the first admin.
    processes = VARIANTS.map((variant) =>
      startServiceProcess(settingsOn(database.url, { ...settings, API_VARIANT: variant })),
    );
    urls = await Promise.all(processes.map(({ address }) => address));
    adminHash = (await login(inB(), ADMIN.username, ADMIN.password).expect(200)).body.hash;
  });

  afterAll(async () => {
    await Promise.all(processes.map(({ stop }) => stop()));
    await database.drop();
  });

  it('POST /organisations and …/userandcontact in B: GET /organisations/{organisationId} in A shows them in full', async () => {
    const made = await inB(adminHash)
      .post('/organisations', { name: 'Bakkerij de Boer', taxNumber: 'NL-1' })
      .expect(201);
    organisationId = made.body.organisation.id;
    expect(made.body.organisation).not.toHaveProperty('parentOrganisation');
    const owner = await inB(adminHash)
      .post(`/organisations/${organisationId}/userandcontact`, {
        ...names,
        username: OWNER,
        password: PASSWORD,
        defaultRoles: 'ROLE_CUSTADMIN',
      })
      .expect(201);
    ownerId = owner.body.user.id;
    const read = await inA(adminHash).get(`/organisations/${organisationId}`).expect(200);
    expect(read.body.organisation).toMatchObject({
      name: 'Bakkerij de Boer',
      parentOrganisation: '1',
      users: [{ id: ownerId, username: OWNER, roles: ['ROLE_CUSTADMIN'] }],
    });
  });

  it('POST /login in B is 401 once POST /activate2fa in A has set a second factor up', async () => {
    await login(inB(), OWNER).expect(200);
    const credentials = { username: OWNER, password: PASSWORD };
    const shown = await inA().post('/enable2faandget2fasecret', credentials).expect(200);
    const codes = new OneTimeCodes(shown.body.secret as string);
    const started = await login(inB(), OWNER).expect(401);
    expect(started.body.message).toBe('2FA is requested');
    const activated = await inA()
      .post('/activate2fa', { ...credentials, '6digitCode': await codes.next() })
      .expect(200);
    ownerHash = activated.body.hash;
    const refused = await login(inB(), OWNER).expect(401);
    expect(refused.body.message).toBe('2FA is required');
    await inB(ownerHash).get('/whoami').expect(200);
  });

  it('POST …/invitations in A: GET of it and POST /registerInvitation/{token} in B take it', async () => {
    const invited = await inA(ownerHash)
      .post(`/organisations/${organisationId}/invitations`, {
        ...names,
        email: COLLEAGUE,
        autoRoles: 'ROLE_APP',
      })
      .expect(201);
    invitationId = invited.body.invitation.id;
    expect(invited.body.invitation.statusCategory).toBe('green');
    const path = `/organisations/${organisationId}/invitations/${invitationId}`;
    const open = await inB(ownerHash).get(path).expect(200);
    expect(open.body.invitation).toMatchObject({ email: COLLEAGUE, status: 'ok' });
    expect(open.body.invitation).not.toHaveProperty('statusCategory');
    const registered = await inB()
      .post(`/registerInvitation/${await mailedToken(COLLEAGUE)}`, {
        email: COLLEAGUE,
        organisationId,
        inviationId: invitationId,
        password: PASSWORD,
      })
      .expect(201);
    colleagueId = registered.body.user.id;
    const [doneInA, doneInB] = await Promise.all([inA(ownerHash).get(path), inB(ownerHash).get(path)]);
    expect(doneInA.body.invitation).toMatchObject({ status: 'done', statusCategory: 'grey' });
    expect(doneInB.body.invitation).toMatchObject({ status: 'accepted' });
  });

  it('POST …/apikeys in A: GET /whoami in B takes the key', async () => {
    colleagueHash = (await login(inA(), COLLEAGUE).expect(200)).body.hash;
    const made = await inA(colleagueHash)
      .post(`${users()}/${colleagueId}/apikeys`, { name: 'robot', whitelist: [] })
      .expect(200);
    apiKey = made.body.apiKey.hash;
    const known = await inB(apiKey).get('/whoami').expect(200);
    expect(known.body).toMatchObject({ userId: colleagueId, username: COLLEAGUE });
  });

  it('GET …/notifications shows the same in both', async () => {
    const listed = await inB(ownerHash)
      .get(`/organisations/${organisationId}/notifications?limit=0`)
      .expect(200);
    const told = (listed.body.notifications as Record<string, unknown>[]).map((one) => [
      one['notificationGroup'],
      one['type'],
      one['entityClass'],
      one['entityId'],
      one['userId'],
    ]);
    expect(told).toContainEqual(['Crm', 'new', 'Invitation', invitationId, ownerId]);
    expect(told).toContainEqual(['Crm', 'new', 'User', colleagueId, expect.anything()]);
    expect(told.some(([group, , , , userId]) => group === 'System' && userId === colleagueId)).toBe(true);
    const { body } = await inA(ownerHash)
      .get(`/organisations/${organisationId}/notifications?limit=0`)
      .expect(200);
    const ids = ({ notifications }: typeof body) => notifications.map(({ id }: { id: number }) => id);
    // Deliveries go on meanwhile.
    expect(ids(body)).toEqual(ids(listed.body));
  });

  it('POST …/users/{userId}/actions in B: the next request with login or key in A is 401', async () => {
    await inA(colleagueHash).get('/whoami').expect(200);
    const action = (type: string) =>
      inB(ownerHash).post(`${users()}/${colleagueId}/actions`, { type }).expect(200);
    await action('disable');
    await inA(colleagueHash).get('/whoami').expect(401);
    await inA(apiKey).get('/whoami').expect(401);
    await login(inA(), COLLEAGUE).expect(401);
    await action('enable');
    await inA(apiKey).get('/whoami').expect(200);
    await inA(colleagueHash).get('/whoami').expect(401);
    colleagueHash = (await login(inA(), COLLEAGUE).expect(200)).body.hash;
  });

  it('POST and DELETE …/acls in B: GET of the grantor in A is 200 until the grant ends', async () => {
    const partner = await inA(adminHash)
      .post('/organisations', { name: 'Molen', taxNumber: 'NL-2' })
      .expect(201);
    const partnerId = partner.body.organisation.id as number;
    const miller = await inB(adminHash)
      .post(`/organisations/${partnerId}/userandcontact`, {
        ...names,
        username: 'miller@mill.example',
        password: PASSWORD,
      })
      .expect(201);
    expect(miller.body.user.roles).toEqual([]);
    const millerHash = (await login(inA(), 'miller@mill.example').expect(200)).body.hash as string;
    const read = (status: number) => inA(millerHash).get(`/organisations/${organisationId}`).expect(status);
    await read(403);
    await inB(ownerHash)
      .post(`/organisations/${organisationId}/acls`, { organisation: partnerId })
      .expect(201);
    expect((await read(200)).body.organisation).toMatchObject({ id: organisationId });
    await inB(ownerHash).delete(`/organisations/${organisationId}/acls/${partnerId}`).expect(204);
    await read(403);
  });

  it('POST …/changepassword in A: the other logins in B are 401', async () => {
    const other = (await login(inB(), COLLEAGUE).expect(200)).body.hash as string;
    await inA(colleagueHash)
      .post(`${users()}/${colleagueId}/changepassword`, { oldPassword: PASSWORD, password: NEW_PASSWORD })
      .expect(200);
    await inB(other).get('/whoami').expect(401);
    await inB(colleagueHash).get('/whoami').expect(200);
    await inB(apiKey).get('/whoami').expect(200);
    await login(inB(), COLLEAGUE).expect(401);
    await login(inB(), COLLEAGUE, NEW_PASSWORD).expect(200);
  });

  it('DELETE /organisations/{organisationId} in B: GET in A is 404', async () => {
    for (const id of [colleagueId, ownerId]) await inB(adminHash).delete(`${users()}/${id}`).expect(204);
    await inA(apiKey).get('/whoami').expect(401);
    await inB(adminHash).delete(`/organisations/${organisationId}`).expect(204);
    await inA(adminHash).get(`/organisations/${organisationId}`).expect(404);
  });

  /** Waits for the mail: the workers of both processes look for jobs at the same time. */
  async function mailedToken(address: string): Promise<string> {
    const found = (): string | undefined => {
      const mail = mailServer.mailsTo(address)[0];
      return /register\?token=([0-9a-f]{64})/.exec(mail?.text ?? '')?.[1];
    };
    await until(() => found() !== undefined);
    return found() as string;
  }
});
