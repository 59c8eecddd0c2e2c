import { readSettings } from '@app/config/env';
import { prepareDatabase } from '../../../apps/api/prepare-database';
import { makeCustomer, makeUser } from '../../support/factories/factories';
import { storePasskey } from '../../support/factories/passkey-factories';
import { runCli } from '../../support/service/cli';
import { PASSKEYS, TEST_SECRETS_KEY, useService } from '../../support/service/service';

/** rule passkeys 38, rule passkeys 39 */
describe('a passkey of another domain than PASSKEY_RP_ID', () => {
  const service = useService('A');
  const env = (rpId: string | undefined): Record<string, string> =>
    rpId === undefined ? {} : { PASSKEY_RP_ID: rpId, PASSKEY_ORIGINS: `https://${rpId}` };
  const start = (rpId?: string) =>
    prepareDatabase(
      readSettings({
        DATABASE_URL: service.database.url,
        SECRETS_KEY: TEST_SECRETS_KEY,
        ...env(rpId),
      }),
      {
        say: () => undefined,
        stopWanted: new AbortController().signal,
        whileStarting: () => undefined,
      },
    );
  const end = (rpId: string | undefined, ...flags: string[]) =>
    runCli(service.database, ['passkeys', 'end', ...flags, '--json'], { env: env(rpId) });

  it('ends the start with one line, until it is deleted by cli passkeys end --other-domains', async () => {
    const { organisationId, plain } = await makeCustomer(service);
    const other = await makeUser(service, { organisationId });
    for (const id of [plain.id, plain.id, other.id]) await storePasskey(service, id);
    await start(PASSKEYS.rpId);
    await start();
    await expect(start('other.example')).rejects.toThrow(
      `PASSKEY_RP_ID is other.example, but there are passkeys of ${PASSKEYS.rpId} (3), which work there alone`,
    );
    expect(await end('other.example')).toMatchObject({ exitCode: 2 });
    expect(await end(undefined, '--other-domains')).toMatchObject({ exitCode: 1 });
    expect(await end(PASSKEYS.rpId, '--other-domains')).toMatchObject({ report: { passkeys: 0, users: 0 } });
    expect(await end('other.example', '--other-domains')).toMatchObject({
      exitCode: 0,
      report: { domain: 'other.example', passkeys: 3, users: 2 },
    });
    await start('other.example');
  });
});
