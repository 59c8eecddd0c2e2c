import { SecretsKeyring } from '@app/security/secrets/encryption';
import { makeOrganisation, makeUser } from '../support/factories/factories';
import {
  Device,
  makeTwoFactorUser,
  MovableClock,
  storedSecondFactor,
} from '../support/factories/two-factor-factories';
import { untilBlocked } from '../support/faults/locks';
import { type CliResult, runCli } from '../support/service/cli';
import { anonymous } from '../support/service/client';
import { connectTo } from '../support/service/databases';
import { TEST_SECRETS_KEY, useServicePerTest } from '../support/service/service';

const NEW_KEY = Buffer.alloc(32, 9).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 11).toString('base64');
const newKeyring = SecretsKeyring.parse(NEW_KEY);

const service = useServicePerTest('A');
let organisationId: number;

beforeEach(async () => {
  organisationId = await makeOrganisation(service);
});

const rotate = (keys: string, ...flags: string[]): Promise<CliResult> => {
  const options = ['--every-process-has-the-new-key', '--json', ...flags];
  return runCli(service.database, ['rotate-secrets', ...options], { env: { SECRETS_KEY: keys } });
};

const waitingMail = async (): Promise<{ encrypted: string; mailId: string }> => {
  const [row] = await service.sql<{ encrypted: string; mailId: string }>(
    `SELECT encrypted, message_id AS "mailId" FROM mails WHERE template = 'invitation'`,
  );
  if (row === undefined) throw new Error('No mail waits');
  return row;
};

const fromKinds = (kinds: readonly string[], counts: object): Record<string, object> =>
  Object.fromEntries(kinds.map((kind) => [kind, counts]));

describe('cli rotate-secrets', () => {
  it('exits with 2 and writes nothing without --every-process-has-the-new-key', async () => {
    const clock = new MovableClock(service);
    const user = await makeTwoFactorUser(service, clock, { organisationId });
    const before = await storedSecondFactor(service, user.id);
    const env = { SECRETS_KEY: `${NEW_KEY},${TEST_SECRETS_KEY}` };
    const { exitCode, messages } = await runCli(service.database, ['rotate-secrets'], { env });
    expect(exitCode).toBe(2);
    expect(messages.join(' ')).toMatch(/first start every process .*--every-process-has-the-new-key/);
    expect(await storedSecondFactor(service, user.id)).toEqual(before);
    const trial = await runCli(service.database, ['rotate-secrets', '--dry-run'], { env });
    expect(trial.exitCode).toBe(0);
  });

  it('encrypts TOTP secrets, waiting mails and stored responses anew, so that the old key is not needed', async () => {
    const clock = new MovableClock(service);
    const user = await makeTwoFactorUser(service, clock, { organisationId });
    await makeUser(service, { organisationId });
    const client = (await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] })).client;
    await client
      .post(`/organisations/${organisationId}/invitations`, {
        email: 'new@example.com',
        firstName: 'A',
        lastName: 'B',
      })
      .set('Idempotency-Key', 'kept')
      .expect(201);
    const mailBefore = await waitingMail();
    const keys = `${NEW_KEY},${TEST_SECRETS_KEY}`;

    const trial = await rotate(keys, '--dry-run');
    const none = { rotated: 0, current: 0, unreadable: 0 };
    /** Of the kinds that this test has one of, and those that it has none of. */
    const reportOf = ({ rotated, current, unreadable }: typeof none) => ({
      ...fromKinds(['totpSecrets', 'waitingMails', 'storedResponses'], { rotated, current, unreadable }),
      ...fromKinds(['recoveryCodes', 'waitingNotifications', 'webhookSecrets', 'formerWebhookSecrets'], none),
    });
    expect(trial.report).toEqual({ dryRun: true, ...reportOf({ ...none, rotated: 1 }) });
    expect(await waitingMail()).toEqual(mailBefore);

    const first = await rotate(keys);
    expect(first).toMatchObject({ exitCode: 0, messages: [] });
    expect(first.report).toEqual({ dryRun: false, ...reportOf({ ...none, rotated: 1 }) });
    expect((await rotate(keys)).report).toEqual({ dryRun: false, ...reportOf({ ...none, current: 1 }) });

    const { secret: encrypted } = await storedSecondFactor(service, user.id);
    expect(newKeyring.decrypt(encrypted ?? '', `users.totp_secret:${user.id}`)).toBe(user.secret);
    const mail = await waitingMail();
    expect(mail.mailId).toBe(mailBefore.mailId);
    const oldKeyring = SecretsKeyring.parse(TEST_SECRETS_KEY);
    expect(newKeyring.decrypt(mail.encrypted, `mail:${mail.mailId}`)).toBe(
      oldKeyring.decrypt(mailBefore.encrypted, `mail:${mail.mailId}`),
    );
  });

  it('names what no key reads, leaves it as it is, rotates all else, and exits with 3', async () => {
    const clock = new MovableClock(service);
    const lost = await makeTwoFactorUser(service, clock, { organisationId });
    const kept = await makeTwoFactorUser(service, clock, { organisationId });
    const foreign = SecretsKeyring.parse(OTHER_KEY).encrypt('X', `users.totp_secret:${lost.id}`);
    await service.sql`UPDATE users SET totp_secret = ${foreign} WHERE id = ${lost.id}`;
    const result = await rotate(`${NEW_KEY},${TEST_SECRETS_KEY}`);
    expect(result.exitCode).toBe(3);
    expect(result.messages).toEqual([
      expect.stringMatching(new RegExp(`^totpSecrets ${lost.id}: .*needs key`)),
    ]);
    expect(result.report).toMatchObject({ totpSecrets: { rotated: 1, current: 0, unreadable: 1 } });
    expect((await storedSecondFactor(service, lost.id)).secret).toBe(foreign);
    expect(newKeyring.isCurrent((await storedSecondFactor(service, kept.id)).secret ?? '')).toBe(true);
  });

  it('overwrites no secret that the service changes meanwhile', async () => {
    const clock = new MovableClock(service);
    const user = await makeTwoFactorUser(service, clock, { organisationId });
    const changed = newKeyring.encrypt('CHANGED', `users.totp_secret:${user.id}`);
    // Holds the row after the command has read it and before it writes.
    const holder = await connectTo(service.database.url);
    await holder.query('BEGIN');
    await holder.query('UPDATE users SET totp_secret = $2 WHERE id = $1', [user.id, changed]);
    const rotation = rotate(`${NEW_KEY},${TEST_SECRETS_KEY}`);
    await untilBlocked(service, rotation);
    await holder.query('COMMIT');
    await holder.end();
    const { exitCode, report } = await rotation;
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({ totpSecrets: { rotated: 0, current: 1, unreadable: 0 } });
    expect((await storedSecondFactor(service, user.id)).secret).toBe(changed);
  });

  it('POST /login with a code is 200 before and after it', async () => {
    const clock = new MovableClock(service);
    const user = await makeTwoFactorUser(service, clock, { organisationId });
    await rotate(`${NEW_KEY},${TEST_SECRETS_KEY}`);
    // This service has the old key alone: the new form is unreadable to it, which proves that it was rotated.
    await new Device(service, user.username).login({ '6digitCode': clock.code(user.secret) }).expect(500);
    await rotate(`${TEST_SECRETS_KEY},${NEW_KEY}`);
    await new Device(service, user.username).login({ '6digitCode': clock.code(user.secret) }).expect(200);
    await anonymous(service).post('/login', { username: user.username, password: 'wrong' }).expect(401);
  });

  it('encrypts the digests of recovery codes anew, with which POST /login is 200', async () => {
    const user = await makeTwoFactorUser(service, new MovableClock(service), { organisationId });
    const path = `/organisations/${organisationId}/users/${user.id}/recoverycodes`;
    const { body } = await user.client.post(path).expect(201);
    const [code] = (body as { recoveryCodes: { codes: string[] } }).recoveryCodes.codes;
    const { report } = await rotate(`${NEW_KEY},${TEST_SECRETS_KEY}`);
    expect(report).toMatchObject({ recoveryCodes: { rotated: 10, current: 0, unreadable: 0 } });
    const encrypted = await service.sql<{ text: string }>(
      'SELECT encrypted_digest AS text FROM recovery_codes',
    );
    const digests = encrypted.map(({ text }) =>
      newKeyring.decrypt(text, `recovery_codes.encrypted_digest:${user.id}`),
    );
    expect(new Set(digests).size).toBe(10);
    await rotate(`${TEST_SECRETS_KEY},${NEW_KEY}`);
    await new Device(service, user.username).login({ '6digitCode': code }).expect(200);
  });
});
