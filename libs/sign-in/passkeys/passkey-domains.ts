import { SettingError } from '@app/config/operator-errors';
import type { Settings } from '@app/config/settings';

/** Passkeys that another `PASSKEY_RP_ID` made: no browser offers them here any more. */
const OTHER = `SELECT rp_id AS domain, count(*)::integer AS passkeys FROM passkeys WHERE rp_id <> $1 GROUP BY 1 ORDER BY 1`;

export interface DomainOfPasskeys {
  readonly domain: string;
  readonly passkeys: number;
}

/** Runs the statement on a connection. */
type ReadDomains = (text: string, values: readonly unknown[]) => Promise<readonly DomainOfPasskeys[]>;

/** Throws for a `PASSKEY_RP_ID` that is another than that of stored passkeys (rule passkeys 38). */
export async function assertOwnPasskeys(read: ReadDomains, { passkeys }: Settings): Promise<void> {
  if (passkeys === undefined) return;
  const others = await read(OTHER, [passkeys.rpId]);
  if (others.length === 0) return;
  const named = others.map(({ domain, passkeys: count }) => `${domain} (${count})`).join(', ');
  throw new SettingError(
    `PASSKEY_RP_ID is ${passkeys.rpId}, but there are passkeys of ${named}, which work there ` +
      `alone: set it back, or delete them with \`cli passkeys end --other-domains\``,
  );
}
