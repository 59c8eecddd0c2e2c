import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeCustomer } from '../../support/factories/factories';
import { makeApiKey, makeServiceKey } from '../../support/factories/key-factories';
import { freePort } from '../../support/faults/free-port';
import { useFiles } from '../../support/service/files';
import { useService } from '../../support/service/service';
import { until } from '../../support/service/until';

const ROOT = join(__dirname, '../../..');

/** The Express sample of docs/other-services.md as a program. */
function expressSample(accountUrl: string, port: number): string {
  const page = readFileSync(join(ROOT, 'docs/other-services.md'), 'utf8');
  const [, sample = ''] = /^Express:\n\n```js\n([^]*?)^```$/m.exec(page) ?? [];
  return sample
    .replace("'express'", JSON.stringify(pathToFileURL(require.resolve('express'))))
    .replace('https://account.example.com', accountUrl)
    .replace('app.listen(9000)', `app.listen(${port}, '127.0.0.1')`);
}

const service = useService('A');
const files = useFiles();
const children: ChildProcess[] = [];

afterAll(() => children.forEach((child) => child.kill()));

/** Starts the sample with a service key; gives what asks it. */
async function start(key: string) {
  const port = await freePort();
  const file = files.write(`${port}.mjs`, expressSample(service.url, port));
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', SERVICE_KEY: key };
  children.push(spawn(process.execPath, [file], { stdio: 'ignore', env }));
  const ask = (credential?: string, method = 'GET') =>
    fetch(`http://127.0.0.1:${port}/zones`, {
      method,
      headers: credential === undefined ? {} : { Authorization: credential },
    });
  await until(() =>
    ask().then(
      () => true,
      () => false,
    ),
  );
  return ask;
}

it('POST /access/introspect: the Express sample of docs/other-services.md lets in whom it should', async () => {
  const key = await makeServiceKey(service, 1, { operations: ['access.introspect'], asAdmin: true });
  const { plain, organisationId } = await makeCustomer(service);
  const hash = plain.client.hash as string;
  const ask = await start(key.client.hash as string);
  for (const credential of [hash, `Bearer ${hash}`]) {
    const answer = await ask(credential);
    expect([answer.status, await answer.json()]).toEqual([200, { zonesOf: organisationId }]);
  }
  const reading = (await makeApiKey(service, plain.id, { readOnly: true })).client.hash as string;
  const elsewhere = (await makeApiKey(service, plain.id, { whitelist: ['192.0.2.7'] })).client.hash as string;
  const here = (await makeApiKey(service, plain.id, { whitelist: ['127.0.0.1'] })).client.hash as string;
  const narrow = await makeServiceKey(service, organisationId, { operations: ['contacts.list'] });
  for (const [credential, method, status] of [
    [undefined, 'GET', 401],
    [narrow.client.hash as string, 'GET', 403],
    ['f'.repeat(64), 'GET', 401],
    [elsewhere, 'GET', 401],
    [here, 'GET', 200],
    [reading, 'GET', 200],
    [reading, 'POST', 403],
  ] as const) {
    expect({ method, status: (await ask(credential, method)).status }).toEqual({ method, status });
  }
  await plain.client.post('/logout').expect(204);
  expect((await ask(hash)).status).toBe(401);
});

it('POST /access/introspect: the Express sample answers 503 where it learns nothing of the credential', async () => {
  const { plain } = await makeCustomer(service);
  const answer = await (await start('f'.repeat(64)))(plain.client.hash);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
});
