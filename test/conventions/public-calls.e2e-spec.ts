import request, { type Test } from 'supertest';
import { VARIANTS } from '../../qa/variants';
import { anonymous } from '../support/service/client';
import { headingOf, textOf } from '../support/service/html';
import { useService } from '../support/service/service';

const UNKNOWN = 'f'.repeat(64);

/**
 * Calls without a credential share sixty a minute of their address, whatever they call
 * (conventions.e2e-spec.ts).
 */
describe.each(VARIANTS)('of sixty calls a minute without a credential in Variant %s', (variant) => {
  const service = useService(variant, { settings: { rateLimit: true, trustedProxies: ['127.0.0.1'] } });
  const statusesOf = async (calls: number, call: () => Test, address: string): Promise<number[]> => {
    const statuses: number[] = [];
    for (let made = 0; made < calls; made++)
      statuses.push((await call().set('X-Forwarded-For', address)).status);
    return statuses;
  };

  it.each([
    ['/registerInvitation/{token}', `/v1/registerInvitation/${UNKNOWN}`, '192.0.2.1'],
    ['/downloadpdf', `/v1/downloadpdf/1/1/${UNKNOWN}`, '192.0.2.2'],
  ])('GET %s is one: the 61st of one address is 429', async (_, path, address) => {
    const statuses = await statusesOf(61, () => request(service.url).get(path), address);
    expect(statuses).toEqual([...Array<number>(60).fill(404), 429]);
  });

  it('one from the same address counts, whatever port and form a gateway writes in X-Forwarded-For', async () => {
    const call = () => request(service.url).get(`/v1/registerInvitation/${UNKNOWN}`);
    expect(await statusesOf(30, call, '192.0.2.60:41234')).toEqual(Array(30).fill(404));
    expect(await statusesOf(30, call, '"192.0.2.60:41235"')).toEqual(Array(30).fill(404));
    expect(await statusesOf(1, call, '192.0.2.60')).toEqual([429]);
    expect(await statusesOf(1, call, '192.0.2.61:41234')).toEqual([404]);
  });

  it('GET and POST of /account/invitation, /account/password and /account/end-login are one, and their 429 says when to try again', async () => {
    const address = '192.0.2.3';
    const asked = (test: Test) => test.set({ 'X-Forwarded-For': address, 'Accept-Language': 'en' });
    await statusesOf(30, () => request(service.url).get(`/account/password/${UNKNOWN}`), address);
    const invitation = () => request(service.url).get(`/v1/registerInvitation/${UNKNOWN}`);
    expect(await statusesOf(30, invitation, address)).toEqual(Array(30).fill(404));
    for (const page of ['invitation', 'password', 'end-login'] as const) {
      for (const method of ['get', 'post'] as const) {
        const answer = await asked(request(service.url)[method](`/account/${page}/${UNKNOWN}`)).expect(429);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
        expect(headingOf(answer)).toBe('Too many attempts');
        expect(textOf(answer.text)).toMatch(/Please try again in \d+ seconds?\./);
      }
    }
    await asked(invitation()).expect(429);
  });

  it('GET and POST /account/password and POST /resetting/send_email are one', async () => {
    const address = '192.0.2.4';
    const open = () => request(service.url).get('/account/password');
    const send = () => request(service.url).post('/account/password').type('form').send({ username: 'a' });
    const post = () => anonymous(service).post('/resetting/send_email', { username: 'a' });
    expect(await statusesOf(20, open, address)).toEqual(Array(20).fill(200));
    expect(await statusesOf(20, send, address)).toEqual(Array(20).fill(200));
    expect(await statusesOf(21, post, address)).toEqual([...Array<number>(20).fill(204), 429]);
    expect(headingOf(await send().set('X-Forwarded-For', address).expect(429))).toBe('Te veel pogingen');
  });

  it('GET of /account/pages.css and of the files of /docs is none, so that the page of a 429 looks like the others', async () => {
    const address = '192.0.2.62';
    const asked = (path: string) => request(service.url).get(path).set('X-Forwarded-For', address);
    const { text: docs } = await asked('/docs/').expect(200);
    const files = [...docs.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(files).toHaveLength(5);
    const loaded = ['/account/pages.css', ...files];
    for (const path of loaded)
      expect(await statusesOf(20, () => request(service.url).get(path), address)).toEqual(
        Array(20).fill(200),
      );
    const calls = await statusesOf(60, () => request(service.url).get('/account/password'), address);
    expect(calls).toEqual([...Array<number>(59).fill(200), 429]);

    const shown = await request(service.url).get('/account/password').set('X-Forwarded-For', '192.0.2.63');
    const refused = await asked('/account/password').expect(429);
    const stylesheetOf = (page: string) => /<link rel="stylesheet" href="([^"]+)"/.exec(page)?.[1];
    expect(stylesheetOf(refused.text)).toBe(stylesheetOf(shown.text));
    for (const name of [
      'content-security-policy',
      'referrer-policy',
      'cache-control',
      'content-type',
      'vary',
    ])
      expect([name, refused.headers[name]]).toEqual([name, shown.headers[name]]);
    for (const path of loaded) await asked(path).expect(200);
    await asked('/docs/openapi.json').expect(429);
  });

  it('POST /registerInvitation is one, and its 429 has Deprecation too', async () => {
    const responses = await Promise.all(
      Array.from({ length: 61 }, () =>
        anonymous(service).post('/registerInvitation', {}).set('X-Forwarded-For', '192.0.2.5'),
      ),
    );
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(1);
    expect(responses.every(({ headers }) => headers['deprecation'] !== undefined)).toBe(true);
  });
});
