import { optional, type Parse } from './setting';
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

export const PASSKEY_PARTY = {
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

/** The error of the two settings together, if any. */
export function faultOfPasskeys(
  { rpId, origins }: Readonly<Record<keyof PasskeyParty, string>>,
  party: PasskeyParty | undefined,
): string | undefined {
  if (rpId === '' && origins !== '') return 'PASSKEY_RP_ID is required with PASSKEY_ORIGINS';
  if (rpId !== '' && origins === '') return 'PASSKEY_ORIGINS is required with PASSKEY_RP_ID';
  const elsewhere = party?.origins.find((origin) => !isBeneath(new URL(origin).hostname, party.rpId));
  return elsewhere === undefined
    ? undefined
    : `PASSKEY_ORIGINS must list pages at PASSKEY_RP_ID ${rpId} or beneath it, but has ${elsewhere}`;
}

const isBeneath = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);
