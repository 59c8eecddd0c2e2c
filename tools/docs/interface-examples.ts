import { filled, MATCHER, type Variables } from '../../qa/matchers';
import { type Example, examplesOf, type Json, type Scenario } from '../../qa/scenario';
import { SCENARIOS } from '../../qa/scenarios/all';
import { TOKENLESS_SCENARIO } from '../../qa/scenarios/invitations.scenarios';
import { SUPPORTED_SCENARIO } from '../../qa/scenarios/support.scenarios';
import type { Variant } from '../../qa/variants';

/** One whole body, and what its sample says of it. */
interface ShownBody {
  readonly summary: string;
  readonly value: Json;
}

/**
 * What the description shows of an operation: one request that succeeds, by default the
 * fullest, and the response to it.
 */
interface ShownExchange {
  request?: ShownBody;
  response?: ShownBody;
}

const KEYS = [
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILM+rvN+ot98qgEN796jTiQfZfG1KaT0PtFDJ/XFSqti',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHk2eHTEcmJJYcAr4ax3RC2Ii3ViyGpRPkGvYQ3TCXBu',
] as const;

const SOME_HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const PASSKEY = {
  id: 'KEDetxZcUfinhVi6Za5nZQ',
  rawId: 'KEDetxZcUfinhVi6Za5nZQ',
  type: 'public-key',
} as const;

/**
 * What the variables of every scenario hold here: always the same, so that the document
 * changes with samples alone.
 */
const VALUES: Readonly<Record<string, Json>> = {
  admin: SOME_HASH,
  adminId: 1,
  adminOrganisationId: 1,
  adminUsername: 'admin@example.com',
  adminEmail: 'admin@example.com',
  adminFirstName: 'Eva',
  adminLastName: 'Bakker',
  adminRoles: ['ROLE_ADMIN'],
  person: SOME_HASH,
  userId: 34,
  username: 'anna@example.com',
  organisation: 12,
  organisationId: 12,
  organisationName: 'Bakkerij de Vries',
  unique: '26',
  mailDomain: 'example.com',
  appId: 101,
  domainId: 102,
  mailgroupId: 103,
  systemId: 104,
  tomorrow: '1767312000',
  taxNumber: 'NL001234567B01',
  password: 'Passw0rd-1',
  newPassword: 'Passw0rd-2',
  publicKey: KEYS[0],
  otherPublicKey: KEYS[1],
  fingerprint: '70:9f:bf:7d:c4:db:d3:a1:70:69:98:ff:30:c4:7a:6b',
  otherFingerprint: '1c:5e:40:0d:21:4e:88:0f:6b:35:1d:94:aa:f8:5e:02',
  code: '123456',
  attestation: {
    ...PASSKEY,
    response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
    clientExtensionResults: { credProps: { rk: true } },
  },
  assertion: {
    ...PASSKEY,
    response: {
      clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
      authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4',
      signature: 'MEUCIQDKg3ci',
      userHandle: 'YWNjb3VudDozNA',
    },
    clientExtensionResults: {},
  },
  invitationToken: SOME_HASH,
  resetToken: SOME_HASH,
  confirmationCode: '01234567',
  documentId: 2026001,
  documentHash: SOME_HASH,
};

/** Of a longer list only the beginning is shown. */
const LONGEST_LIST = 20;
const SHORT_LIST = 3;

/** Operations whose first sample is shown, which is plain; of others the fullest. */
const PLAIN: ReadonlySet<string> = new Set(['POST /login']);

/** What stands for a value that a sample cannot know. */
const PLAUSIBLE: Readonly<Record<string, Json>> = {
  id: 56,
  integer: 0,
  timestamp: '1767225600',
  hash64: SOME_HASH,
  uuid: '0b9d3c6e-5f0e-4c1c-9d52-5f2f6f0a7c11',
  base32: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  secret: SOME_HASH,
  domain: 'example.com',
  base64url: 'YWNjb3VudDozNA',
  text: '',
  moment: '2026-01-01T00:00:00.000Z',
  digits: '4711',
  list: [],
  url: 'https://account.example.com',
  words: 'Example',
  pricegroups: [{ id: '1', description: 'default' }],
};

/** The same where only some words are possible, by the field. */
const WORDS_OF_FIELD: Readonly<Record<string, string>> = {
  statusDisplay: 'queued',
  statusCategory: 'grey',
  content: `${KEYS[0]} jan@laptop`,
  browser: 'Firefox 120.0',
  os: 'Windows 10',
  ip: '192.0.2.7',
  codes: '7k3xp-q0w9d',
  id: '1',
  email: 'qa-26@example.com',
};

/**
 * Bodies of requests and responses for every operation of a variant, from its written samples that succeed.
 */
export async function interfaceExamples(variant: Variant): Promise<Record<string, ShownExchange>> {
  const shown: Record<string, ShownExchange> = {};
  for (const scenario of [...SCENARIOS, TOKENLESS_SCENARIO, SUPPORTED_SCENARIO]) {
    const variables: Variables = new Map(Object.entries(VALUES));
    for (const example of examplesOf(scenario, variant)) {
      const exchange = await exchangeOf(scenario, example, variables, variant);
      if (example.status < 300) {
        const choose = PLAIN.has(example.operation) ? first : fuller;
        shown[example.operation] = choose(shown[example.operation] ?? {}, exchange);
      }
    }
  }
  return Object.fromEntries(
    Object.entries(shown)
      .filter(([, exchange]) => Object.keys(exchange).length > 0)
      .sort(([one], [other]) => one.localeCompare(other, 'en')),
  );
}

const sizeOf = (shown: object): number => JSON.stringify(shown).length;

/** Request and response of one sample, the one that shows more. */
const fuller = (known: ShownExchange, found: ShownExchange): ShownExchange =>
  sizeOf(found) > sizeOf(known) ? found : known;

/** The sample that is written first. */
const first = (known: ShownExchange, found: ShownExchange): ShownExchange =>
  known.request === undefined ? found : known;

/** Also of a refusal: what it captures, later samples use. */
async function exchangeOf(
  { title: scene }: Scenario,
  example: Example,
  variables: Variables,
  variant: Variant,
): Promise<ShownExchange> {
  const summary = `${scene}: ${example.title}`;
  const own: Variables = new Map([...variables, ...Object.entries(example.with ?? {})]);
  const exchange: ShownExchange = {};
  // A text is a file, which no description shows.
  if (example.body !== undefined && typeof example.body !== 'string' && example.status < 300) {
    exchange.request = { summary, value: await filled(example.body, own) };
  }
  const written = example.responses?.[variant] ?? example.response;
  if (written !== undefined) {
    exchange.response = { summary, value: plausible(await filled(written, own), variables) };
  }
  return exchange;
}

/** The value with every matcher replaced; what one captures goes to the variables. */
function plausible(value: Json, variables: Variables, field = ''): Json {
  if (typeof value === 'string') {
    const [, matcher, name] = MATCHER.exec(value) ?? [];
    const stand = matcher === undefined ? undefined : standFor(matcher, field);
    if (stand === undefined) return value;
    if (name !== undefined) variables.set(name, stand);
    return stand;
  }
  if (Array.isArray(value)) {
    const items = value.length > LONGEST_LIST ? value.slice(0, SHORT_LIST) : value;
    return items.map((item: Json) => plausible(item, variables, field));
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, Json>).map(([name, item]) => [
      name,
      plausible(item, variables, name),
    ]),
  );
}

const standFor = (matcher: string, field: string): Json | undefined =>
  matcher === 'words' || matcher === 'text'
    ? (WORDS_OF_FIELD[field] ?? PLAUSIBLE[matcher])
    : PLAUSIBLE[matcher];
