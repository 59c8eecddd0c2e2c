import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeCustomer } from '../../support/factories/factories';
import { deliverWebhooks, localReceivers } from '../../support/factories/webhooks-factories';
import { freePort } from '../../support/faults/free-port';
import { useFiles } from '../../support/service/files';
import { useService } from '../../support/service/service';
import { until } from '../../support/service/until';

const DOCUMENT = readFileSync(resolve(__dirname, '../../../docs/events.md'), 'utf8');

const sampleOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(DOCUMENT)?.[1] ?? '';

const hasPhp = spawnSync('php', ['--version']).status === 0;

const RECEIVERS = [
  { language: 'js', file: 'receiver.mjs', command: (file: string) => [process.execPath, file] },
  ...(hasPhp
    ? [
        {
          language: 'php',
          file: 'receiver.php',
          command: (file: string, port: number) => ['php', '-S', `127.0.0.1:${port}`, file],
        },
      ]
    : []),
];

describe.each(RECEIVERS)('the receiver of docs/events.md in $language', ({ language, file, command }) => {
  const service = useService('A', { overrides: [localReceivers()] });
  const files = useFiles();

  it('takes a message, and refuses one that somebody else signed', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const port = await freePort();
    const hooks = `/organisations/${organisationId}/webhooks`;
    const url = `http://127.0.0.1:${port}/`;
    const { body } = await custadmin.client.post(hooks, { url, events: ['*'] }).expect(201);
    const { webhook } = body as { webhook: { id: number; secret: string } };
    const [program = '', ...given] = command(files.write(file, sampleOf(language)), port);
    const receiver = spawn(program, given, {
      env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: webhook.secret },
    });
    let output = '';
    for (const stream of [receiver.stdout, receiver.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const lastOf = async () => {
      const [row] = await service.sql`SELECT status FROM webhook_deliveries ORDER BY id DESC LIMIT 1`;
      return row;
    };
    const test = async () => {
      await custadmin.client.post(`${hooks}/${webhook.id}/test`).expect(204);
      await deliverWebhooks(service);
    };
    try {
      await until(() =>
        fetch(url).then(
          ({ status }) => status === 401,
          () => false,
        ),
      );
      await test();
      expect(await lastOf()).toEqual({ status: 204 });
      await until(() => output.includes('webhook.test'));
      // Two signatures: the receiver knows the old secret alone.
      await custadmin.client.post(`${hooks}/${webhook.id}/rotate`).expect(201);
      await test();
      expect(await lastOf()).toEqual({ status: 204 });
      await service.sql`UPDATE webhooks SET former_secret_ends_at = now()`;
      await test();
      expect(await lastOf()).toEqual({ status: 401 });
    } finally {
      receiver.kill();
    }
  });
});
