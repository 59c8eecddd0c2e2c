import {
  type MadeUser,
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
} from '../../support/factories/factories';
import { makeApiKey } from '../../support/factories/key-factories';
import { SHARED_VARIANTS } from '../../support/generators/sampled';
import { type ApiClient, asAdmin, failingFields } from '../../support/service/client';
import { useService } from '../../support/service/service';
import { makeOlder } from '../../support/service/time';

describe.each(SHARED_VARIANTS)('the chain behind an answer in Variant %s', (variant) => {
  const service = useService(variant, { settings: { logLevel: 'trace' } });
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let organisationId: number;
  let custadmin: MadeUser;
  let plain: MadeUser;
  beforeAll(async () => {
    ({ organisationId, custadmin, plain } = await makeCustomer(service));
  });

  const explained = async (body: object, by = admin): Promise<Record<string, unknown>> => {
    const response = await by.post('/access/explain', { method: 'GET', ...body }).expect(200);
    return (response.body as { explanation: Record<string, unknown> }).explanation;
  };

  it('is for a reseller the links of the tree, from below to above', async () => {
    const child = await makeOrganisation(service, { parentId: organisationId });
    const customer = await makeOrganisation(service, { resellerId: child });
    const told = await explained({ path: `/organisations/${customer}/users`, userId: custadmin.id });
    expect(told).toMatchObject({
      verdict: 'allow',
      status: null,
      reason: '',
      step: 'privilege',
      decidedBy: 'custadminBeneath',
      route: { method: 'GET', path: '/v1/organisations/{organisationId}/users', operation: 'users.list' },
      credential: null,
      user: { id: custadmin.id, organisationId, roles: ['ROLE_CUSTADMIN'], standing: [] },
      privilege: { admin: 'allow', member: 'allow', granted: 'allow', self: '', apiKey: '' },
    });
    expect(told['relation']).toEqual({
      organisationId: customer,
      own: false,
      beneath: true,
      links: [
        { kind: 'reseller', organisationId: customer, aboveId: child },
        { kind: 'parent', organisationId: child, aboveId: organisationId },
      ],
      granted: false,
      grant: null,
    });
  });

  it('is the grant where there is one', async () => {
    const granting = await makeOrganisation(service);
    const grantId = await makeGrant(service, granting, organisationId);
    const path = `/organisations/${granting}`;
    expect(await explained({ path, userId: plain.id })).toMatchObject({
      verdict: 'allow',
      because: expect.stringContaining(`It is grant ${grantId}.`),
      decidedBy: 'granted',
      relation: {
        own: false,
        beneath: false,
        granted: true,
        grant: { dtCreated: expect.stringMatching(/^\d{10}$/) },
      },
    });
    expect(await explained({ path, method: 'DELETE', userId: plain.id }, custadmin.client)).toMatchObject({
      verdict: '403',
      decidedBy: 'granted',
      privilege: { granted: 'deny' },
    });
  });

  it('is what a key is limited to', async () => {
    const path = `/organisations/${organisationId}/users/${plain.id}/sshkeys`;
    const { client, id } = await makeApiKey(service, plain.id, {
      name: 'Deploy',
      whitelist: ['192.0.2.0/24'],
      readOnly: true,
    });
    const { hash } = client;
    expect(await explained({ path, hash })).toMatchObject({
      verdict: 'allow',
      decidedBy: 'self',
      credential: {
        kind: 'api_key',
        id,
        name: 'Deploy',
        faults: [],
        readOnly: true,
        whitelist: ['192.0.2.0/24'],
      },
    });
    expect(await explained({ path, hash: `Bearer ${hash}`, address: '::ffff:192.0.2.9' })).toMatchObject({
      verdict: 'allow',
    });
    expect(await explained({ path, hash, address: '198.51.100.1' })).toMatchObject({
      verdict: '403',
      reason: 'ADDRESS_REFUSED',
      step: 'address',
    });
    expect(await explained({ path, hash, method: 'POST' })).toMatchObject({
      verdict: '403',
      reason: 'API_KEY_READ_ONLY',
      step: 'method',
    });
    const other = await makeApiKey(service, plain.id);
    const changes = `/organisations/${organisationId}/users/${plain.id}/changepassword`;
    expect(await explained({ path: changes, method: 'POST', hash: other.client.hash })).toMatchObject({
      verdict: '403',
      decidedBy: 'apiKey',
      privilege: { self: 'allow', apiKey: 'deny' },
    });
  });

  it('is why a credential does not count', async () => {
    const gone = await makeApiKey(service, plain.id, { expiresIn: '-1 second' });
    const path = '/whoami';
    expect(await explained({ path, hash: gone.client.hash })).toMatchObject({
      verdict: '401',
      step: 'credential',
      credential: { faults: ['EXPIRED'] },
      because: 'The credential has expired.',
    });
    const idle = await makeUser(service, { organisationId });
    await makeOlder(service, 'logins', { user_id: idle.id }, '8 days', ['last_used_at']);
    expect(await explained({ path, hash: idle.client.hash })).toMatchObject({
      verdict: '401',
      credential: { faults: ['UNUSED_TOO_LONG'] },
    });
    const disabled = await makeUser(service, { organisationId, enabled: false });
    for (const whom of [{ hash: disabled.client.hash }, { userId: disabled.id }]) {
      expect(await explained({ path, ...whom }, custadmin.client)).toMatchObject({
        verdict: '401',
        user: { id: disabled.id, standing: ['USER_DISABLED'] },
        because: 'The user is disabled: none of its credentials counts.',
      });
    }
    const suspended = await makeCustomer(service, { resellerId: organisationId });
    const suspendedPath = `/organisations/${suspended.organisationId}`;
    await custadmin.client
      .post(`${suspendedPath}/actions`, { type: 'disable', reason: 'Unpaid' })
      .expect(200);
    const suspendedWhom = { userId: suspended.custadmin.id };
    expect(await explained({ path: suspendedPath, ...suspendedWhom }, custadmin.client)).toMatchObject({
      verdict: '401',
      user: { id: suspended.custadmin.id, standing: ['ORGANISATION_SUSPENDED'] },
      because: expect.stringContaining('suspended'),
    });
    expect(await explained({ path, hash: 'f'.repeat(64) })).toMatchObject({
      verdict: '401',
      credential: null,
      user: null,
      because: expect.stringContaining('unknown'),
    });
  });

  it('is the demand of a second factor beside it', async () => {
    const strict = await makeOrganisation(service, { required2fa: true });
    const user = await makeUser(service, { organisationId: strict });
    expect(await explained({ path: '/whoami', userId: user.id })).toMatchObject({
      verdict: 'allow',
      user: { status2fa: 'disabled', required2fa: true },
    });
  });

  it('is told to nobody but admins and managers', async () => {
    const body = { method: 'GET', path: '/whoami', userId: plain.id };
    await plain.client.post('/access/explain', body).expect(500);
    await custadmin.client.post('/access/explain', body).expect(200);
    const stranger = (await makeCustomer(service)).custadmin;
    await stranger.client.post('/access/explain', body).expect(404);
    const operator = await makeUser(service, { organisationId: 1, roles: ['ROLE_CUSTADMIN'] });
    await operator.client.post('/access/explain', body).expect(200);
    // A CUSTADMIN never acts on a user who holds ROLE_ADMIN, and what is personal to one is not shown to it.
    await operator.client.post('/access/explain', { ...body, userId: 1 }).expect(404);
    await operator.client
      .post('/access/explain', { ...body, userId: undefined, hash: admin.hash })
      .expect(404);
  });

  it('takes either a user or a credential, a method and a path', async () => {
    const refused = async (body: object): Promise<string[]> =>
      failingFields(await admin.post('/access/explain', body).expect(400));
    const asked = { method: 'GET', path: '/whoami' };
    expect(await refused({})).toEqual(['method', 'path']);
    expect(await refused(asked)).toEqual(['userId']);
    expect(await refused({ ...asked, userId: 1, hash: 'x' })).toEqual(['hash']);
    expect(await refused({ method: 'get', path: 'whoami', userId: 'x', address: '1.2.3' })).toEqual([
      'address',
      'method',
      'path',
      'userId',
    ]);
  });

  it('leaves no trace of the credential, and does not count as its use', async () => {
    const { client, id } = await makeApiKey(service, plain.id);
    const hash = client.hash as string;
    const audited = await service.sql('SELECT 1 FROM audit_log');
    const path = `/whoami?secret=planted-in-query`;
    await explained({ path, hash });
    await explained({ path, hash }, custadmin.client);
    expect(service.logLines.join('\n')).not.toContain(hash);
    expect(service.logLines.join('\n')).not.toContain('planted-in-query');
    expect(await service.sql`SELECT last_used_at AS used FROM api_keys WHERE id = ${id}`).toEqual([
      { used: null },
    ]);
    expect(await service.sql('SELECT 1 FROM audit_log')).toHaveLength(audited.length);
  });
});
