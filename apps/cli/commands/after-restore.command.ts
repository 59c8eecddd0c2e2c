import { SecretsKeyring } from '@app/core/secrets/encryption';
import { checkSecretsKey, secretsKeyOf } from '@app/core/secrets/secrets-key';
import { readSettings } from '../../../config/env';
import { commandHelp, type CommandLine, type CommonOptions } from '../command';
import { readLine } from '../read-line';
import { afterRestore } from './after-restore';
import { VERIFY_LIMITS } from './verify/verify';

const HELP = commandHelp(
  'make a database safe that was restored from a backup',
  `A restored database lets in again what was ended after the backup. This ends all logins, trusted devices, reset links
and links to a former name, takes back the waiting mails that bring such links, tells which other mails may go out twice,
and then checks everything as \`verify\` does. Run it before the service starts on the restored database. API keys,
recovery codes, open invitations, passwords and roles stay as the backup has them.`,
  `Asks before it changes anything, unless --yes. Exit code 3: done, but \`verify\` found something wrong.

Examples:
  $ npm run cli -- after-restore
  $ npm run cli -- after-restore --yes --json`,
);

interface AfterRestoreOptions extends CommonOptions {
  readonly yes?: boolean;
}

export function declareAfterRestore(cli: CommandLine): void {
  cli
    .command('after-restore', HELP)
    .option('--yes', 'do not ask')
    .action(async ({ json = false, yes = false }: AfterRestoreOptions) => {
      const secretsKey = secretsKeyOf(readSettings());
      checkSecretsKey(secretsKey);
      const keyring = SecretsKeyring.parse(secretsKey);
      const { terminal } = cli;
      const confirm = async (question: string): Promise<boolean> => {
        if (yes) return true;
        terminal.say(`${question} Type yes to go on:`);
        return (await readLine(process.stdin, 'the answer (or use --yes)')).trim().toLowerCase() === 'yes';
      };
      const work = { keyring, terminal, confirm };
      await cli.run('after-restore', json, (database) => afterRestore({ database, ...work }), VERIFY_LIMITS);
    });
}
