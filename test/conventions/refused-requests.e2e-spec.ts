import { once } from 'node:events';
import { connect } from 'node:net';
import request from 'supertest';
import { TooBusy } from '@app/platform/concurrency/concurrency-limiter';
import { ReferenceService } from '@app/records/reference/reference.service';
import { asAdmin } from '../support/service/client';
import { describeService } from '../support/service/service';
import { until } from '../support/service/until';

interface LogLine {
  readonly level: number;
  readonly requestId: string;
}

describeService(['A'], 'a request that no route gets', (service) => {
  const linesOf = (requestId: string): LogLine[] =>
    service.logLines
      .map((line) => JSON.parse(line) as LogLine)
      .filter((line) => line.requestId === requestId);

  /** Refused requests with this status, whatever their method and route. */
  const count = async (status: number): Promise<number> => {
    const { text } = await request(service.url).get('/metrics').expect(200);
    const counter = new RegExp(
      `^http_requests_total\\{[^}]*status="${status}",outcome="refused"\\} (\\d+)$`,
      'gm',
    );
    return [...text.matchAll(counter)].reduce((sum, [, value]) => sum + Number(value), 0);
  };

  const exchange = async (sent: string): Promise<string> => {
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let text = '';
    socket.on('data', (part: Buffer) => (text += part.toString()));
    socket.write(sent);
    await once(socket, 'close');
    return text;
  };

  const unserved = (title: string, version: string, headers: string): [string, number, string, string] => [
    title,
    400,
    `POST /v1/login HTTP/${version}\r\nHost: a\r\n${headers}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    'This version or transfer coding of HTTP is not served',
  ];

  it.each([
    ['no Host', 400, 'GET /v1/whoami HTTP/1.1\r\n\r\n', 'The request needs one Host header'],
    [
      'two Hosts',
      400,
      'GET /v1/whoami HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n',
      'The request needs one Host header',
    ],
    unserved('a transfer coding in HTTP/1.0', '1.0', 'Transfer-Encoding: chunked'),
    unserved('a transfer coding that nobody undoes', '1.1', 'Transfer-Encoding: gzip, chunked'),
    unserved('two transfer codings', '1.1', 'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked'),
    unserved('HTTP/2.0 in a request line', '2.0', 'Transfer-Encoding: chunked'),
    unserved('HTTP/0.9 in a request line', '0.9', 'Transfer-Encoding: chunked'),
    ['no HTTP', 400, 'SSH-2.0-scanner\r\n\r\n', 'The request is not valid HTTP'],
    [
      'too many headers',
      431,
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      'The headers are too large',
    ],
    [
      'a broken body',
      400,
      'POST /v1/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n',
      'The request is not valid HTTP',
    ],
  ])('with %s is %i, has a line in the log, and counts as refused', async (_, code, sent, message) => {
    const before = await count(code);
    const text = await exchange(sent);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${code} `));
    const body = JSON.parse(text.split('\r\n\r\n')[1] ?? '') as { requestId: string };
    const reason = code === 431 ? 'HEADERS_TOO_LARGE' : 'BAD_REQUEST';
    expect(body).toEqual({ code, message, reason, requestId: expect.any(String) as string });
    expect(text.toLowerCase()).toContain(`x-request-id: ${body.requestId}`);
    await until(() => linesOf(body.requestId).length > 0);
    expect(linesOf(body.requestId)).toEqual([expect.objectContaining({ level: 30, status: code, reason })]);
    expect(await count(code)).toBe(before + 1);
  });
});

describeService(['A'], 'the line in the log about a 503', (service) => {
  const warningAfter = async (error: Error): Promise<Record<string, unknown>> => {
    const client = await asAdmin(service);
    jest.spyOn(service.app.get(ReferenceService), 'roles').mockImplementationOnce(() => {
      throw error;
    });
    service.logLines.length = 0;
    await client.get('/roles').expect(503);
    const warnings = service.logLines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ level }) => level === 40);
    expect(warnings).toHaveLength(1);
    return warnings[0] as Record<string, unknown>;
  };

  it('GET /roles: has no stack where the service itself is too busy', async () => {
    const warning = await warningAfter(new TooBusy(5));
    expect(warning).toMatchObject({
      msg: 'request could not be served',
      because: 'Too much work of this kind is waiting already',
      requestId: expect.any(String) as string,
    });
    expect(JSON.stringify(warning)).not.toContain('stack');
  });

  it('GET /roles: has the stack where the database fails', async () => {
    const warning = await warningAfter(new Error('Connection terminated unexpectedly'));
    expect(warning).toMatchObject({ err: { stack: expect.any(String) as string } });
  });
});
