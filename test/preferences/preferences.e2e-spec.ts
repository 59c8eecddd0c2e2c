import request from 'supertest';
import { preferencesRecord } from '../../qa/responses';
import type { Json } from '../../qa/scenario';
import { type MadeUser, makeCustomer } from '../support/factories/factories';
import { atOnce } from '../support/service/at-once';
import { failingFields } from '../support/service/client';
import type { TestService } from '../support/service/service';
import { describeSharedService } from '../support/service/shared-services';

const preferencesOf = (user: MadeUser): string =>
  `/organisations/${user.organisationId}/users/${user.id}/preferences`;

/** JSON text as it is: objects with a key `__proto__` cannot be written in JavaScript. */
const patchText = (service: TestService, user: MadeUser, json: string) =>
  request(service.url)
    .patch(`/v1${preferencesOf(user)}`)
    .set('Authorization', user.client.hash as string)
    .set('Content-Type', 'application/json')
    .send(json);

/** Shortcuts that take exactly so many bytes as JSON. */
const shortcutsOf = (bytes: number): object[] => [{ t: 'x'.repeat(bytes - '[{"t":""}]'.length) }];

describeSharedService(['A'], 'GET and PATCH …/preferences: they', (service) => {
  const read = async (user: MadeUser): Promise<object> =>
    (await user.client.get(preferencesOf(user)).expect(200)).body as object;

  it('have defaults until something is set, each by itself', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    expect(await read(plain)).toEqual({ preferences: preferencesRecord() });
    const response = await plain.client.patch(preferencesOf(plain), { darkTheme: true }).expect(204);
    expect(response.text).toBe('');
    expect(await read(plain)).toEqual({ preferences: preferencesRecord({ darkTheme: true }) });
    const shortcuts: Json = [{ b: 1, a: [null, { deep: ['é', 1.5, true] }] }, {}];
    await plain.client.patch(preferencesOf(plain), { shortcuts }).expect(204);
    expect(await read(plain)).toEqual({ preferences: preferencesRecord({ darkTheme: true, shortcuts }) });
    await plain.client.patch(preferencesOf(plain), { darkTheme: 'false', shortcuts: [] }).expect(204);
    expect(await read(plain)).toEqual({ preferences: preferencesRecord() });
    await plain.client.patch(preferencesOf(plain), { darkTheme: 1, unknown: 1 }).expect(204);
    await plain.client.patch(preferencesOf(plain), {}).expect(204);
    expect(await read(plain)).toEqual({ preferences: preferencesRecord({ darkTheme: true }) });
    expect(await read(custadmin)).toEqual({ preferences: preferencesRecord() });
  });

  it('change nothing where one of them is refused', async () => {
    const { plain } = await makeCustomer(service);
    const response = await plain.client.patch(preferencesOf(plain), {
      darkTheme: true,
      shortcuts: [{ name: 'a\0b' }],
    });
    expect(response.status).toBe(400);
    expect(failingFields(response)).toEqual(['shortcuts']);
    expect(await read(plain)).toEqual({ preferences: preferencesRecord() });
  });

  // rule requests 21
  it.each(['9007199254740993', '1e400', '{"deep":[-9007199254740992]}'])(
    'take no number whose digits are lost: %s',
    async (number) => {
      const { plain } = await makeCustomer(service);
      const { body } = await patchText(service, plain, `{"shortcuts":[{"a":${number}}]}`).expect(400);
      expect(body).toMatchObject({ reasons: { shortcuts: ['WRONG_TYPE'] } });
      expect(await read(plain)).toEqual({ preferences: preferencesRecord() });
    },
  );

  it('hold 16 kB of shortcuts', async () => {
    const { plain } = await makeCustomer(service);
    await plain.client.patch(preferencesOf(plain), { shortcuts: shortcutsOf(16_384) }).expect(204);
    expect(await read(plain)).toMatchObject({ preferences: { shortcuts: shortcutsOf(16_384) } });
  });

  it('give names of JavaScript no meaning', async () => {
    const { plain } = await makeCustomer(service);
    const shortcuts =
      '[{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},' +
      '"toString":"x","valueOf":1,"toJSON":"x","then":{},"hasOwnProperty":0,"nested":{"constructor":"x"}}]';
    await patchText(service, plain, `{"shortcuts":${shortcuts},"__proto__":{"darkTheme":true}}`).expect(204);
    const response = await plain.client.get(preferencesOf(plain)).expect(200);
    expect(response.text).toBe(`{"preferences":{"darkTheme":false,"shortcuts":${shortcuts}}}`);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('refuse what is nested without end', async () => {
    const { plain } = await makeCustomer(service);
    const nested = (depth: number): string => `{"shortcuts":[${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}]}`;
    await patchText(service, plain, nested(5)).expect(204);
    await patchText(service, plain, nested(5000)).expect(400);
  });

  it('keep both of two changes at once', async () => {
    const { plain } = await makeCustomer(service);
    const shortcuts = [{ id: 1 }];
    const responses = await atOnce(16, (index) =>
      plain.client.patch(preferencesOf(plain), index % 2 === 0 ? { darkTheme: true } : { shortcuts }),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array<number>(16).fill(204));
    expect(await read(plain)).toEqual({ preferences: preferencesRecord({ darkTheme: true, shortcuts }) });
  });
});
