import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import request from 'supertest';
import { asAdmin } from '../support/service/client';
import { createTestDatabase, type TestDatabase } from '../support/service/databases';
import { startServiceProcess, type ServiceProcess, settingsOn } from '../support/service/processes';
import { until } from '../support/service/until';

/** Process ids of the processes that serve beneath the one that was started. */
async function workersOf({ child }: ServiceProcess): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, parent]) => (pid !== undefined && parent === child.pid ? [pid] : []));
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** What the metrics of `GET /v1/whoami` add up to. */
const whoamis = (text: string): number =>
  [...text.matchAll(/^http_requests_total\{[^}]*route="\/v1\/whoami"[^}]*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );

describe('several processes behind one port', () => {
  let database: TestDatabase;
  let started: ServiceProcess | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => started?.child.kill('SIGKILL'));
  afterAll(() => database.drop());

  function start(settings: Record<string, string> = {}): ServiceProcess {
    started = startServiceProcess(settingsOn(database.url, { PROCESSES: '3', ...settings }));
    return started;
  }

  it('share the work, count it together and end with it', async () => {
    const service = start();
    const url = await service.address;
    const workers = await workersOf(service);
    expect(workers).toHaveLength(3);
    const admin = await asAdmin({ url });
    // Each on a connection of its own: the connections go round.
    for (let count = 0; count < 9; count++) await admin.get('/whoami').expect(200);
    for (let count = 0; count < 3; count++) {
      const { text } = await request(url).get('/metrics').expect(200);
      expect(whoamis(text)).toBe(9);
      // What each has is added up; what all see is told once.
      expect(text).toContain('\ndatabase_pool_max{pool="requests"} 60\n');
      expect(text).toMatch(/\naccount_api_info\{[^}]*variant="A"\} 1\n/);
      expect(text.match(/^database_up .*$/gm)).toEqual(['database_up 1']);
    }
    expect(await processesWithJobs(database.url)).toBe(1);
    service.child.kill('SIGTERM');
    expect(await service.ended).toMatchObject({ status: 0, errors: '' });
    expect(workers.filter(isRunning)).toEqual([]);
  });

  it('count on from what those had counted that ended', async () => {
    const service = start();
    const url = await service.address;
    const admin = await asAdmin({ url });
    for (let count = 0; count < 9; count++) await admin.get('/whoami').expect(200);
    const counted = async (): Promise<number> =>
      whoamis(await fetch(`${url}/metrics`).then((all) => all.text()));
    expect(await counted()).toBe(9);
    for (const victim of (await workersOf(service)).slice(0, 2)) {
      process.kill(victim, 'SIGKILL');
      await until(async () => !(await workersOf(service)).includes(victim));
      expect(await counted()).toBe(9);
    }
    await admin.get('/whoami').expect(200);
    expect(await counted()).toBe(10);
  });

  it('are counted together, what one that hangs told last too', async () => {
    const service = start({ PROCESSES: '2' });
    const url = await service.address;
    const admin = await asAdmin({ url });
    await admin.get('/whoami').expect(200);
    await request(url).get('/metrics').expect(200);
    const [hanging = 0] = await workersOf(service);
    process.kill(hanging, 'SIGSTOP');
    try {
      // It is given a connection now and then.
      const answers = Array.from({ length: 2 }, () =>
        fetch(`${url}/metrics`, { headers: { connection: 'close' } }),
      );
      const answer = await Promise.race(answers);
      expect(answer.status).toBe(200);
      expect(whoamis(await answer.text())).toBe(1);
    } finally {
      process.kill(hanging, 'SIGCONT');
    }
  });

  it('go on when one crashes, which is started again and does the jobs again', async () => {
    const service = start();
    const url = await service.address;
    const admin = await asAdmin({ url });
    for (const victim of await workersOf(service)) {
      process.kill(victim, 'SIGKILL');
      await until(async () => {
        const now = await workersOf(service);
        return now.length === 3 && !now.includes(victim);
      });
    }
    await until(async () =>
      fetch(`${url}/v1/whoami`, { headers: { authorization: admin.hash ?? '' } }).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    await until(async () => (await processesWithJobs(database.url)) === 1);
    service.child.kill('SIGTERM');
    expect(await service.ended).toMatchObject({ status: 0 });
  });

  it('are all started again, also where all end at once and soon again', async () => {
    const service = start({ PROCESSES: '2' });
    await service.address;
    let before = await workersOf(service);
    for (let times = 0; times < 3; times++) {
      for (const victim of before) process.kill(victim, 'SIGKILL');
      const killed = before;
      await until(async () => {
        before = await workersOf(service);
        return before.length === 2 && !before.some((worker) => killed.includes(worker));
      });
    }
    service.child.kill('SIGTERM');
    expect(await service.ended).toMatchObject({ status: 0 });
  });

  it('end when the one that started them is killed', async () => {
    const service = start();
    await service.address;
    const workers = await workersOf(service);
    service.child.kill('SIGKILL');
    await until(() => !workers.some(isRunning));
  });

  it('say in one line why they do not start, and leave nothing behind', async () => {
    const taken = createServer().listen(0, '0.0.0.0');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const service = start({ PORT: String(port) });
    expect(await service.ended).toMatchObject({
      status: 1,
      errors: expect.stringMatching(new RegExp(`^[^\n]*PORT ${port} is already in use[^\n]*\n$`)) as string,
    });
    taken.close();
  });
});

/** How many processes do jobs: each listens with three connections, one of them for what is urgent and one for webhooks. */
async function processesWithJobs(url: string): Promise<number> {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ listeners: number }>(
      `SELECT count(*)::int AS listeners FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'account-api-jobs' AND query LIKE 'LISTEN%'`,
    );
    return (rows[0]?.listeners ?? 0) / 3;
  } finally {
    await client.end();
  }
}
