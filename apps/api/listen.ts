import { once } from 'node:events';
import { createServer } from 'node:net';
import { SettingError } from '@app/config/operator-errors';
import type { Settings } from '@app/config/settings';

/** Throws a {@link SettingError} if another program uses the port, before the start creates anything. */
export async function assertCanListen(settings: Settings): Promise<void> {
  const probe = createServer();
  await listen(async () => {
    probe.listen(settings.port, settings.host);
    await once(probe, 'listening');
  }, settings);
  probe.close();
  await once(probe, 'close');
}

/** Turns an error of `start`, which opens the port of the settings, into a {@link SettingError}. */
export async function listen(start: () => Promise<unknown>, { host, port }: Settings): Promise<void> {
  try {
    await start();
  } catch (error) {
    const { code, syscall, hostname } = error as NodeJS.ErrnoException & { hostname?: string };
    if (syscall !== 'listen' && hostname !== host) throw error;
    if (code === 'EADDRINUSE')
      throw new SettingError(
        `PORT ${port} is already in use: choose another port, or stop the program that uses it`,
      );
    if (code === 'EACCES') throw new SettingError(`PORT ${port} may not be opened by this user (EACCES)`);
    throw new SettingError(`the service cannot listen on HOST ${JSON.stringify(host)} (${code})`);
  }
}
