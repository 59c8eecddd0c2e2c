import { networkOf } from '@app/core/network/client-address';
import { digestOf } from '@app/core/secrets/digest';
import type { Acquaintance } from '@app/core/throttling/acquaintance';

/** What of user `u` tells whether it is known where its name is presented: network $2, digest of a device token $3. */
export const ACQUAINTANCE_COLUMNS = `
    EXISTS (SELECT FROM known_networks k WHERE k.user_id = u.id AND k.network = $2::cidr
      AND k.last_login_at > now() - interval '30 days') AS "isNetworkKnown",
    EXISTS (SELECT FROM trusted_devices d WHERE d.user_id = u.id AND d.digest = $3::bytea
      AND d.expires_at > now()) AS "isDeviceTrusted"`;

/** The same of one user. */
export interface AcquaintanceColumns {
  readonly isNetworkKnown: boolean;
  readonly isDeviceTrusted: boolean;
}

/** Where a name is presented. */
export interface Presentation {
  readonly address: string;
  /** `hash2fa` of an earlier login. */
  readonly deviceToken: string | undefined;
}

/** The values of {@link ACQUAINTANCE_COLUMNS}. */
export const acquaintanceValues = ({ address, deviceToken }: Presentation): [string, Buffer | null] => [
  networkOf(address),
  deviceToken === undefined ? null : digestOf(deviceToken),
];

/** What speaks for the user, from the strongest to the weakest; undefined for a stranger. */
export function acquaintanceOf(
  user: AcquaintanceColumns & { readonly id: number; readonly organisationId: number },
  { address, deviceToken }: Presentation,
): Acquaintance | undefined {
  const { id: userId, organisationId } = user;
  if (user.isDeviceTrusted && deviceToken !== undefined) {
    return { userId, organisationId, by: 'device', of: digestOf(deviceToken).toString('hex') };
  }
  return user.isNetworkKnown ? { userId, organisationId, by: 'network', of: networkOf(address) } : undefined;
}
