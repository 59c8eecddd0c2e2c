import { askRaw, INSIDE_TARGETS } from '../support/faults/raw-targets';
import {
  CLUSTER_HAPROXY,
  describeBehind,
  HAPROXY,
  NGINX,
  type RunningProxy,
  startRecipeProxy,
} from '../support/faults/recipe-proxies';
import { useFiles } from '../support/service/files';
import { useServices } from '../support/service/service';
import { NEIGHBOUR } from '../support/service/variants';

/** The host names of the recipes. */
const HOSTS = ['api.example.com', 'legacy.example.com'];

const files = useFiles();
const [a, b] = useServices(['A', NEIGHBOUR], { settings: { trustedProxies: ['127.0.0.1'] } });

for (const recipe of [NGINX, HAPROXY, CLUSTER_HAPROXY]) {
  describeBehind(recipe, () => {
    let proxy: RunningProxy;
    let url: string;

    beforeAll(async () => {
      proxy = await startRecipeProxy(recipe, files.path('run-'), a.url, b.url);
      ({ url } = proxy);
    });
    afterAll(() => proxy.stop());

    it.each(HOSTS)(
      '%s passes on /v1, /docs, /account and /.well-known, as clients write them',
      async (host) => {
        for (const [target, status] of [
          ['/v1/whoami', 401],
          ['/v1', 404],
          ['/V1/whoami/', 401],
          ['//v1//whoami', 401],
          ['/v1/whoami?a[]=1&b={"c":"|d|^e"}', 401],
          [`http://${host}/v1/whoami`, 401],
          ['/v1/nowhere', 404],
          ['/v1/organisations/%5c', 401],
          ['/.well-known/change-password', 302],
          ['/docs', 200],
          ['/docs/openapi.json', 200],
          ['/account/pages.css', 200],
        ] as const) {
          const { status: seen, headers } = await askRaw(url, target, { Host: host });
          expect({ target, status: seen }).toEqual({ target, status });
          expect([target, /^x-request-id: /im.test(headers)]).toEqual([target, true]);
        }
      },
    );

    it('GET /docs/openapi.json is compressed for who takes gzip, and 304 by the ETag of the compressed answer', async () => {
      const ask = (headers: Record<string, string>) => fetch(`${url}/docs/openapi.json`, { headers });
      const plain = await ask({ 'Accept-Encoding': 'identity' });
      expect(plain.headers.get('content-encoding')).toBeNull();
      const packed = await ask({ 'Accept-Encoding': 'gzip' });
      expect(packed.headers.get('content-encoding')).toBe('gzip');
      expect(packed.headers.get('vary')).toMatch(/accept-encoding/i);
      expect(await packed.json()).toEqual(await plain.json());
      const again = {
        Host: HOSTS[0] as string,
        'Accept-Encoding': 'gzip',
        'If-None-Match': packed.headers.get('etag') as string,
      };
      expect((await askRaw(url, '/docs/openapi.json', again)).status).toBe(304);
    });

    it.each(HOSTS)('%s passes on neither /metrics nor /health, however they are written', async (host) => {
      for (const target of INSIDE_TARGETS) {
        const { status, body } = await askRaw(url, target, { Host: host });
        expect({ target, isRefused: [400, 401, 404].includes(status) || status === 0 }).toEqual({
          target,
          isRefused: true,
        });
        expect([target, /http_requests_total|"status":|"ok"/.test(body)]).toEqual([target, false]);
      }
    });

    it.each(HOSTS)('%s answers 404 itself to any other path', async (host) => {
      for (const target of [
        '/',
        '/v1x',
        '/v2/login',
        '/docsx',
        '/accounts',
        '/favicon.ico',
        '/x/v1/whoami',
        '/access',
      ]) {
        const { status, headers } = await askRaw(url, target, { Host: host });
        expect({ target, status }).toEqual({ target, status: 404 });
        expect(headers).not.toMatch(/^x-request-id: /im);
      }
    });
  });
}
