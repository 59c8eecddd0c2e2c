import { networkOf } from '@app/formats/ip-address';
import type { PlaceOfCustomer } from '@app/security/context/request-context';
import type { KnownClient } from '@app/security/passwords/password-checks';
import { digestOf } from '@app/security/secrets/digest';

const isRecent = (user: string, network: string): string =>
  `k.user_id = ${user} AND k.network = ${network}::cidr AND k.last_login_at > now() - interval '30 days'`;

/** SQL condition: the user has logged in from the network in the last 30 days, by a link or otherwise. */
export const isNetworkTold = (user: string, network: string): string => `
    EXISTS (SELECT FROM known_networks k WHERE ${isRecent(user, network)})`;

/**
 * SQL condition: the same, but not by a link. Links make no network known, so that their maker does not
 * guess from there apart from strangers, or push the networks of the user out.
 */
export const isNetworkKnown = (user: string, network: string): string => `
    EXISTS (SELECT FROM known_networks k WHERE ${isRecent(user, network)} AND NOT k.by_link)`;

/** SQL condition: the device `d` is trusted, and this is the digest of one of its tokens. */
export const isDeviceToken = (digest: string): string => `(d.expires_at > now() AND (d.digest = ${digest}
      OR EXISTS (SELECT FROM older_device_tokens t
        WHERE t.device_id = d.id AND t.digest = ${digest} AND t.expires_at > now())))`;

/** Columns of user `u`: whether the network $2 is known, and the trusted device with the token digest $3. */
export const KNOWN_CLIENT_COLUMNS = `${isNetworkKnown('u.id', '$2')} AS "isNetworkKnown",
    (SELECT d.id FROM trusted_devices d WHERE d.user_id = u.id AND ${isDeviceToken('$3::bytea')} LIMIT 1)
      AS "trustedDeviceId"`;

/** The values of {@link KNOWN_CLIENT_COLUMNS}, for one user. */
export interface KnownClientColumns {
  readonly isNetworkKnown: boolean;
  readonly trustedDeviceId: number | null;
}

/** Where a login attempt comes from. */
export interface Presentation {
  readonly address: string;
  /** `hash2fa` of an earlier login. */
  readonly deviceToken: string | undefined;
}

/** The parameters of {@link KNOWN_CLIENT_COLUMNS}. */
export const knownClientValues = ({ address, deviceToken }: Presentation): [string, Buffer | null] => [
  networkOf(address),
  deviceToken === undefined ? null : digestOf(deviceToken),
];

/** The known device, or otherwise the known network. Undefined for a stranger. */
export function knownClientOf(
  user: KnownClientColumns & { readonly id: number } & PlaceOfCustomer,
  { address }: Presentation,
): KnownClient | undefined {
  const { id: userId, organisationId, customerId, trustedDeviceId } = user;
  const ofUser = { userId, organisationId, customerId };
  // All tokens of a device share its guesses.
  if (trustedDeviceId !== null) {
    return { ...ofUser, by: 'device', of: String(trustedDeviceId) };
  }
  return user.isNetworkKnown ? { ...ofUser, by: 'network', of: networkOf(address) } : undefined;
}
