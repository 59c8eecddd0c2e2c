import { secretsKeyOf } from '@app/core/secrets/secrets-key';
import { readSettings } from '../../../config/env';
import { commandHelp, type CommandLine, type CommonOptions } from '../command';
import { interruption } from '../interruption';
import { rotateSecrets } from './rotate-secrets';

const HELP = commandHelp(
  'encrypt stored secrets anew with the first key of SECRETS_KEY',
  `Encrypts whatever is stored under an older key of SECRETS_KEY anew with its first: TOTP secrets, and the links in
mails that wait to be sent. Safe while the service runs; after an interruption run it again.`,
  `To replace the key:
  1. SECRETS_KEY=new,old for every process of the service, and restart them
  2. SECRETS_KEY=new,old npm run cli -- rotate-secrets
  3. a quarter of an hour later, when no confirmation code of before step 1 is valid any more: SECRETS_KEY=new

Examples:
  $ npm run cli -- rotate-secrets --dry-run
  $ npm run cli -- rotate-secrets`,
);

export function declareRotateSecrets(cli: CommandLine): void {
  cli
    .command('rotate-secrets', HELP, 'dry-run')
    .action(async ({ json = false, dryRun: isTrial = false }: CommonOptions) => {
      const { terminal } = cli;
      const signal = interruption();
      const secretsKey = secretsKeyOf(readSettings());
      await cli.run('rotate-secrets', json, (database) =>
        rotateSecrets({ database, secretsKey, terminal, isTrial, signal }),
      );
    });
}
