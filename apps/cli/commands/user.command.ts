import { isIP } from 'node:net';
import type { EntityManager } from 'typeorm';
import { networkOf } from '@app/formats/ip-address';
import { codeBuckets } from '@app/people/users/code-checks';
import { User } from '@app/people/users/user.entity';
import { storePasswordHash, storeSecondFactor } from '@app/people/users/user-rows';
import { isSuspended } from '@app/security/access/access.queries';
import { type GuessPlaces, passwordBuckets } from '@app/security/passwords/password-checks';
import { resetCounts } from '@app/security/throttling/throttler';
import { endLogins } from '@app/sign-in/auth/login-endings';
import { forgetDevices } from '@app/sign-in/auth/second-factor';
import { transitionsOf } from '@app/sign-in/auth/second-factor-states';
import { endRequests } from '@app/sign-in/recovery/recovery-requests';
import { type CommandLine, memberHelp } from '../command';
import type { CommandRun } from '../database';
import { userIdOf } from '../known-user';
import {
  givenPassword,
  newPassword,
  PASSWORD_RULES,
  type PasswordOptions,
  withPasswordOptions,
} from '../new-password';
import { type Outcome, WrongUse } from '../outcome';
import { endLostPasskeys, endPasskeysOfNewPassword } from '../passkeys-of-user';

/** Reasons why a user may be unable to log in. */
type UserState = Pick<User, 'enabled' | 'secondFactor' | 'organisationId'> & {
  readonly isSuspended: boolean;
};

const STATE = `
  SELECT enabled, second_factor AS "secondFactor", organisation_id AS "organisationId",
    ${isSuspended('users.organisation_id')} AS "isSuspended"
  FROM users WHERE id = $1`;

/** Changes a user in one transaction, and reports what still prevents a login. */
async function change(
  { ctx, transactions }: CommandRun,
  username: string,
  work: (manager: EntityManager, userId: number) => Promise<readonly string[]>,
  shown: object = {},
): Promise<Outcome> {
  const { userId, lines, state } = await transactions.run(ctx, async (manager) => {
    const id = await userIdOf(manager, username, 'FOR NO KEY UPDATE');
    const done = await work(manager, id);
    const [row] = await manager.query<[UserState]>(STATE, [id]);
    return { userId: id, lines: done, state: row };
  });
  return {
    report: { username, userId, ...state, ...shown },
    lines: [...lines, ...obstaclesOf(username, state)],
  };
}

function obstaclesOf(username: string, state: UserState): string[] {
  const { enabled, secondFactor, organisationId } = state;
  return [
    ...(enabled ? [] : [`${username} is disabled and cannot log in: \`user enable ${username}\``]),
    ...(secondFactor === 'enabled'
      ? [`${username} logs in with a second factor; if it is lost: \`user disable-2fa ${username}\``]
      : []),
    ...(state.isSuspended ? [`Organisation ${organisationId} is suspended: docs/helping-people.md`] : []),
  ];
}

/**
 * Also ends what a reset by mail ends: logins, trusted devices, open links and second factors that are new.
 * API keys stay valid.
 */
async function setPassword(
  run: CommandRun,
  username: string,
  password: string | undefined,
): Promise<Outcome> {
  const { hash, report, lines } = await newPassword(password, username, run.settings.bcryptCost);
  return change(
    run,
    username,
    async (manager, userId) => {
      await storePasswordHash(manager, userId, hash);
      await endRequests(manager, [userId], 'reset');
      await endLogins(manager, userId);
      await forgetDevices(manager, userId);
      return [
        `Set a new password of ${username}, and ended all logins, trusted devices and reset links`,
        ...(await endPasskeysOfNewPassword(manager, userId)),
        ...lines,
      ];
    },
    report,
  );
}

interface SecondFactorOptions {
  readonly passkeys?: boolean;
}

const disableSecondFactor = (
  run: CommandRun,
  username: string,
  { passkeys = false }: SecondFactorOptions,
): Promise<Outcome> =>
  change(run, username, async (manager, userId) => {
    const before = await storeSecondFactor(manager, userId, transitionsOf('disable'), {});
    await forgetDevices(manager, userId);
    return [
      before === 'disabled'
        ? `${username} has no second factor`
        : `Removed the second factor of ${username}, and the trusted devices`,
      ...(await endLostPasskeys(manager, { userId, username }, passkeys)),
    ];
  });

const enable = (run: CommandRun, username: string): Promise<Outcome> =>
  change(run, username, async (manager, userId) => {
    const { affected } = await manager.update(User, { id: userId, enabled: false }, { enabled: true });
    await endRequests(manager, [userId], 'reset');
    return [affected === 0 ? `${username} is enabled already` : `Enabled ${username}`];
  });

interface UnlockOptions {
  readonly address?: readonly string[];
}

const PLACES = `
  SELECT ARRAY(SELECT DISTINCT network::text FROM known_networks WHERE user_id = $1) AS networks,
    ARRAY(SELECT id FROM trusted_devices WHERE user_id = $1) AS "deviceIds",
    ARRAY(SELECT id FROM logins WHERE user_id = $1) AS "loginIds",
    (SELECT username FROM users WHERE id = $1) AS username`;

/** Counts of strangers are kept by digests of their networks, so that one from elsewhere has to be named. */
const unlock = (run: CommandRun, username: string, { address = [] }: UnlockOptions): Promise<Outcome> =>
  change(run, username, async (manager, userId) => {
    const [known] = await manager.query<[Omit<GuessPlaces, 'userId'>]>(PLACES, [userId]);
    const places = {
      ...known,
      userId,
      networks: [...known.networks, ...address.map((text) => networkOf(text))],
    };
    await resetCounts(manager, [...passwordBuckets(places), ...codeBuckets(places)]);
    return [
      `Forgot the wrong passwords and codes of ${username}`,
      ...(address.length > 0
        ? []
        : [`A network from which ${username} has never logged in counts on: name it by --address`]),
    ];
  });

const addressOf = (text: string, before: readonly string[] = []): readonly string[] => {
  if (isIP(text) === 0) throw new WrongUse(`--address must be an IP address, not ${JSON.stringify(text)}`);
  return [...before, text];
};

const PASSWORD_HELP = memberHelp(
  'set a new password',
  `Sets a new password of a user, and ends all logins, trusted devices and open reset links. API keys stay valid.
Passkeys that were added in the last 7 days go too.
No mail is sent. Without a password one is generated and shown once. It must have ${PASSWORD_RULES}.`,
  `Examples:
  $ npm run cli -- user set-password jan@example.com
  $ npm run cli -- user set-password jan@example.com --password-stdin < password.txt`,
);

const SECOND_FACTOR_HELP = memberHelp(
  'remove a lost second factor',
  `Removes the second factor of a user, the recovery codes and the trusted devices. Then the password suffices, so make
sure first that you speak with the user. If the organisation demands a second factor, the user sets a new one up at the
next login. Logins stay valid. Passkeys stay valid unless you name --passkeys.`,
  `Example:
  $ npm run cli -- user disable-2fa jan@example.com`,
);

const ENABLE_HELP = memberHelp(
  'enable a disabled user',
  'Enables a user. API keys of the user are valid again; ended logins are not.',
  `Example:
  $ npm run cli -- user enable jan@example.com`,
);

const UNLOCK_HELP = memberHelp(
  'forget wrong passwords and codes',
  `Forgets the wrong passwords and codes of a user, who is answered 429 because of them: those of strangers together, of the
networks of its logins, its trusted devices and its logins. It says nothing of who guessed: look at the log first.`,
  `Examples:
  $ npm run cli -- user unlock jan@example.com
  $ npm run cli -- user unlock jan@example.com --address 198.51.100.7`,
);

export function declare(cli: CommandLine): void {
  const user = cli.group('user', 'Helps a user who cannot log in (docs/helping-people.md).');
  withPasswordOptions(user.command('set-password', PASSWORD_HELP).argument('<username>')).action(
    async (username: string, options: PasswordOptions) => {
      const password = await givenPassword(options);
      await cli.run((run) => setPassword(run, username, password));
    },
  );
  user
    .command('disable-2fa', SECOND_FACTOR_HELP)
    .argument('<username>')
    .option('--passkeys', 'remove the passkeys too: all devices are lost')
    .action((username: string, options: SecondFactorOptions) =>
      cli.run((run) => disableSecondFactor(run, username, options)),
    );
  user
    .command('enable', ENABLE_HELP)
    .argument('<username>')
    .action((username: string) => cli.run((run) => enable(run, username)));
  user
    .command('unlock', UNLOCK_HELP)
    .argument('<username>')
    .option('--address <ip>', 'an address from which the user tries; may be given more than once', addressOf)
    .action((username: string, options: UnlockOptions) => cli.run((run) => unlock(run, username, options)));
}
