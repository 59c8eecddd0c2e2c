import { DataSource } from 'typeorm';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { TEST_CONTEXT } from '../support/service/jobs';
import { describeService } from '../support/service/service';

const ONE = prepared<{ one: number }>('SELECT 1 AS one');

describeService(['A'], 'inside a transaction', (service) => {
  const inTransaction = (work: () => Promise<unknown>) =>
    service.app.get(Transactions).run(TEST_CONTEXT, work);

  it.each<[string, () => Promise<unknown>]>([
    ['a prepared query', () => service.app.get(DatabaseReads).rows(ONE, [])],
    ['a repository', () => service.app.get(DataSource).query('SELECT 1')],
    ['another transaction', () => inTransaction(() => Promise.resolve())],
  ])('%s takes no second connection', async (_, work) => {
    await expect(inTransaction(work)).rejects.toThrow(/goes through its manager/);
    await work();
  });
});
