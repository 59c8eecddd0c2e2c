import type { TestHooks, MailedSecret } from '../../qa/session';
import { register } from './entities-factories';
import { runJobs } from './jobs';
import type { TestService } from './service';
import type { TestMailServer } from './smtp';

/** The links that a service must be started with for its mails to be read here. */
export const LINKS = {
  resetUrlTemplate: 'https://panel.example/reset?token={token}',
  invitationUrlTemplate: 'https://panel.example/register?token={token}',
} as const;

const SECRETS: Readonly<Record<MailedSecret, RegExp>> = {
  invitationToken: /register\?token=([0-9a-f]{64})/,
  resetToken: /reset\?token=([0-9a-f]{64})/,
  confirmationCode: /(?<![\da-f])(\d{8})(?![\da-f])/,
};

/** What examples need and no client can do: reads the mails of a service and fills its register. */
export const testHooksOf = (service: TestService, mailServer: TestMailServer): TestHooks => ({
  async mailedSecret(address, secret) {
    await runJobs(service);
    const found = mailServer.mails
      .filter(({ to }) => to.includes(address))
      .map(({ text }) => SECRETS[secret].exec(text)?.[1])
      .findLast((match) => match !== undefined);
    if (found === undefined) throw new Error(`No ${secret} was mailed to ${address}`);
    return found;
  },
  registerEntities: (organisationId) =>
    register(
      service,
      { kind: 'app', id: 101, name: 'shop', organisationId },
      { kind: 'domain', id: 102, name: 'example.nl', organisationId },
      {
        kind: 'mailgroup',
        id: 103,
        name: 'post',
        organisationId,
        domains: [{ id: 102, name: 'example', mailPrimary: true, domaintype: { id: 1, extension: 'nl' } }],
      },
      { kind: 'system', id: 104, name: 'web1', organisationId },
    ),
});
