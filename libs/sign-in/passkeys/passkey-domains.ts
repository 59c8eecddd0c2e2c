import { SettingError, type Settings } from '@app/config/settings';

/** Runs a statement: a connection, a pool or a transaction. */
type RunStatement = <Row>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

const OTHER = `SELECT rp_id AS domain, count(*)::integer AS passkeys FROM passkeys WHERE rp_id <> $1 GROUP BY 1 ORDER BY 1`;

interface DomainOfPasskeys {
  readonly domain: string;
  readonly passkeys: number;
}

/** Stored passkeys that another `PASSKEY_RP_ID` made: no browser offers them here any more. */
const passkeysOfOtherDomains = (run: RunStatement, rpId: string): Promise<readonly DomainOfPasskeys[]> =>
  run<DomainOfPasskeys>(OTHER, [rpId]);

/** Throws for a `PASSKEY_RP_ID` that is another than that of stored passkeys (rule passkeys 45). */
export async function assertOwnPasskeys(run: RunStatement, { passkeys }: Settings): Promise<void> {
  if (passkeys === undefined) return;
  const others = await passkeysOfOtherDomains(run, passkeys.rpId);
  if (others.length === 0) return;
  const named = others.map(({ domain, passkeys: count }) => `${domain} (${count})`).join(', ');
  throw new SettingError(
    `PASSKEY_RP_ID is ${passkeys.rpId}, but there are passkeys of ${named}, which work there alone: set it back, or delete them with \`cli passkeys end --other-domains\``,
  );
}
