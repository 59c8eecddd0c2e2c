import { secretIn } from '../../../qa/mail/mails';
import type { SessionOptions } from '../../../qa/session';
import type { TestMailServer } from '../faults/smtp';
import { runJobs } from './jobs';
import type { TestService } from './service';

/** What examples need and no client can do: reads the mails of a service. */
export const testHooksOf = (
  service: TestService,
  mailServer: TestMailServer,
): Required<Pick<SessionOptions, 'mails'>> => ({
  mails: {
    async mailedSecret(address, secret) {
      await runJobs(service);
      const found = mailServer.mails
        .filter(({ to }) => to.includes(address))
        .map(({ text }) => secretIn(text, secret))
        .findLast((match) => match !== undefined);
      if (found === undefined) throw new Error(`No ${secret} was mailed to ${address}`);
      return found;
    },
    close: () => Promise.resolve(),
  },
});
