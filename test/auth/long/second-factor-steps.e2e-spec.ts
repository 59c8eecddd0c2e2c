import { type MadeUser, makeCustomer, PASSWORD } from '../../support/factories/factories';
import {
  makePasskey,
  passkeyClient,
  PasskeyPage,
  passkeysOf,
} from '../../support/factories/passkey-factories';
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
import { anonymous } from '../../support/service/client';
import { useService } from '../../support/service/service';

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
/** What a user with a second factor is refused who has not passed it. */
const LACKS_FACTOR = { code: 403, reason: 'SECOND_FACTOR_REQUIRED' };
const hasFactor = (state: FactorState): boolean =>
  state.startsWith('a passkey') || state.endsWith('an authenticator');

beforeEach(async () => {
  await service.sql`DELETE FROM attempts`;
  // One of the staff has at most twenty.
  await service.sql`DELETE FROM logins WHERE staff_id IS NOT NULL`;
});

describe('POST /enable2faandget2fasecret, /activate2fa and /cancel2faActivation with a password and a credential', () => {
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
  )('answer a user with %s, who comes by %s, as the contract says', async (state, header) => {
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

describe('PATCH …/enable2fa and …/disable2fa, POST and DELETE …/passkeys', () => {
  it.each(CASES)(
    'PATCH …/enable2fa and …/disable2fa are for logins alone: a user with %s, by %s',
    async (state, way) => {
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
    },
  );

  it.each(CASES)(
    'POST …/passkeys is for logins that have passed the second factor, if there is one: a user with %s, by %s',
    async (state, way) => {
      const user = await owner(state);
      const client = await comeIn(service, clock, user, way, staff.id);
      const page = new PasskeyPage(service);
      const isEnabled = state.endsWith('an authenticator');
      const proof = isEnabled ? { '6digitCode': clock.code(user.secret ?? '') } : {};
      if (!isLogin(way)) {
        await client.post(`${passkeysOf(user)}/options`, { password: PASSWORD, ...proof }).expect(403);
        return;
      }
      if (hasFactor(state) && !hasPassed(state, way)) {
        const { body } = await client.post(`${passkeysOf(user)}/options`, { password: PASSWORD, ...proof });
        expect(body).toMatchObject(LACKS_FACTOR);
        return;
      }
      const credential = page.authenticator.create(await page.creationOptions(user, client, proof));
      await client.post(passkeysOf(user), { name: 'New', credential }).expect(201);
      // It stands for both factors at once, whatever is asked for or demanded.
      expect((await page.logIn()).status).toBe(200);
      await service.sql`UPDATE organisations SET required_2fa = true WHERE id = ${user.organisationId}`;
      expect((await page.logIn()).status).toBe(200);
    },
  );

  it.each(CASES.filter(([state]) => state.startsWith('a passkey')))(
    'DELETE …/passkeys is for logins that have passed the second factor: a user with %s, by %s',
    async (state, way) => {
      const user = await owner(state);
      const page = user.page as PasskeyPage;
      const client = await comeIn(service, clock, user, way, staff.id);
      const path = `${passkeysOf(user)}/${user.page?.passkey.id}`;
      const mayDelete = isLogin(way) && hasPassed(state, way);
      const { body } = await client.delete(path).expect(mayDelete ? 204 : 403);
      if (isLogin(way) && !mayDelete) expect(body).toMatchObject(LACKS_FACTOR);
      const left = await service.sql`SELECT 1 FROM passkeys WHERE user_id = ${user.id}`;
      expect(left).toHaveLength(mayDelete ? 0 : 1);
      expect((await page.logIn()).status).toBe(mayDelete ? 401 : 200);
    },
  );

  it('POST …/passkeys: who has no second factor until then adds one, and the same login no other', async () => {
    const { plain } = await makeCustomer(service);
    const first = new PasskeyPage(service);
    const second = new PasskeyPage(service);
    const options = [await first.creationOptions(plain), await second.creationOptions(plain)] as const;
    const add = (credential: object) => plain.client.post(passkeysOf(plain), { name: 'Phone', credential });
    await add(first.authenticator.create(options[0])).expect(201);
    const { body } = await add(second.authenticator.create(options[1])).expect(403);
    expect(body).toMatchObject(LACKS_FACTOR);
    const proven = await passkeyClient(service, first);
    const credential = second.authenticator.create(await second.creationOptions(plain, proven));
    await proven.post(passkeysOf(plain), { name: 'Laptop', credential }).expect(201);
  });

  it('DELETE …/passkeys: a manager without a passkey deletes those of a user', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const { passkey } = await makePasskey(service, plain);
    await custadmin.client.delete(`${passkeysOf(plain)}/${passkey.id}`).expect(204);
  });
});
