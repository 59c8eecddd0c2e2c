import { once } from 'node:events';
import { connect } from 'node:net';
import { Client } from 'pg';
import { makeCustomer } from './support/factories';
import { startTestService, type TestService } from './support/service';
import { until } from './support/until';

let service: TestService;
beforeAll(async () => {
  service = await startTestService('A');
});
afterAll(() => service.stop());

it('every request ends whose client goes, those too that were sent behind one without an answer', async () => {
  const { plain } = await makeCustomer(service);
  const { hostname, port } = new URL(service.url);
  const holder = new Client({ connectionString: service.database.url });
  await holder.connect();
  try {
    await holder.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    const sent = `GET /v1/whoami HTTP/1.1\r\nHost: x\r\nAuthorization: ${plain.client.hash}\r\n\r\n`;
    socket.write(sent.repeat(5));
    await until(async () => {
      const waiting = await service.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    socket.resetAndDestroy();
    await until(() => service.logLines.filter((line) => line.includes('"aborted":true')).length === 5);
  } finally {
    await holder.end();
  }
});
