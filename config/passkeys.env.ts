import type { PasskeyParty } from '@app/platform/process/settings';
import { originList, type Parse } from './setting-parsers';

/** No scheme, no port, and no IP address, whose last part has no letter. */
const DOMAIN = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z]([a-z0-9-]*[a-z0-9])?$/;

export const relyingPartyId: Parse<string> = (text) => {
  if (DOMAIN.test(text)) return text;
  throw new Error('must be a domain in lower case, such as example.com');
};

/** Browsers have passkeys on safe pages alone: https, or this machine. */
export const pageOrigins: Parse<readonly string[]> = (text) => {
  const origins = originList(text);
  if (origins.length > 0 && origins.every(isSafe)) return origins;
  throw new Error('must list origins of pages with https, such as https://panel.example.com');
};

const isSafe = (origin: string): boolean =>
  origin.startsWith('https://') || /^http:\/\/([a-z0-9-]+\.)*localhost(:\d+)?$/.test(origin);

/** What is wrong with both settings together; undefined if nothing is. */
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
