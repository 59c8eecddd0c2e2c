import { type CommandLine, memberHelp } from '../command';
import type { CommandRun } from '../database';
import { CommandFailed, type Outcome, WrongUse } from '../outcome';

const END = `
  WITH ended AS (
    DELETE FROM passkeys WHERE rp_id <> $1 RETURNING user_id
  ) SELECT count(*)::integer AS passkeys, count(DISTINCT user_id)::integer AS users FROM ended`;

/** Deletes the passkeys of other domains than `PASSKEY_RP_ID`, which no browser offers any more. */
async function endOfOtherDomains({ ctx, transactions, settings }: CommandRun): Promise<Outcome> {
  const rpId = settings.passkeys?.rpId;
  if (rpId === undefined)
    throw new CommandFailed(
      'PASSKEY_RP_ID is not set, so it is not known which passkeys are of other domains',
    );
  const ended = await transactions.run(ctx, async (manager) => {
    const [row] = await manager.query<[{ passkeys: number; users: number }]>(END, [rpId]);
    return row;
  });
  const { passkeys, users } = ended;
  return {
    report: { domain: rpId, ...ended },
    lines: [
      `Deleted passkeys of other domains than ${rpId}: ${passkeys}, of ${users} ${users === 1 ? 'user' : 'users'}`,
    ],
  };
}

const HELP = memberHelp(
  'delete the passkeys of other domains',
  `Deletes the passkeys that were made for another PASSKEY_RP_ID than the present one. They log in nowhere any more, but they
count as second factors: a user with one cannot add another. No mail is sent. Logins stay valid.`,
  `Example:
  $ npm run cli -- passkeys end --other-domains`,
);

export function declare(cli: CommandLine): void {
  const passkeys = cli.group(
    'passkeys',
    'Ends passkeys after a change of their domain (docs/helping-people.md).',
  );
  passkeys
    .command('end', HELP)
    .option('--other-domains', 'those of other domains than PASSKEY_RP_ID')
    .action(async ({ otherDomains }: { otherDomains?: boolean }) => {
      if (otherDomains !== true)
        throw new WrongUse('which passkeys? --other-domains names those of other domains');
      await cli.run(endOfOtherDomains);
    });
}
