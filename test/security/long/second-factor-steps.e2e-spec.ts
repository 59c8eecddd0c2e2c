import { type MadeUser, makeCustomer, makeUser, PASSWORD } from '../../support/factories/factories';
import { passkeyClient, PasskeyPage, passkeysOf } from '../../support/factories/passkey-factories';
import {
  comeIn,
  FACTOR_STATES,
  type FactorOwner,
  type FactorState,
  isPossible,
  makeFactorOwner,
  type WayIn,
  WAYS_IN,
} from '../../support/factories/second-factor-factories';
import { MovableClock, storedSecondFactor } from '../../support/factories/two-factor-factories';
import { makeAdmin } from '../../support/factories/users-factories';
import { anonymous, ApiClient } from '../../support/service/client';
import { useService } from '../../support/service/service';
import { makeOlder } from '../../support/service/time';

/**
 * The table of docs/security.md: each step in each state, by each way in. No organisation
 * here demands a second factor.
 */
const service = useService('A');
let clock: MovableClock;
let staff: MadeUser;
let other: FactorOwner;
beforeAll(async () => {
  clock = new MovableClock(service);
  staff = await makeAdmin(service);
  other = await passkeyOwner();
});

/** Three days in seconds. */
const WAIT = 72 * 3600;

const passkeyOwner = async (): Promise<FactorOwner> => owner('a passkey');

async function owner(state: FactorState): Promise<FactorOwner> {
  const { organisationId } = await makeCustomer(service);
  await service.sql`INSERT INTO support_access (organisation_id, access) VALUES (${organisationId}, 'write')`;
  return makeFactorOwner(service, clock, state, { organisationId });
}

const pathOf = ({ organisationId, id }: MadeUser): string => `/organisations/${organisationId}/users/${id}`;

const CASES = FACTOR_STATES.flatMap((state) =>
  WAYS_IN.filter((way) => isPossible(state, way)).map((way) => [state, way] as const),
);

/** The ways in that are a login of the user which has passed the second factor, if there is one. */
const hasPassed = (state: FactorState, way: WayIn): boolean =>
  way === 'a passkey' || state.endsWith('an authenticator');
const WITHOUT_LOGIN: readonly WayIn[] = ['an API key', 'a support login'];
const isLogin = (way: WayIn): boolean => !WITHOUT_LOGIN.includes(way);
const isPasskeyOnly = (state: FactorState): boolean =>
  state === 'a passkey' || state === 'a passkey and a set-up that was asked for';

beforeEach(async () => {
  await service.sql`DELETE FROM attempts`;
  // One of the staff has at most twenty.
  await service.sql`DELETE FROM logins WHERE staff_id IS NOT NULL`;
});

describe('with the password in the body and a credential in the header', () => {
  type Step = 'enable2faandget2fasecret' | 'activate2fa' | 'cancel2faActivation';
  const STEPS: readonly Step[] = ['enable2faandget2fasecret', 'activate2fa', 'cancel2faActivation'];
  const HEADERS = [
    ...WAYS_IN,
    'nothing',
    'a passkey of another user',
    'an ended login with a passkey',
  ] as const;
  type Header = (typeof HEADERS)[number];

  const canHave = (state: FactorState, header: Header): boolean =>
    header === 'nothing' || header === 'a passkey of another user'
      ? true
      : header === 'an ended login with a passkey'
        ? state.includes('a passkey')
        : isPossible(state, header);

  async function headerOf(user: FactorOwner, header: Header): Promise<string | undefined> {
    if (header === 'nothing') return undefined;
    if (header === 'a passkey of another user') {
      return (await passkeyClient(service, other.page as PasskeyPage)).hash;
    }
    if (header !== 'an ended login with a passkey') {
      return (await comeIn(service, clock, user, header, staff.id)).hash;
    }
    const client = await passkeyClient(service, user.page as PasskeyPage);
    await client.post('/logout').expect(204);
    return client.hash;
  }

  /**
   * From the contract: the answers of before, but who has a passkey sets an authenticator
   * up with a login made by it.
   */
  function expected(state: FactorState, step: Step, header: Header): [number, string?] {
    const have = header;
    const need = 'a passkey';
    if (state.endsWith('an authenticator')) return [400, '2FA is already enabled'];
    if (step === 'cancel2faActivation') return [200];
    if (step === 'activate2fa' && !state.endsWith('was asked for')) return [400, '2FA is not requested'];
    return state.startsWith('a passkey') && have !== need ? [401, '2FA is required'] : [200];
  }

  it.each(
    FACTOR_STATES.flatMap((state) =>
      HEADERS.filter((header) => canHave(state, header)).map((header) => [state, header] as const),
    ),
  )('a user with %s, by %s', async (state, header) => {
    for (const step of STEPS) {
      const user = await owner(state);
      const before = await storedSecondFactor(service, user.id);
      const authorization = await headerOf(user, header);
      const body = {
        username: user.username,
        password: PASSWORD,
        ...(step === 'activate2fa' && { '6digitCode': clock.code(user.secret ?? 'JBSWY3DPEHPK3PXP') }),
      };
      const call = anonymous(service).post(`/${step}`, body);
      if (authorization !== undefined) void call.set('Authorization', authorization);
      const { status, body: answer } = await call;
      const [code, message] = expected(state, step, header);
      expect({ step, status }).toEqual({ step, status: code });
      if (message !== undefined) expect(answer).toMatchObject({ code, message });
      if (code !== 200) {
        const { lastStep: _, ...stored } = await storedSecondFactor(service, user.id);
        expect(stored).toEqual({ state: before.state, secret: before.secret });
      }
      if (user.page !== undefined && code !== 200) {
        expect(await service.sql`SELECT 1 FROM passkeys WHERE user_id = ${user.id}`).toHaveLength(1);
      }
    }
  });
});

describe('with a credential', () => {
  it.each(CASES)('a user with %s, by %s, asks for a set-up and switches it off', async (state, way) => {
    const user = await owner(state);
    const client = await comeIn(service, clock, user, way, staff.id);
    const { state: before } = await storedSecondFactor(service, user.id);
    const status = isLogin(way) ? 204 : 403;
    await client.patch(`${pathOf(user)}/enable2fa`).expect(status);
    const asked = before === 'enabled' ? 'enabled' : isLogin(way) ? 'requested' : before;
    expect(await storedSecondFactor(service, user.id)).toMatchObject({ state: asked });
    await client.patch(`${pathOf(user)}/disable2fa`).expect(status);
    expect(await storedSecondFactor(service, user.id)).toMatchObject({
      state: isLogin(way) ? 'disabled' : before,
    });
  });

  it.each(CASES)('a user with %s, by %s, adds a passkey', async (state, way) => {
    const user = await owner(state);
    const client = await comeIn(service, clock, user, way, staff.id);
    const page = new PasskeyPage(service);
    const isEnabled = state.endsWith('an authenticator');
    const proof = isEnabled ? { '6digitCode': clock.code(user.secret ?? '') } : {};
    if (!isLogin(way)) {
      await client.post(`${passkeysOf(user)}/options`, { password: PASSWORD, ...proof }).expect(403);
      return;
    }
    const credential = page.authenticator.create(await page.creationOptions(user, client, proof));
    const { body } = await client.post(passkeysOf(user), { name: 'New', credential }).expect(201);
    const { dtCreated, dtCounts, dtGone } = (body as { passkey: Record<string, string> }).passkey;
    const waits = isPasskeyOnly(state) && !hasPassed(state, way);
    expect(Number(dtCounts) - Number(dtCreated)).toBe(waits ? WAIT : 0);
    expect(dtGone).toBe('');
    // Until it counts it logs in where the password alone does, and passes no demand.
    const isAsked = state.endsWith('was asked for');
    const login = await page.logIn();
    expect(login.status).toBe(waits && isAsked ? 401 : 200);
    await service.sql`UPDATE organisations SET required_2fa = true WHERE id = ${user.organisationId}`;
    const demanded = await page.logIn();
    expect(demanded.status).toBe(waits ? 401 : 200);
    if (!waits) return;
    expect(demanded.body).toMatchObject({ message: isAsked ? '2FA is requested' : '2FA is required' });
    await makeOlder(service, 'passkeys', { user_id: user.id, name: 'New' }, '72 hours', ['counts_from']);
    expect((await page.logIn()).status).toBe(200);
  });

  it.each(CASES.filter(([state]) => state.startsWith('a passkey')))(
    'a user with %s, by %s, deletes the passkey',
    async (state, way) => {
      const user = await owner(state);
      const page = user.page as PasskeyPage;
      const client = await comeIn(service, clock, user, way, staff.id);
      const path = `${passkeysOf(user)}/${user.page?.passkey.id}`;
      await client.delete(path).expect(isLogin(way) ? 204 : 403);
      const rows = await service.sql<{ wait: number | null }>`
        SELECT extract(epoch FROM gone_at - now())::float8 AS wait FROM passkeys WHERE user_id = ${user.id}`;
      if (!isLogin(way)) return expect(rows).toEqual([{ wait: null }]);
      if (hasPassed(state, way)) {
        expect(rows).toEqual([]);
        expect((await page.logIn()).status).toBe(401);
        return;
      }
      expect(rows[0]?.wait).toBeGreaterThan(WAIT - 60);
      expect(rows[0]?.wait).toBeLessThanOrEqual(WAIT);
      // It is still a factor: it logs in, passes a demand, and keeps the password from replacing it.
      await service.sql`UPDATE organisations SET required_2fa = true WHERE id = ${user.organisationId}`;
      expect((await page.logIn()).status).toBe(200);
      const setUp = { username: user.username, password: PASSWORD };
      await anonymous(service).post('/enable2faandget2fasecret', setUp).expect(401);
      await service.sql`UPDATE passkeys SET gone_at = now() WHERE user_id = ${user.id}`;
      expect((await page.logIn()).status).toBe(401);
      await anonymous(service).post('/enable2faandget2fasecret', setUp).expect(200);
      const reader = await makeUser(service, {
        organisationId: user.organisationId,
        roles: ['ROLE_CUSTADMIN'],
      });
      await reader.client.get(path).expect(404);
      const list = await reader.client.get(passkeysOf(user)).expect(200);
      expect(list.body).toMatchObject({ total: 0, passkeys: [] });
    },
  );
});

describe('a passkey that waits', () => {
  it('is deleted at once by its user, by whatever login, and by a manager', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const page = new PasskeyPage(service);
    expect((await page.register(plain)).status).toBe(201);
    for (const client of [plain.client, custadmin.client]) {
      const second = new PasskeyPage(service);
      const { body } = await second.register(plain);
      const { id, dtCounts, dtCreated } = (body as { passkey: Record<string, string> }).passkey;
      expect(Number(dtCounts) - Number(dtCreated)).toBe(WAIT);
      await client.delete(`${passkeysOf(plain)}/${id}`).expect(204);
      expect((await second.logIn()).status).toBe(401);
    }
  });

  it('goes at once when a manager deletes it, also after its user did', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const page = new PasskeyPage(service);
    const { body } = await page.register(plain);
    const path = `${passkeysOf(plain)}/${(body as { passkey: { id: number } }).passkey.id}`;
    await plain.client.delete(path).expect(204);
    await plain.client.delete(path).expect(204);
    expect((await page.logIn()).status).toBe(200);
    await custadmin.client.delete(path).expect(204);
    expect((await page.logIn()).status).toBe(401);
  });

  it('makes room for the next one when its time is over, of the same authenticator too', async () => {
    const { plain } = await makeCustomer(service);
    const page = new PasskeyPage(service);
    const credential = page.authenticator.create(await page.creationOptions(plain));
    const { body } = await plain.client.post(passkeysOf(plain), { name: 'Phone', credential }).expect(201);
    await plain.client.delete(`${passkeysOf(plain)}/${(body as { passkey: { id: number } }).passkey.id}`);
    await service.sql`UPDATE passkeys SET gone_at = now() WHERE user_id = ${plain.id}`;
    const options = await page.creationOptions(plain);
    expect(options).toMatchObject({ excludeCredentials: [] });
    const again = page.authenticator.create(options);
    await plain.client.post(passkeysOf(plain), { name: 'Phone', credential: again }).expect(201);
  });

  it('is no last factor of a user whose organisation demands one: neither of two waits is given up for the other', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    const first = new PasskeyPage(service);
    const second = new PasskeyPage(service);
    const ids = [];
    for (const page of [first, second]) {
      const { body } = await page.register(plain);
      ids.push((body as { passkey: { id: number } }).passkey.id);
    }
    await service.sql`UPDATE passkeys SET counts_from = now() WHERE user_id = ${plain.id}`;
    await service.sql`UPDATE organisations SET required_2fa = true WHERE id = ${organisationId}`;
    await plain.client.delete(`${passkeysOf(plain)}/${ids[0]}`).expect(204);
    const refused = await plain.client.delete(`${passkeysOf(plain)}/${ids[1]}`).expect(400);
    expect(refused.body).toMatchObject({ reason: 'SECOND_FACTOR_DEMANDED' });
    const proven = new ApiClient(service.url, (await passkeyClient(service, first)).hash);
    await proven.delete(`${passkeysOf(plain)}/${ids[1]}`).expect(400);
    await proven.delete(`${passkeysOf(plain)}/${ids[0]}`).expect(204);
  });

  it('stands for the password where an authenticator is on: a trusted device passes, nothing else', async () => {
    const user = await owner('a passkey and an authenticator');
    const page = user.page as PasskeyPage;
    await service.sql`UPDATE passkeys SET counts_from = now() + interval '1 hour' WHERE user_id = ${user.id}`;
    expect((await page.logIn()).body).toMatchObject({ message: '6digitCode is invalid' });
  });
});
