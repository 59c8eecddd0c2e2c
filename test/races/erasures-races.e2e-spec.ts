import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { PersonErasure } from '@app/records/privacy/person-erasure';
import { RequestContext } from '@app/security/context/request-context';
import { makeCustomer } from '../support/factories/factories';
import { transactionBeside, untilItWaits } from '../support/faults/locks';
import { useService } from '../support/service/service';

describe('an erasure at the same time as others', () => {
  const service = useService('A');

  const erase = (userId: number) =>
    service.app.get(PersonErasure).erase(RequestContext.forCommand('person erase', 'test'), userId, {
      isTrial: false,
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });

  /** A job that a worker has begun, so that it is not withdrawn. */
  async function jobInProgress(payload: object, lastError: string | null): Promise<string> {
    const [job] = await service.sql<{ id: string }>(
      `SELECT id FROM graphile_worker.add_job('task.of.nobody', $1::json, run_at => now() + interval '1 day')`,
      [JSON.stringify(payload)],
    );
    const { id } = job as { id: string };
    await service.sql(
      `UPDATE ${JOB_TABLE} SET locked_at = now(), locked_by = 'worker elsewhere', last_error = $2 WHERE id = $1`,
      [id, lastError],
    );
    return id;
  }

  it('locks the jobs that name the person in the order of their ids', async () => {
    const { plain } = await makeCustomer(service);
    const { username } = plain;
    const first = await jobInProgress({}, `No mailbox ${username}`);
    const second = await jobInProgress({ username }, null);
    await using beside = await transactionBeside(service);
    const lock = (id: string) =>
      beside.query(`SELECT FROM ${JOB_TABLE} WHERE id = $1 FOR UPDATE NOWAIT`, [id]);
    await lock(first);
    const erased = erase(plain.id);
    await untilItWaits(beside, erased);
    // It holds no later one while it waits for an earlier one.
    await lock(second);
    await beside.query('COMMIT');
    await erased;
    const left = await service.sql<{ text: string }>(
      `SELECT concat(payload::text, last_error) AS text FROM ${JOB_TABLE} WHERE id = ANY ($1::bigint[]) ORDER BY id`,
      [[first, second]],
    );
    expect(left.map(({ text }) => text)).toEqual(['{}No mailbox (erased)', '{}']);
  });
});
