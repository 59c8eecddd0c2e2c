import { networkOf } from '@app/platform/addresses/ip-address';
import { digestOf } from '@app/security/secrets/digest';
import type { KnownClient } from '@app/security/passwords/password-checks';

/** SQL condition: the user has logged in from the network in the last 30 days. */
export const isNetworkKnown = (user: string, network: string): string => `
    EXISTS (SELECT FROM known_networks k WHERE k.user_id = ${user} AND k.network = ${network}::cidr
      AND k.last_login_at > now() - interval '30 days')`;

/** Columns of user `u` that say whether the network $2 and the device with token digest $3 are known. */
export const ACQUAINTANCE_COLUMNS = `${isNetworkKnown('u.id', '$2')} AS "isNetworkKnown",
    EXISTS (SELECT FROM trusted_devices d WHERE d.user_id = u.id AND d.digest = $3::bytea
      AND d.expires_at > now()) AS "isDeviceTrusted"`;

/** The values of {@link ACQUAINTANCE_COLUMNS}, for one user. */
export interface AcquaintanceColumns {
  readonly isNetworkKnown: boolean;
  readonly isDeviceTrusted: boolean;
}

/** Origin of a login attempt. */
export interface Presentation {
  readonly address: string;
  /** `hash2fa` of an earlier login. */
  readonly deviceToken: string | undefined;
}

/** The parameters of {@link ACQUAINTANCE_COLUMNS}. */
export const acquaintanceValues = ({ address, deviceToken }: Presentation): [string, Buffer | null] => [
  networkOf(address),
  deviceToken === undefined ? null : digestOf(deviceToken),
];

/** The strongest sign that the user is known here: device, then network. Undefined for a stranger. */
export function acquaintanceOf(
  user: AcquaintanceColumns & { readonly id: number; readonly organisationId: number },
  { address, deviceToken }: Presentation,
): KnownClient | undefined {
  const { id: userId, organisationId } = user;
  if (user.isDeviceTrusted && deviceToken !== undefined) {
    return { userId, organisationId, by: 'device', of: digestOf(deviceToken).toString('hex') };
  }
  return user.isNetworkKnown ? { userId, organisationId, by: 'network', of: networkOf(address) } : undefined;
}
