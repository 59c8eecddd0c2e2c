import { request as httpRequest } from 'node:http';
import request from 'supertest';
import { VARIANTS } from '../../qa/variants';
import { makeCustomer, makeGrant, makeOrganisation, makeUser } from '../support/factories/factories';
import { makeServiceKey } from '../support/factories/key-factories';
import { makeTeam, register } from '../support/factories/records';
import { suspend } from '../support/factories/suspensions-factories';
import { AuthzenClient, type Decided, named, question } from '../support/service/authzen';
import { type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { describeService, startTestService } from '../support/service/service';

const READS = { name: 'organisations.read' };
const INVITES = { name: 'invitations.create' };

describeService(VARIANTS, 'AuthZEN in Variant %s', (service) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let authzen: AuthzenClient;
  let customer: Awaited<ReturnType<typeof makeCustomer>>;
  beforeAll(async () => {
    customer = await makeCustomer(service);
    const { client } = await makeServiceKey(service, 1, { operations: ['access.check'], asAdmin: true });
    authzen = new AuthzenClient(service, client);
  });

  const plain = () => named('user', customer.plain.id);
  const custadmin = () => named('user', customer.custadmin.id);
  const organisation = () => named('organisation', customer.organisationId);
  const fixture = () => ({ subject: plain(), action: READS, resource: organisation() });

  describe('as the certification asks: Basic', () => {
    it('permits and denies, the same each time, whatever else the request holds', async () => {
      for (let turn = 0; turn < 3; turn++) {
        expect((await authzen.evaluate(fixture())).decision).toBe(true);
        expect((await authzen.evaluate({ ...fixture(), action: INVITES })).decision).toBe(false);
      }
      const more = {
        subject: { ...plain(), properties: { department: 'Sales' } },
        action: { ...READS, properties: { method: 'GET' } },
        resource: { ...organisation(), properties: { owner: 'bob' } },
        context: { time: '2026-06-27T18:03-07:00' },
        foo: 'bar',
        futureField: { nested: true },
      };
      expect((await authzen.evaluate(more)).decision).toBe(true);
    });

    it('counts null and blank text as missing', async () => {
      for (const nothing of [null, '', ' \t']) {
        const asked = { ...fixture(), context: nothing, evaluations: nothing, options: nothing };
        expect((await authzen.post('evaluations', asked).expect(200)).body).toMatchObject({ decision: true });
        const { subject, action, resource } = fixture();
        const parts = {
          subject: { ...subject, properties: nothing },
          action,
          resource: nothing,
          options: { evaluations_semantic: nothing },
          evaluations: [{ resource, subject: nothing }, { resource: nothing }],
        };
        const { body } = await authzen.post('evaluations', parts).expect(200);
        expect((body as { evaluations: Decided[] }).evaluations).toMatchObject([
          { decision: true },
          { decision: false, context: { because: 'resource should not be blank.' } },
        ]);
      }
    });

    it('takes application/json with parameters, and no other type', async () => {
      const { hostname, port } = new URL(service.url);
      const post = (type?: string): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          const headers = {
            authorization: `Bearer ${admin.hash}`,
            ...(type !== undefined && { 'content-type': type }),
          };
          const path = '/access/v1/evaluation';
          const outgoing = httpRequest({ hostname, port, path, method: 'POST', headers }, (incoming) => {
            incoming.resume().on('end', () => resolve(incoming.statusCode));
          });
          outgoing.on('error', reject).end(JSON.stringify(fixture()));
        });
      for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/json;v=1'])
        expect({ type, status: await post(type) }).toEqual({ type, status: 200 });
      for (const type of [
        undefined,
        '',
        'application/ld+json',
        'application/vnd.api+json',
        'application/jsonp',
        'json',
        'text/json',
      ])
        expect({ type, status: await post(type) }).toEqual({ type, status: 400 });
    });

    it('answers 400 to another content type, to broken JSON and to no body', async () => {
      const text = JSON.stringify(fixture());
      for (const path of ['evaluation', 'evaluations']) {
        await authzen.post(path).set('Content-Type', 'text/plain').send(text).expect(400);
        await authzen
          .post(path)
          .set('Content-Type', 'application/x-www-form-urlencoded')
          .send('a=b')
          .expect(400);
        await authzen.post(path).set('Content-Type', 'application/json').send('{"subject":').expect(400);
        await authzen.post(path).set('Content-Type', 'application/json').expect(400);
        await authzen.post(path, [] as object).expect(400);
      }
    });

    it('gives the request id back, also with a refusal, and makes one where there is none', async () => {
      const sent = 'any string: 42 and "more" (of it), '.repeat(5).trim();
      for (const response of [
        await authzen.post('evaluation', fixture()).set('X-Request-ID', sent).expect(200),
        await authzen.post('evaluation', {}).set('X-Request-ID', sent).expect(400),
        await request(service.url).post('/access/v1/evaluation').set('X-Request-ID', sent).expect(401),
      ]) {
        expect(response.headers['x-request-id']).toBe(sent);
      }
      const response = await authzen.post('evaluation', fixture()).expect(200);
      expect(response.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    });

    it('says false of what is unknown, with a word', async () => {
      for (const [reason, changed] of [
        ['UNKNOWN_SUBJECT', { subject: named('user', 999_999) }],
        ['UNKNOWN_SUBJECT', { subject: named('user', 'alice') }],
        ['UNKNOWN_SUBJECT', { subject: named('user', `0${customer.plain.id}`) }],
        ['UNKNOWN_SUBJECT', { subject: named('service_key', 999_999) }],
        ['UNKNOWN_SUBJECT', { subject: named('spaceship', customer.plain.id) }],
        ['UNKNOWN_SUBJECT', { subject: named('constructor', customer.plain.id) }],
        ['UNKNOWN_ACTION', { action: { name: 'organisations.launch' } }],
        ['UNKNOWN_ACTION', { action: { name: 'contacts.list' } }],
        ['UNKNOWN_ACTION', { action: { name: 'toString' } }],
        ['UNKNOWN_RESOURCE', { resource: named('organisation', 2_147_483_647) }],
        ['UNKNOWN_RESOURCE', { resource: named('organisation', '99999999999') }],
        ['UNKNOWN_RESOURCE', { resource: named('record', 1) }],
        ['UNKNOWN_RESOURCE', { resource: named('domain', 999_999), action: { name: 'read' } }],
        ['UNKNOWN_RESOURCE', { resource: named('user', 999_999), action: { name: 'users.read' } }],
        ['UNKNOWN_RESOURCE', { resource: named('team', 999_999), action: { name: 'teams.read' } }],
      ] as const) {
        const { decision, context } = await authzen.evaluate({ ...fixture(), ...changed });
        expect({ changed, decision, reason: context.reason }).toEqual({ changed, decision: false, reason });
        expect(context.because).toMatch(/\w+ \w+/);
      }
    });
  });

  describe('as the certification asks: Batch', () => {
    const batch = async (body: object): Promise<Decided[]> =>
      ((await authzen.post('evaluations', body).expect(200)).body as { evaluations: Decided[] }).evaluations;
    const decisionsOf = async (body: object) => (await batch(body)).map(({ decision }) => decision);

    it('takes the parts that a question lacks whole from the defaults, and keeps the order', async () => {
      const { subject, action, resource } = fixture();
      const defaults = { subject, action, resource, context: {} };
      expect(
        await decisionsOf({
          ...defaults,
          evaluations: [
            {},
            { action: INVITES },
            { subject: custadmin(), action: INVITES, context: { a: 1 } },
          ],
        }),
      ).toEqual([true, false, true]);
      // A part that is there takes nothing from the default: its other half would
      // name what nobody asks about.
      const halves = await batch({
        ...defaults,
        evaluations: [
          { subject: { type: 'user' } },
          { subject: { id: subject.id } },
          { resource: { type: 'organisation' } },
        ],
      });
      expect(halves.map(({ decision, context: { reason } }) => [decision, reason])).toEqual(
        Array(3).fill([false, 'MALFORMED']),
      );
      expect(halves[0]?.context.because).toBe('subject.id should not be blank.');
    });

    it('says false of an element that is malformed, and of it alone', async () => {
      const { subject, action, resource } = fixture();
      const evaluations = [
        { resource },
        {},
        { resource: 'x' },
        null,
        { resource: { ...resource, id: 12 } },
        7,
      ];
      const decided = await batch({ subject, action, evaluations });
      expect(decided.map(({ decision, context: { reason } }) => [decision, reason])).toEqual([
        [true, 'ALLOWED'],
        ...Array.from({ length: 5 }, () => [false, 'MALFORMED']),
      ]);
      expect(decided[1]?.context.because).toBe('resource should not be blank.');
      expect(decided[4]?.context.because).toBe('resource.id should be a string.');
    });

    it('stops where the semantic says so', async () => {
      const { subject, action, resource } = fixture();
      const yes = { action };
      const no = { action: INVITES };
      const semantics = (evaluations_semantic: string, evaluations: object[]) =>
        decisionsOf({ subject, resource, evaluations, options: { evaluations_semantic, another: 1 } });
      expect(await semantics('execute_all', [yes, no, yes])).toEqual([true, false, true]);
      expect(await semantics('deny_on_first_deny', [yes, no, yes])).toEqual([true, false]);
      expect(await semantics('deny_on_first_deny', [yes, yes])).toEqual([true, true]);
      expect(await semantics('deny_on_first_deny', [yes, { subject: null, action: 7 }, yes])).toEqual([
        true,
        false,
      ]);
      expect(await semantics('permit_on_first_permit', [no, yes, no])).toEqual([false, true]);
      expect(await semantics('permit_on_first_permit', [no, no])).toEqual([false, false]);
    });

    it('takes a body without a list, or with an empty one, as one question', async () => {
      for (const evaluations of [undefined, []]) {
        const { body } = await authzen.post('evaluations', { ...fixture(), evaluations }).expect(200);
        expect(body).toEqual({
          decision: true,
          context: { reason: 'ALLOWED', because: expect.any(String) as string },
        });
        const refused = await authzen.post('evaluations', { subject: plain(), evaluations }).expect(400);
        expect(failingFields(refused)).toEqual(['action', 'resource']);
      }
    });

    it('takes 100 questions, and answers 400 to more', async () => {
      const { subject, action, resource } = fixture();
      const of = (count: number) => Array.from({ length: count }, () => ({ resource }));
      expect(await decisionsOf({ subject, action, evaluations: of(100) })).toEqual(Array(100).fill(true));
      const refused = await authzen
        .post('evaluations', { subject, action, evaluations: of(101) })
        .expect(400);
      expect(failingFields(refused)).toEqual(['evaluations']);
    });
  });

  it('has no searches: their paths are unknown ones', async () => {
    const nobody = new AuthzenClient(service, {});
    const answersTo = async (path: string) => {
      const answers = await Promise.all([authzen, nobody].map((client) => client.post(path, fixture())));
      return answers.map(({ status, body }) => ({ status, ...(body as object), requestId: '' }));
    };
    const unknown = await answersTo('unknown');
    expect(unknown[0]?.status).toBe(404);
    for (const found of ['subject', 'resource', 'action'])
      expect(await answersTo(`search/${found}`)).toEqual(unknown);
  });

  it('as the certification asks: Discovery', async () => {
    const { body, headers } = await request(service.url)
      .get('/.well-known/authzen-configuration')
      .expect(200);
    expect(headers['content-type']).toMatch(/^application\/json/);
    const url = (body as { policy_decision_point: string }).policy_decision_point;
    expect(body).toEqual({
      policy_decision_point: url,
      access_evaluation_endpoint: `${url}/access/v1/evaluation`,
      access_evaluations_endpoint: `${url}/access/v1/evaluations`,
    });
  });

  it('says why the credentials of a subject do not count', async () => {
    const left = await makeCustomer(service);
    const asked = question(
      named('user', left.custadmin.id),
      'teams.create',
      named('organisation', left.organisationId),
    );
    const key = await makeServiceKey(service, left.organisationId, { expiresIn: '-1 second' });
    expect((await authzen.evaluate(asked)).decision).toBe(true);
    await service.sql`UPDATE users SET enabled = false WHERE id = ${left.custadmin.id}`;
    expect(await authzen.evaluate(asked)).toEqual({
      decision: false,
      context: { reason: 'UNAUTHORISED', because: 'The user is disabled: none of its credentials counts.' },
    });
    expect((await authzen.evaluate({ ...asked, subject: named('service_key', key.id) })).context).toEqual({
      reason: 'UNAUTHORISED',
      because: 'The credential has expired.',
    });
    await suspend(admin, left.organisationId);
    const { context } = await authzen.evaluate({ ...asked, subject: named('user', left.plain.id) });
    expect(context.because).toMatch(/^The organisation of the user is suspended/);
  });

  it('judges service keys by their operations and reach, and whitelists of none', async () => {
    const below = await makeOrganisation(service, { parentId: customer.organisationId });
    const options = { operations: ['teams.*'], beneath: true, whitelist: ['192.0.2.1'] };
    const key = named('service_key', (await makeServiceKey(service, customer.organisationId, options)).id);
    const reasonOf = async (action: string, organisationId: number) =>
      (await authzen.evaluate(question(key, action, named('organisation', organisationId)))).context.reason;
    expect(await reasonOf('teams.create', customer.organisationId)).toBe('ALLOWED');
    expect(await reasonOf('teams.create', below)).toBe('ALLOWED');
    expect(await reasonOf('teams.create', 1)).toBe('ACCESS_DENIED');
    expect(await reasonOf('invitations.create', below)).toBe('OPERATION_NOT_GRANTED');
  });

  describe('on a record of the register', () => {
    const SYSTEM = 7001;
    let owner: Awaited<ReturnType<typeof makeCustomer>>;
    let granted: Awaited<ReturnType<typeof makeCustomer>>;
    let reseller: Awaited<ReturnType<typeof makeCustomer>>;
    let withRole: number;
    let member: number;
    let memberWithRole: number;
    beforeAll(async () => {
      reseller = await makeCustomer(service);
      owner = await makeCustomer(service, { resellerId: reseller.organisationId });
      granted = await makeCustomer(service);
      const { organisationId } = owner;
      await register(service, { kind: 'system', id: SYSTEM, name: 'web1', organisationId });
      const made = (organisation: number, roles: string[]) =>
        makeUser(service, { organisationId: organisation, roles });
      withRole = (await made(organisationId, ['ROLE_SYSTEM', 'ROLE_FINANCE'])).id;
      member = (await made(granted.organisationId, ['ROLE_APP'])).id;
      memberWithRole = (await made(granted.organisationId, ['ROLE_SYSTEM'])).id;
      const team = await makeTeam(service, granted.organisationId, { userIds: [member, memberWithRole] });
      await service.sql`INSERT INTO team_entities (team_id, kind, object_id) VALUES (${team}, 'systems', ${SYSTEM})`;
      await makeGrant(service, organisationId, granted.organisationId);
    });

    /** What each may: `manage`, `read` or nothing. */
    const rightsOf = async (userId: number): Promise<string> => {
      const decided = await authzen.evaluateAll(
        ['read', 'manage'].map((name) => question(named('user', userId), name, named('system', SYSTEM))),
      );
      return decided.map(({ decision }) => (decision ? 'yes' : 'no')).join(' ');
    };
    const all = async () => ({
      admin: await rightsOf(1),
      manager: await rightsOf(owner.custadmin.id),
      'manager above': await rightsOf(reseller.custadmin.id),
      'plain above': await rightsOf(reseller.plain.id),
      'with the role': await rightsOf(withRole),
      plain: await rightsOf(owner.plain.id),
      'manager of a granted one': await rightsOf(granted.custadmin.id),
      'member of a team': await rightsOf(member),
      'member with the role': await rightsOf(memberWithRole),
      stranger: await rightsOf(customer.custadmin.id),
    });

    it('follows owner, team, role and grant', async () => {
      expect(await all()).toEqual({
        admin: 'yes yes',
        manager: 'yes yes',
        'manager above': 'yes yes',
        'plain above': 'no no',
        'with the role': 'yes yes',
        plain: 'no no',
        'manager of a granted one': 'yes no',
        'member of a team': 'yes no',
        'member with the role': 'yes no',
        stranger: 'no no',
      });
      const { context } = await authzen.evaluate(
        question(named('user', owner.plain.id), 'read', named('system', SYSTEM)),
      );
      expect(context.reason).toBe('ROLE_REQUIRED');
      const key = await makeServiceKey(service, owner.organisationId, { operations: ['systems.*'] });
      const asked = question(named('service_key', key.id), 'read', named('system', SYSTEM));
      expect(await authzen.evaluate(asked)).toMatchObject({ context: { reason: 'OPERATION_NOT_GRANTED' } });
    });

    it('is for admins and managers above alone while the owner is suspended, and a team loses it with the grant', async () => {
      await suspend(admin, owner.organisationId);
      const open = { admin: 'yes yes', 'manager above': 'yes yes' };
      const nobody = Object.fromEntries(Object.keys(await all()).map((who) => [who, 'no no']));
      expect(await all()).toEqual({ ...nobody, ...open });
      await service.sql`DELETE FROM suspensions WHERE organisation_id = ${owner.organisationId}`;
      await service.sql`DELETE FROM acls WHERE organisation_id = ${owner.organisationId}`;
      expect(await all()).toEqual({ ...nobody, ...open, manager: 'yes yes', 'with the role': 'yes yes' });
    });
  });
});

it('takes unknown members where STRICT_BODY is on, and its URLs from PUBLIC_URL', async () => {
  await using service = await startTestService('A', {
    settings: { strictBody: true, publicUrl: 'https://account.example/panel' },
  });
  const admin = await asAdmin(service);
  const asked = {
    ...question(named('user', 1), 'organisations.read', named('organisation', 1)),
    future: true,
  };
  expect(await new AuthzenClient(service, admin).evaluate(asked)).toMatchObject({ decision: true });
  const { body } = await request(service.url).get('/.well-known/authzen-configuration').expect(200);
  expect(body).toMatchObject({
    policy_decision_point: 'https://account.example/panel',
    access_evaluation_endpoint: 'https://account.example/panel/access/v1/evaluation',
  });
});
