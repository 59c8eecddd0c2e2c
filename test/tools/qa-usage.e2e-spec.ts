import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Variant, VARIANTS } from '../../qa/variants';
import { qaCommand } from '../../tools/qa/command';
import { against, qa } from '../support/service/qa';
import { useServices } from '../support/service/service';

/** Options, and what is told of them. */
const WRONG: readonly (readonly [args: readonly string[], told: string])[] = [
  [['--mail-dir', '/tmp', '--smtp', '2525'], 'Mails are read in one place'],
  [['--smtp', 'localhost'], '--smtp needs HOST:PORT.'],
  [['--smtp', 'localhost:99999'], '--smtp needs HOST:PORT.'],
  [['--mail-wait', 'long'], '--mail-wait needs seconds.'],
  [['--mail-domain', 'qa@example.com'], '--mail-domain needs what stands behind the @.'],
  [['--webhook-listen', 'localhost'], '--webhook-listen needs HOST:PORT.'],
  [['--webhook-listen', '1', '--webhook-url', 'x'], '--webhook-url needs an http address.'],
  [['--webhook-url', 'http://x/'], '--webhook-url needs --webhook-listen.'],
  [['--only', 'deliveries'], 'deliveries needs --webhook-listen.'],
  [['--only', 'expiry'], 'expiry needs --test-clock.'],
  [['--only', 'GET /weather'], 'There is no area "GET /weather"'],
  [['--behind', 'zones'], '--behind needs an http address.'],
  [['--behind', 'http://localhost/', '--only', 'teams'], '--behind sends none'],
  [['--junit', '/nowhere/at/all.xml'], '/nowhere/at/all.xml cannot be written.'],
  [['--list', '--variant', 'C'], '--variant needs '],
];

it.each(WRONG)('npm run qa %j exits with 2 and says in one line what is wrong', async (args, told) => {
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    expect(await qaCommand([...against('http://localhost', 'A'), ...args])).toBe(2);
    const text = written.mock.calls.map(([part]) => String(part)).join('');
    expect(text).toContain(told);
    expect(text).toMatch(/^.* --help shows the usage\.\n$/);
  } finally {
    written.mockRestore();
  }
});

it('npm run qa waits as long as the Retry-After of a 429, and says so before', async () => {
  const answers = [429, 401, 401];
  const server = createServer((_, response) =>
    response.writeHead(answers.shift() ?? 500, { 'Retry-After': '0' }).end('{}'),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    expect(await qaCommand(against(`http://127.0.0.1:${port}`, 'A'))).toBe(2);
    const [wait, end] = written.mock.calls.map(([part]) => String(part));
    expect(wait).toContain('going on in 0 s');
    expect(end).toContain('401');
    expect(answers).toEqual([]);
  } finally {
    written.mockRestore();
    server.close();
  }
});

const services = useServices(VARIANTS);

it.each(VARIANTS)(
  'npm run qa --variant %s exits with 2 where the deployment is of another variant',
  async (variant) => {
    for (const [index, { url }] of services.entries()) {
      const deployed = VARIANTS[index] as Variant;
      const { status, output, errors } = await qa([...against(url, variant), '--only', 'reference data']);
      if (deployed === variant) expect(status).toBe(0);
      else expect({ status, output }).toEqual({ status: 2, output: '' });
      const told = `${url}: This is a service of Variant ${deployed}: --variant ${deployed}.`;
      expect(errors.includes(told)).toBe(deployed !== variant);
      // Progress: the area, what is done of all, and seconds.
      expect(/^reference data: 0 of \d+ done, \d+ s$/m.test(errors)).toBe(deployed === variant);
    }
  },
);

it('npm run qa prints its usage for --help', async () => {
  const { status, output, errors } = await qa(['--help']);
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  expect(output).toMatch(/^Usage: npm run qa/);
});
