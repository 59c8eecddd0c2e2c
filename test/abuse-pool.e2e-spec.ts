import { DataSource } from 'typeorm';
import { prepared, PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { startTestService, type TestService } from './support/service';

const ONE = prepared<{ one: number }>('SELECT 1 AS one');

describe('inside a transaction', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('A');
  });
  afterAll(() => service.stop());

  const inTransaction = (work: () => Promise<unknown>) => service.app.get(Transactions).run(work);

  it.each<[string, () => Promise<unknown>]>([
    ['a prepared query', () => service.app.get(PreparedQueries).rows(ONE, [])],
    ['a repository', () => service.app.get(DataSource).query('SELECT 1')],
    ['another transaction', () => inTransaction(() => Promise.resolve())],
  ])('%s cannot take a second connection', async (_, work) => {
    await expect(inTransaction(work)).rejects.toThrow(/goes through its manager/);
    await work();
  });
});
