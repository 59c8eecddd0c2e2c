import type * as GraphileRunner from 'graphile-worker/dist/runner';
import { Transactions } from '@app/core/database/transactions';
import { Outbox } from '@app/core/mail/outbox';
import { startTestService } from './support/service';
import { startMailServer } from './support/smtp';
import { until } from './support/until';

/** How many runners of graphile-worker were asked for; the second can not start, as where the database breaks then. */
let starts = 0;
jest.mock('graphile-worker/dist/runner', () => {
  const library = jest.requireActual<typeof GraphileRunner>('graphile-worker/dist/runner');
  const run: typeof library.run = (options) => {
    starts++;
    return starts === 2 ? Promise.reject(new Error('The database broke')) : library.run(options);
  };
  return { ...library, run };
});

describe('jobs whose second runner could not start', () => {
  it('run after the next start of both', async () => {
    const server = await startMailServer();
    const service = await startTestService('A', { settings: { smtpUrl: server.url, worker: true } });
    try {
      await until(() => starts === 2);
      await service.app.get(Transactions).run((manager) =>
        service.app.get(Outbox).queue(manager, {
          template: 'invitation',
          to: 'jan@example.nl',
          language: 'en',
          values: { firstName: 'Jan', organisation: 'Bakkerij', inviter: 'Anna Smit', endDate: '1 juli' },
          secrets: { link: 'https://panel.example/invitation' },
        }),
      );
      await until(() => starts === 4 && server.mails.length === 1);
    } finally {
      await service.stop();
      await server.stop();
    }
    expect(server.mails.map(({ to }) => to)).toEqual([['jan@example.nl']]);
  });
});
