import { type Combination, optional, type Parse, type ValuesOf } from './setting';
import { originList } from './setting-parsers';

/** The domain of passkeys (they also work on its subdomains), and the origins of the pages that use them. */
export interface PasskeyParty {
  readonly rpId: string;
  readonly origins: readonly string[];
}

/** A domain without scheme and port. An IP address does not match, because its last part has no letter. */
const DOMAIN = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z]([a-z0-9-]*[a-z0-9])?$/;

const relyingPartyId: Parse<string> = (text) => {
  if (DOMAIN.test(text)) return text;
  throw new Error('must be a domain in lower case, such as example.com');
};

/** Browsers allow passkeys only on https pages and on localhost. */
const pageOrigins: Parse<readonly string[]> = (text) => {
  const origins = originList(text);
  if (origins.length > 0 && origins.every(isSafe)) return origins;
  throw new Error('must list origins of pages with https, such as https://panel.example.com');
};

const isSafe = (origin: string): boolean =>
  origin.startsWith('https://') || /^http:\/\/([a-z0-9-]+\.)*localhost(:\d+)?$/.test(origin);

const PARTY = {
  rpId: optional(
    'PASSKEY_RP_ID',
    relyingPartyId,
    'domain of the passkeys of Variant A, such as `example.com`; goes with `PASSKEY_ORIGINS` ([sign-in-pages.md](sign-in-pages.md#passkeys))',
  ),
  origins: optional(
    'PASSKEY_ORIGINS',
    pageOrigins,
    'pages that use passkeys, comma-separated, such as `https://panel.example.com`: https, at `PASSKEY_RP_ID` or beneath it',
  ),
};

function faultOfParty(given: (name: string) => string, party: PasskeyParty | undefined): string | undefined {
  const rpId = given('PASSKEY_RP_ID');
  const origins = given('PASSKEY_ORIGINS');
  if (rpId === '' && origins !== '') return 'PASSKEY_RP_ID is required with PASSKEY_ORIGINS';
  if (rpId !== '' && origins === '') return 'PASSKEY_ORIGINS is required with PASSKEY_RP_ID';
  const elsewhere = party?.origins.find((origin) => !isBeneath(new URL(origin).hostname, party.rpId));
  return elsewhere === undefined
    ? undefined
    : `PASSKEY_ORIGINS must list pages at PASSKEY_RP_ID ${rpId} or beneath it, but has ${elsewhere}`;
}

const isBeneath = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** Undefined without passkeys: the two settings go together. */
export const PASSKEY_PARTY: Combination<PasskeyParty | undefined> = {
  rows: PARTY,
  combine: (values, given) => {
    const { rpId, origins } = values as ValuesOf<typeof PARTY>;
    const party = rpId === undefined || origins === undefined ? undefined : { rpId, origins };
    return { value: party, fault: faultOfParty(given, party) };
  },
};
