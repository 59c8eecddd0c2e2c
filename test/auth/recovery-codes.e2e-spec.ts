import { recoveryCodeCount } from '../../qa/responses';
import { clientOf, type MadeUser, makeCustomer } from '../support/factories/factories';
import { resetPassword } from '../support/factories/recovery-factories';
import {
  Device,
  makeTwoFactorUser,
  MovableClock,
  storedSecondFactor,
  type TwoFactorUser,
} from '../support/factories/two-factor-factories';
import { useMailServer } from '../support/faults/smtp';
import { atOnce } from '../support/service/at-once';
import { auditRows } from '../support/service/audit';
import { anonymous, type ApiClient, asAdmin } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';
import { testHooksOf } from '../support/service/test-hooks';
import { letTimePass } from '../support/service/time';

const INVALID = { code: 401, message: '6digitCode is invalid', reason: 'CODE_INVALID' };
const WRONG = 'zzzzz-zzzzz';

interface Codes {
  readonly left: number;
  readonly dtCreated: string;
  readonly codes: string[];
}

const mailServer = useMailServer();
const service = useService('A', () => ({ settings: { smtpUrl: mailServer.url } }));
let clock: MovableClock;
beforeAll(() => {
  clock = new MovableClock(service);
});

const pathOf = (user: MadeUser): string =>
  `/organisations/${user.organisationId}/users/${user.id}/recoverycodes`;

const makeOwner = async (): Promise<TwoFactorUser> =>
  makeTwoFactorUser(service, clock, { organisationId: (await makeCustomer(service)).organisationId });

async function makeCodes(user: MadeUser): Promise<string[]> {
  const response = await user.client.post(pathOf(user)).expect(201);
  return (response.body as { recoveryCodes: Codes }).recoveryCodes.codes;
}

const logIn = (user: MadeUser, code: string, fields: object = {}) =>
  new Device(service, user.username).login({ '6digitCode': code, ...fields });

const countOf = async (user: MadeUser, client: ApiClient = user.client): Promise<object> =>
  ((await client.get(pathOf(user)).expect(200)).body as { recoveryCodes: object }).recoveryCodes;

describe('POST …/recoverycodes: a set of recovery codes', () => {
  it('is ten codes, shown once and stored as encrypted digests alone', async () => {
    const user = await makeOwner();
    expect(await countOf(user)).toEqual(recoveryCodeCount());
    const response = await user.client.post(pathOf(user)).expect(201);
    const { recoveryCodes } = response.body as { recoveryCodes: Codes };
    expect(response.body).toEqual({
      recoveryCodes: {
        ...recoveryCodeCount({ left: 10, dtCreated: expect.stringMatching(/^\d+$/) as string }),
        codes: expect.any(Array) as string[],
      },
    });
    const { codes, dtCreated } = recoveryCodes;
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/);
    expect(await countOf(user)).toEqual(recoveryCodeCount({ left: 10, dtCreated }));
    await runJobs(service);
    const stored = await service.sql<{ text: string }>(
      `SELECT recovery_codes::text AS text FROM recovery_codes UNION ALL SELECT audit_log::text FROM audit_log
       UNION ALL SELECT notifications::text FROM notifications`,
    );
    const everything = [
      ...stored.map(({ text }) => text),
      ...service.logLines,
      ...mailServer.mails.map(({ raw }) => raw),
    ].join('\n');
    for (const code of codes) {
      expect(everything).not.toContain(code);
      expect(everything).not.toContain(code.replace('-', ''));
    }
  });

  it('takes the place of the one before', async () => {
    const user = await makeOwner();
    const [old = ''] = await makeCodes(user);
    const [fresh = ''] = await makeCodes(user);
    expect((await logIn(user, old).expect(401)).body).toMatchObject(INVALID);
    await logIn(user, fresh).expect(200);
    expect(await countOf(user)).toMatchObject({ left: 9 });
  });

  it('is one whole set after 16 at once, of which ten are made in an hour', async () => {
    const user = await makeOwner();
    const responses = await atOnce(16, async () => user.client.post(pathOf(user)));
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(10).fill(201),
      ...Array<number>(6).fill(429),
    ]);
    expect(await countOf(user)).toMatchObject({ left: 10 });
    const statuses: number[] = [];
    for (const { status, body } of responses) {
      if (status !== 201) continue;
      const [code = ''] = (body as { recoveryCodes: Codes }).recoveryCodes.codes;
      statuses.push((await logIn(user, code)).status);
    }
    expect(statuses.sort()).toEqual([200, ...Array<number>(9).fill(401)]);
  });

  it('is made only while two-factor login is on', async () => {
    const { plain } = await makeCustomer(service);
    const refusal = { code: 400, message: '2FA is not enabled', reason: 'SECOND_FACTOR_NOT_ENABLED' };
    expect((await plain.client.post(pathOf(plain)).expect(400)).body).toMatchObject(refusal);
    await service.sql`UPDATE users SET second_factor = 'requested' WHERE id = ${plain.id}`;
    expect((await plain.client.post(pathOf(plain)).expect(400)).body).toMatchObject(refusal);
    expect(await countOf(plain)).toEqual(recoveryCodeCount());
  });
});

describe('POST /login: a recovery code', () => {
  it('is good once in the place of the six digits, which stay good', async () => {
    const user = await makeOwner();
    const [one = '', two = '', three = ''] = await makeCodes(user);
    await logIn(user, one).expect(200);
    expect((await logIn(user, one).expect(401)).body).toMatchObject(INVALID);
    await logIn(user, clock.code(user.secret)).expect(200);
    await logIn(user, ` ${two.toUpperCase().replace('-', '')} `).expect(200);
    const trusting = await logIn(user, three, { trustThisDevice: true }).expect(200);
    expect((trusting.body as { hash2fa: string }).hash2fa).toMatch(/^[0-9a-f]{64}$/);
    expect(await countOf(user)).toMatchObject({ left: 7 });
  });

  it('lets one of 16 in', async () => {
    const user = await makeOwner();
    const [code = ''] = await makeCodes(user);
    const responses = await atOnce(16, async () => logIn(user, code));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of responses) expect([200, 401, 429]).toContain(status);
    expect(await countOf(user)).toMatchObject({ left: 9 });
    const used = await service.sql`SELECT 1 FROM notifications WHERE entity_id = ${user.id}
         AND type = 'recovery_code_used'`;
    expect(used).toHaveLength(1);
  });

  it('is good at softlogin too', async () => {
    const user = await makeOwner();
    const [code = ''] = await makeCodes(user);
    await anonymous(service).post('/resetting/send_email', { username: user.username }).expect(204);
    const confirmationCode = await testHooksOf(service, mailServer).mails.mailedSecret(
      user.username,
      'confirmationCode',
    );
    const softLogin = (sixDigits: string) =>
      anonymous(service).post('/softlogin', {
        username: user.username,
        confirmationCode,
        '6digitCode': sixDigits,
      });
    expect((await softLogin(WRONG).expect(401)).body).toMatchObject(INVALID);
    await softLogin(code).expect(200);
    expect(await countOf(user)).toMatchObject({ left: 9 });
  });

  it('is good for its user alone', async () => {
    const user = await makeOwner();
    const other = await makeOwner();
    const [code = ''] = await makeCodes(user);
    await makeCodes(other);
    await logIn(other, code).expect(401);
    await logIn(user, code).expect(200);
  });

  it('that is wrong counts as a wrong second factor, together with wrong six digits', async () => {
    const user = await makeOwner();
    const [code = ''] = await makeCodes(user);
    for (let guess = 0; guess < 5; guess++) await logIn(user, WRONG).expect(401);
    await logIn(user, code).expect(200);
    for (let guess = 0; guess < 5; guess++) {
      await logIn(user, WRONG).expect(401);
      await logIn(user, clock.wrongCode(user.secret)).expect(401);
    }
    const [, next = ''] = await makeCodes(user);
    const refused = await logIn(user, next).expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await logIn(user, clock.code(user.secret)).expect(429);
    expect(await countOf(user)).toMatchObject({ left: 10 });
  });

  it('goes with the second factor, whoever takes it off, and does not come back', async () => {
    const admin = await asAdmin(service);
    const byManager = await makeOwner();
    const past = await makeOwner();
    const [code = ''] = await makeCodes(byManager);
    await admin
      .patch(`/organisations/${byManager.organisationId}/users/${byManager.id}/disable2fa`)
      .expect(204);
    expect(await countOf(byManager)).toEqual(recoveryCodeCount());
    const device = new Device(service, byManager.username);
    const { secret } = (await device.showSecret().expect(200)).body as { secret: string };
    await device.activate({ '6digitCode': code }).expect(401);
    await device.activate({ '6digitCode': clock.code(secret) }).expect(200);
    await logIn(byManager, code).expect(401);
    await makeCodes(past);
    await service.sql`UPDATE users SET second_factor = 'disabled', totp_secret = NULL, totp_last_step = NULL
       WHERE id = ${past.id}`;
    expect(await countOf(past, admin)).toEqual(recoveryCodeCount());
  });

  /** rule recovery 27 */
  it('goes where a reset gives the former name back, unless it is 7 days older than the rename', async () => {
    const before = await makeOwner();
    const since = await makeOwner();
    await makeCodes(before);
    await letTimePass(service, '192 hours');
    await makeCodes({ ...since, client: await clientOf(service, since.id) });
    for (const user of [before, since]) {
      const path = `/organisations/${user.organisationId}/users/${user.id}`;
      const body = { username: `thief-${user.username}`, firstName: 'Jan', lastName: 'de Vries' };
      await (await clientOf(service, user.id)).patch(path, body).expect(204);
      await resetPassword(service, user, 'Terug-Van-Weg-1', user.username);
      expect(await storedSecondFactor(service, user.id)).toMatchObject({ state: 'enabled' });
    }
    const admin = await asAdmin(service);
    expect(await countOf(before, admin)).toMatchObject({ left: 10 });
    expect(await countOf(since, admin)).toEqual(recoveryCodeCount());
  });
});

describe('recovery codes', () => {
  it('are told to their user by mail when a set is made and when one is used', async () => {
    const user = await makeOwner();
    const [code = ''] = await makeCodes(user);
    await logIn(user, code).expect(200);
    await runJobs(service);
    const mails = mailServer.mailsTo(user.username);
    expect(mails.map(({ headers }) => headers.get('subject'))).toEqual([
      'Aanmelden in twee stappen ingeschakeld',
      'Nieuwe herstelcodes gemaakt',
      'Herstelcode gebruikt',
    ]);
    expect(mails[2]?.text).toContain('Resterende herstelcodes: 9');
  });

  it('are audited without what they are', async () => {
    const user = await makeOwner();
    const [code = ''] = await makeCodes(user);
    await logIn(user, code).expect(200);
    const rows = await auditRows(service, `table_name = 'recovery_codes' AND organisation_id = $1`, [
      user.organisationId,
    ]);
    expect(rows.slice(0, 10).map(({ action }) => action)).toEqual(Array<string>(10).fill('insert'));
    expect(rows[0]).toMatchObject({
      actor_user_id: user.id,
      actor_credential_kind: 'login',
      after: { user_id: user.id, position: 1, encrypted_digest: '(changed)' },
    });
    expect(rows.slice(10)).toMatchObject([
      {
        action: 'update',
        actor_user_id: user.id,
        actor_credential_kind: 'password',
        before: { used_at: null },
        after: { used_at: expect.any(String) as string },
      },
    ]);
  });
});
