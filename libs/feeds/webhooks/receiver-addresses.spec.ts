import type { Settings } from '@app/config/settings';
import { NameLookup, ReceiverAddresses } from './receiver-addresses';

const OPERATOR = 1;
const CUSTOMER = 7;

const IN_TIME = AbortSignal.timeout(60_000);

/** The addresses of a name come from the test. */
class KnownNames extends NameLookup {
  constructor(private readonly known: readonly string[]) {
    super();
  }

  override addressesOf(): Promise<string[]> {
    return Promise.resolve([...this.known]);
  }
}

const addressesWith = (known: readonly string[], webhookNetworks: readonly string[] = []) =>
  new ReceiverAddresses({ webhookNetworks } as Settings, new KnownNames(known));

const judge = (
  url: string,
  known: readonly string[],
  networks?: readonly string[],
  organisationId = OPERATOR,
) => addressesWith(known, networks).allowed(new URL(url), organisationId, IN_TIME);

const NONE = 'no address that webhooks may use';

const REFUSED = [
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '0.0.0.0',
  '::',
  '::1',
  '::8.8.8.8',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '64:ff9b:1::808:808',
  '2002:808:808::1',
  '2001::1',
  'fe80::1',
  'fec0::1',
  'fd00:ec2::254',
  'ff02::1',
  '2001:db8::1',
];

it.each(REFUSED)('does not connect to %s, which a name has', async (address) => {
  await expect(judge('https://receiver.example/', [address])).rejects.toThrow(NONE);
  expect(await judge('https://receiver.example/', [address, '8.8.8.8'])).toEqual([
    { address: '8.8.8.8', family: 4 },
  ]);
});

it.each(REFUSED)('refuses the literal address %s', (address) => {
  const host = address.includes(':') ? `[${address}]` : address;
  expect(addressesWith([]).isUrlAllowed(new URL(`https://${host}/`), OPERATOR)).toBe(false);
});

it.each(['https://0x7f.1/', 'https://2130706433/', 'https://0177.0.0.1/', 'https://127.0.0.1./'])(
  'knows a literal address in another notation: %s',
  (url) => {
    expect(addressesWith([]).isUrlAllowed(new URL(url), OPERATOR)).toBe(false);
  },
);

it('gives all addresses of a name with https', async () => {
  expect(await judge('https://receiver.example/', ['8.8.8.8', '2606:4700::1'])).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ]);
});

it('gives a literal address without a look-up', async () => {
  expect(await judge('https://8.8.8.8/', ['10.0.0.1'])).toEqual([{ address: '8.8.8.8', family: 4 }]);
});

it('takes http to WEBHOOK_NETWORKS alone', async () => {
  const networks = ['10.0.0.0/8', 'fd00::/8'];
  await expect(judge('http://receiver.example/', ['8.8.8.8'], networks)).rejects.toThrow(NONE);
  expect(await judge('http://receiver.example/', ['8.8.8.8', '10.0.0.1'], networks)).toEqual([
    { address: '10.0.0.1', family: 4 },
  ]);
  const addresses = addressesWith([], networks);
  expect(addresses.isUrlAllowed(new URL('http://inside.example/'), OPERATOR)).toBe(true);
  expect(addresses.isUrlAllowed(new URL('http://[fd00::1]/'), OPERATOR)).toBe(true);
  expect(addresses.isUrlAllowed(new URL('http://8.8.8.8/'), OPERATOR)).toBe(false);
  expect(addressesWith([]).isUrlAllowed(new URL('http://inside.example/'), OPERATOR)).toBe(false);
});

it('takes WEBHOOK_NETWORKS from the organisation of the operator alone', async () => {
  const networks = ['10.0.0.0/8', 'fd00::/8'];
  for (const url of ['http://receiver.example/', 'https://receiver.example/'])
    await expect(judge(url, ['10.0.0.1'], networks, CUSTOMER)).rejects.toThrow(NONE);
  expect(await judge('https://receiver.example/', ['10.0.0.1', '8.8.8.8'], networks, CUSTOMER)).toEqual([
    { address: '8.8.8.8', family: 4 },
  ]);
  const addresses = addressesWith([], networks);
  for (const url of ['http://inside.example/', 'http://10.0.0.1/', 'https://10.0.0.1/', 'https://[fd00::1]/'])
    expect([url, addresses.isUrlAllowed(new URL(url), CUSTOMER)]).toEqual([url, false]);
});

it('tells nobody whether a name has addresses that webhooks may not use, or none', async () => {
  await expect(judge('https://receiver.example/', [])).rejects.toThrow(NONE);
});

it('finds the names of /etc/hosts', async () => {
  expect(await new NameLookup().addressesOf('localhost', IN_TIME)).toContain('127.0.0.1');
});
