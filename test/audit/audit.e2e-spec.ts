import type { Test } from 'supertest';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import {
  type MadeUser,
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
  PASSWORD,
} from '../support/factories/factories';
import { makeInvitation, registrationOf } from '../support/factories/invitations-factories';
import { makeApiKey, newPublicKey } from '../support/factories/key-factories';
import { makeTeam } from '../support/factories/records';
import {
  Device,
  makeTwoFactorUser,
  MovableClock,
  showSecret,
} from '../support/factories/two-factor-factories';
import { pathOf } from '../support/factories/users-factories';
import { atOnce } from '../support/service/at-once';
import { audited, type AuditRow, auditRows, CLIENT_ADDRESS, loginIdOf } from '../support/service/audit';
import { anonymous, ApiClient } from '../support/service/client';
import { type TestService, useService } from '../support/service/service';

const NEW_PASSWORD = 'Nieuw-Wachtw00rd';
const CHANGED = '(changed)';

/** A row as a case expects it; the columns of an update are compared whole, of others in part. */
interface ExpectedRow {
  readonly change: string;
  readonly record?: number;
  readonly before?: object | null;
  readonly after?: object | null;
}

const updated = (table: string, record: number, before: object, after: object): ExpectedRow => ({
  change: `update ${table}`,
  record,
  before,
  after,
});

/** A request, who makes it, and the rows that it leaves. */
interface Case {
  readonly call: Test;
  readonly status: number;
  readonly by: { userId: number | null; kind: string; credentialId: number | null };
  /** Whose change it is, where it is not the scene's organisation; null: whichever. */
  readonly organisationId?: number | null;
  readonly rows: readonly ExpectedRow[];
}

interface Scene {
  readonly service: TestService;
  readonly clock: MovableClock;
  readonly organisationId: number;
  readonly custadmin: MadeUser;
  readonly plain: MadeUser;
  readonly admin: MadeUser;
}

type Arrangement = (scene: Scene) => Promise<Case>;

const byLogin = async ({ service }: Scene, user: MadeUser): Promise<Case['by']> => ({
  userId: user.id,
  kind: 'login',
  credentialId: await loginIdOf(service, user),
});

const byPassword = ({ id }: MadeUser): Case['by'] => ({ userId: id, kind: 'password', credentialId: null });

/** The three names are required in both variants; those of the factories stay unless `fields` has others. */
const patch = (by: MadeUser, user: MadeUser, fields: object): Test =>
  by.client.patch(pathOf(user), {
    username: user.username,
    firstName: 'Jan',
    lastName: 'de Vries',
    ...fields,
  });

const IN_BOTH: Record<string, Arrangement> = {
  'creating an organisation': async (scene) => ({
    call: scene.custadmin.client.post('/organisations', { name: 'Slagerij Bos', taxNumber: 'NL9' }),
    status: 201,
    by: await byLogin(scene, scene.custadmin),
    organisationId: null,
    rows: [
      {
        change: 'insert organisations',
        after: { name: 'Slagerij Bos', tax_number: 'NL9', parent_id: 1, reseller_id: scene.organisationId },
      },
    ],
  }),
  'changing an organisation': async (scene) => {
    await scene.service
      .sql`UPDATE organisations SET name = 'Oud', tax_number = 'NL1' WHERE id = ${scene.organisationId}`;
    return {
      call: scene.admin.client.put(`/organisations/${scene.organisationId}`, {
        name: 'Nieuw',
        taxNumber: 'NL1',
        city: 'Gouda',
      }),
      status: 204,
      by: await byLogin(scene, scene.admin),
      rows: [
        updated(
          'organisations',
          scene.organisationId,
          { name: 'Oud', city: '' },
          { name: 'Nieuw', city: 'Gouda' },
        ),
      ],
    };
  },
  'deleting an organisation': async (scene) => {
    const organisationId = await makeOrganisation(scene.service);
    const user = await makeUser(scene.service, { organisationId, enabled: false });
    const deletion = { before: { deleted_at: null }, after: { deleted_at: expect.any(String) as string } };
    return {
      call: scene.admin.client.delete(`/organisations/${organisationId}`),
      status: 204,
      by: await byLogin(scene, scene.admin),
      organisationId,
      rows: [
        { change: 'update organisations', record: organisationId, ...deletion },
        updated(
          'users',
          user.id,
          { ...deletion.before, password_hash: CHANGED },
          { ...deletion.after, password_hash: CHANGED },
        ),
        { change: 'delete logins', record: await loginIdOf(scene.service, user) },
      ],
    };
  },
  'patching a user': async (scene) => ({
    call: patch(scene.custadmin, scene.plain, { firstName: 'Piet' }),
    status: 204,
    by: await byLogin(scene, scene.custadmin),
    rows: [updated('users', scene.plain.id, { first_name: 'Jan' }, { first_name: 'Piet' })],
  }),
  'disabling a user with an API key': async (scene) => {
    const key = await makeApiKey(scene.service, scene.custadmin.id);
    const ended = await loginIdOf(scene.service, scene.plain);
    return {
      call: key.client.post(`${pathOf(scene.plain)}/actions`, { type: 'disable' }),
      status: 200,
      by: { userId: scene.custadmin.id, kind: 'api_key', credentialId: key.id },
      rows: [
        updated('users', scene.plain.id, { enabled: true }, { enabled: false }),
        { change: 'delete logins', record: ended, before: { user_id: scene.plain.id, digest: CHANGED } },
      ],
    };
  },
  'deleting a user': async (scene) => {
    const ended = await loginIdOf(scene.service, scene.plain);
    return {
      call: scene.custadmin.client.delete(pathOf(scene.plain)),
      status: 204,
      by: await byLogin(scene, scene.custadmin),
      rows: [
        updated(
          'users',
          scene.plain.id,
          { deleted_at: null, password_hash: CHANGED },
          { deleted_at: expect.any(String) as string, password_hash: CHANGED },
        ),
        { change: 'delete logins', record: ended },
      ],
    };
  },
  'changing the password': async (scene) => ({
    call: scene.plain.client.post(`${pathOf(scene.plain)}/changepassword`, {
      oldPassword: PASSWORD,
      password: NEW_PASSWORD,
    }),
    status: 200,
    by: await byLogin(scene, scene.plain),
    rows: [updated('users', scene.plain.id, { password_hash: CHANGED }, { password_hash: CHANGED })],
  }),
  'logging in': (scene) =>
    Promise.resolve({
      call: anonymous(scene.service).post('/login', { username: scene.plain.username, password: PASSWORD }),
      status: 200,
      by: byPassword(scene.plain),
      rows: [
        {
          change: 'insert logins',
          before: null,
          after: { user_id: scene.plain.id, digest: CHANGED, address: CLIENT_ADDRESS },
        },
      ],
    }),
  'logging out': async (scene) => {
    const by = await byLogin(scene, scene.plain);
    return {
      call: scene.plain.client.post('/logout'),
      status: 204,
      by,
      rows: [{ change: 'delete logins', record: by.credentialId as number, after: null }],
    };
  },
  'adding an SSH key': async (scene) => ({
    call: scene.plain.client.post(`${pathOf(scene.plain)}/sshkeys`, { content: newPublicKey('laptop') }),
    status: 201,
    by: await byLogin(scene, scene.plain),
    rows: [
      {
        change: 'insert ssh_keys',
        after: {
          user_id: scene.plain.id,
          description: 'laptop',
          type: 'ssh-ed25519',
          fingerprint: expect.any(String) as string,
        },
      },
    ],
  }),
  'taking a deploy key away': async (scene) => {
    const path = `/organisations/${scene.organisationId}/sshkeys`;
    const { body } = await scene.custadmin.client.post(path, { content: newPublicKey('ci') }).expect(201);
    const { id } = (body as { sshkey: { id: number } }).sshkey;
    return {
      call: scene.admin.client.delete(`${path}/${id}`),
      status: 204,
      by: await byLogin(scene, scene.admin),
      rows: [{ change: 'delete ssh_keys', record: id, before: { description: 'ci' }, after: null }],
    };
  },
  'inviting somebody': async (scene) => ({
    call: scene.custadmin.client.post(`/organisations/${scene.organisationId}/invitations`, {
      email: 'audit@example.com',
      firstName: 'An',
      lastName: 'Smit',
      autoRoles: 'ROLE_MAIL',
    }),
    status: 201,
    by: await byLogin(scene, scene.custadmin),
    rows: [
      {
        change: 'insert invitations',
        after: {
          email: 'audit@example.com',
          auto_roles: ['ROLE_MAIL'],
          inviter_id: scene.custadmin.id,
          token_digest: CHANGED,
        },
      },
    ],
  }),
  'registering with an invitation': async (scene) => {
    const { service, organisationId } = scene;
    const team = await makeTeam(service, organisationId);
    const invitation = await makeInvitation(service, {
      organisationId,
      inviterId: scene.custadmin.id,
      autoRoles: ['ROLE_APP'],
      autoTeams: [team],
    });
    return {
      call: anonymous(service).post(
        `/registerInvitation/${invitation.token}`,
        registrationOf(invitation, NEW_PASSWORD),
      ),
      status: 201,
      by: { userId: null, kind: 'invitation', credentialId: invitation.id },
      organisationId,
      rows: [
        updated(
          'invitations',
          invitation.id,
          { accepted_at: null },
          { accepted_at: expect.any(String) as string },
        ),
        {
          change: 'insert users',
          after: { username: invitation.email, roles: ['ROLE_APP'], password_hash: CHANGED },
        },
        { change: 'insert team_members', after: { team_id: team } },
        { change: 'insert contacts', after: { type: 'email', name: invitation.email } },
      ],
    };
  },
  'deleting a team with its members': async (scene) => {
    const { service, organisationId, plain } = scene;
    const team = await makeTeam(service, organisationId);
    await service.sql`INSERT INTO team_members (team_id, user_id) VALUES (${team}, ${plain.id})`;
    return {
      call: scene.custadmin.client.delete(`/organisations/${organisationId}/teams/${team}`),
      status: 204,
      by: await byLogin(scene, scene.custadmin),
      organisationId,
      rows: [
        { change: 'delete team_members', before: { team_id: team, user_id: plain.id } },
        { change: 'delete teams', record: team },
      ],
    };
  },
};

const IN_A: Record<string, Arrangement> = {
  'making an API key': async (scene) => ({
    call: scene.plain.client.post(`${pathOf(scene.plain)}/apikeys`, {
      name: 'Build',
      whitelist: ['192.0.2.1'],
    }),
    status: 200,
    by: await byLogin(scene, scene.plain),
    rows: [
      { change: 'insert api_keys', after: { name: 'Build', whitelist: ['192.0.2.1'], digest: CHANGED } },
    ],
  }),
  'deleting an API key': async (scene) => {
    const key = await makeApiKey(scene.service, scene.plain.id, { name: 'Old' });
    return {
      call: scene.custadmin.client.delete(`${pathOf(scene.plain)}/apikeys/${key.id}`),
      status: 204,
      by: await byLogin(scene, scene.custadmin),
      rows: [{ change: 'delete api_keys', record: key.id, before: { name: 'Old', digest: CHANGED } }],
    };
  },
  'showing a TOTP secret': (scene) =>
    Promise.resolve({
      call: new Device(scene.service, scene.plain.username).showSecret(),
      status: 200,
      by: byPassword(scene.plain),
      rows: [
        updated(
          'users',
          scene.plain.id,
          { second_factor: 'disabled', totp_secret: null },
          { second_factor: 'requested', totp_secret: CHANGED },
        ),
      ],
    }),
  'activating two-factor login': async (scene) => {
    const { service, clock, plain } = scene;
    const secret = await showSecret(service, plain.username);
    const device = new Device(service, plain.username, 'Firefox/1.0');
    return {
      call: device.activate({ '6digitCode': clock.code(secret), trustThisDevice: true }),
      status: 200,
      by: byPassword(plain),
      rows: [
        updated('users', plain.id, { second_factor: 'requested' }, { second_factor: 'enabled' }),
        { change: 'delete logins', record: await loginIdOf(service, plain) },
        {
          change: 'insert trusted_devices',
          after: { user_agent: 'Firefox/1.0', address: CLIENT_ADDRESS, digest: CHANGED },
        },
        { change: 'insert logins', after: { user_agent: 'Firefox/1.0' } },
      ],
    };
  },
  'switching two-factor login off': async (scene) => {
    const user = await makeTwoFactorUser(scene.service, scene.clock, scene);
    return {
      call: scene.custadmin.client.patch(`${pathOf(user)}/disable2fa`),
      status: 204,
      by: await byLogin(scene, scene.custadmin),
      rows: [
        updated(
          'users',
          user.id,
          { second_factor: 'enabled', totp_secret: CHANGED },
          { second_factor: 'disabled', totp_secret: null },
        ),
      ],
    };
  },
  'forgetting a trusted device': async (scene) => {
    const { service, clock, plain } = scene;
    const secret = await showSecret(service, plain.username);
    await new Device(service, plain.username)
      .activate({ '6digitCode': clock.code(secret), trustThisDevice: true })
      .expect(200);
    const [device] = await service.sql<{ id: number }>('SELECT id FROM trusted_devices WHERE user_id = $1', [
      plain.id,
    ]);
    return {
      call: scene.custadmin.client.delete(`${pathOf(plain)}/token2fa/${device?.id}`),
      status: 204,
      by: await byLogin(scene, scene.custadmin),
      rows: [
        {
          change: 'delete trusted_devices',
          record: device?.id,
          before: { user_id: plain.id, digest: CHANGED },
        },
      ],
    };
  },
};

const IN_B: Record<string, Arrangement> = {
  'granting access': async (scene) => {
    const grantee = await makeOrganisation(scene.service);
    return {
      call: scene.custadmin.client.post(`/organisations/${scene.organisationId}/acls`, {
        organisation: grantee,
      }),
      status: 201,
      by: await byLogin(scene, scene.custadmin),
      rows: [
        { change: 'insert acls', after: { organisation_id: scene.organisationId, grantee_id: grantee } },
      ],
    };
  },
  'taking a grant back': async (scene) => {
    const grantee = await makeOrganisation(scene.service);
    await makeGrant(scene.service, scene.organisationId, grantee);
    return {
      call: scene.custadmin.client.delete(`/organisations/${scene.organisationId}/acls/${grantee}`),
      status: 204,
      by: await byLogin(scene, scene.custadmin),
      rows: [{ change: 'delete acls', before: { grantee_id: grantee }, after: null }],
    };
  },
};

const ARRANGEMENTS: PerVariant<Record<string, Arrangement>> = {
  A: { ...IN_BOTH, ...IN_A },
  B: { ...IN_BOTH, ...IN_B },
};

describe.each(VARIANTS)('the audit log in Variant %s', (variant) => {
  const service = useService(variant, { settings: { trustedProxies: ['127.0.0.1'] } });
  let clock: MovableClock;
  beforeAll(() => {
    clock = new MovableClock(service);
  });

  const newScene = async (): Promise<Scene> => ({
    service,
    clock,
    ...(await makeCustomer(service)),
    admin: await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] }),
  });

  it.each(Object.entries(ARRANGEMENTS[variant]))('tells of %s', async (_, arrange) => {
    const scene = await newScene();
    const { call, status, by, rows: expected, organisationId = scene.organisationId } = await arrange(scene);
    const { rows } = await audited(service, call, status);
    expect(rows.map(changeOf).sort()).toEqual(expected.map(({ change }) => change).sort());
    for (const row of rows) {
      expect(row).toMatchObject({
        actor_user_id: by.userId,
        actor_credential_kind: by.kind,
        actor_credential_id: by.credentialId,
        actor_name: null,
        address: CLIENT_ADDRESS,
        ...(organisationId !== null && { organisation_id: organisationId }),
      });
    }
    for (const { change, record, before, after } of expected) {
      const row = rows.find((one) => changeOf(one) === change) as AuditRow;
      if (record !== undefined) expect(row.record_id).toBe(record);
      for (const [side, columns] of Object.entries({ before, after })) {
        const stored = row[side as 'before' | 'after'];
        if (columns === undefined) continue;
        if (columns === null || row.action === 'update') expect(stored).toEqual(columns);
        else expect(stored).toMatchObject(columns);
      }
    }
  });

  it('tells nothing of what is refused, rolled back, only read or without effect', async () => {
    const { custadmin, plain, admin, organisationId } = await newScene();
    const beneath = await makeOrganisation(service, { parentId: organisationId });
    const circle = { name: 'Nieuw', taxNumber: 'NL1', parentOrganisation: String(beneath) };
    const rowsOf = async (call: Test, status: number): Promise<AuditRow[]> =>
      (await audited(service, call, status)).rows;
    const { client } = custadmin;
    const everything = async (): Promise<number> => (await auditRows(service, 'true')).length;
    const before = await everything();
    const refused: [Test, number][] = [
      [patch(custadmin, plain, { username: custadmin.username }), 400],
      // Refused by a trigger after the audit row was written: it goes with the rollback.
      [admin.client.patch(`/organisations/${organisationId}`, circle), 400],
      [plain.client.delete(pathOf(custadmin)), 500],
      [anonymous(service).post('/login', { username: plain.username, password: 'wrong' }), 401],
      [new ApiClient(service.url, 'unknown').post('/logout'), 401],
      [client.get(`/organisations/${organisationId}/users`), 200],
      [patch(custadmin, plain, { firstName: 'Jan' }), 204],
    ];
    for (const [call, status] of refused) expect(await rowsOf(call, status)).toEqual([]);
    expect(await everything()).toBe(before);
  });

  it('names each of 16 callers at once, not one another', async () => {
    const scene = await newScene();
    const users = await atOnce(16, () => makeUser(service, { organisationId: scene.organisationId }));
    const trails = await Promise.all(
      users.map((user, n) => audited(service, patch(user, user, { firstName: `Piet ${n}` }), 204)),
    );
    expect(
      trails.map(({ rows }) => rows.map((row) => [row.actor_user_id, row.record_id, row.after])),
    ).toEqual(users.map(({ id }, n) => [[id, id, { first_name: `Piet ${n}` }]]));
  });
});

const changeOf = ({ action, table_name }: AuditRow): string => `${action} ${table_name}`;
