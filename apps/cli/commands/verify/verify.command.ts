import { SecretsKeyring } from '@app/core/secrets/encryption';
import { checkSecretsKey, secretsKeyOf } from '@app/core/secrets/secrets-key';
import { readSettings } from '../../../../config/env';
import { commandHelp, type CommandLine, type CommonOptions } from '../../command';
import { verify, VERIFY_LIMITS } from './verify';

const HELP = commandHelp(
  'check that what is stored twice agrees, and repair it',
  `Checks what the database keeps twice or must hold over many rows: which organisations lie beneath which against
their links, counters, the states of notifications, names that must be unique, amounts, one enabled admin, secrets that
SECRETS_KEY can not open, and triggers, indexes and next ids that a restore may have lost. It reads one point in time and
changes nothing; the service may run. With --fix it puts right what follows from other rows, and names the rest.`,
  `Exit code 3: something is wrong, or is left after --fix.

Examples:
  $ npm run cli -- verify
  $ npm run cli -- verify --fix`,
);

interface VerifyOptions extends CommonOptions {
  readonly fix?: boolean;
}

export function declareVerify(cli: CommandLine): void {
  cli
    .command('verify', HELP)
    .option('--fix', 'put right what follows from other rows')
    .action(async ({ json = false, fix: fixes = false }: VerifyOptions) => {
      const secretsKey = secretsKeyOf(readSettings());
      checkSecretsKey(secretsKey);
      const keyring = SecretsKeyring.parse(secretsKey);
      const { terminal } = cli;
      await cli.run(
        'verify',
        json,
        (database) => verify({ database, keyring, terminal, fixes }),
        VERIFY_LIMITS,
      );
    });
}
