// Sends one request and returns what the scenes judge of its response.
import { Agent, request } from 'node:http';

/** Timeout in milliseconds; counts as a request without a response. */
const PATIENCE = 60_000;

export const newAgent = () => new Agent({ keepAlive: true, maxSockets: 64 });

/**
 * Makes a request. Gives status, milliseconds, whether `Retry-After` stood there, and the body; or `cut` with
 * the word for a connection that ended without an answer, and whether that connection had answered before.
 */
export function call(target, method, path, { agent, hash, body } = {}) {
  const began = performance.now();
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve) => {
    const settle = (outcome) => resolve({ milliseconds: performance.now() - began, ...outcome });
    const sent = request(
      {
        host: '127.0.0.1',
        port: target.port,
        method,
        path: path.startsWith('/health') ? path : `/v1${path}`,
        agent,
        headers: {
          ...(hash && { authorization: hash }),
          ...(payload && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => (text += chunk));
        response.once('end', () =>
          settle({
            status: response.statusCode,
            mayRetry: response.headers['retry-after'] !== undefined,
            body: parsed(text),
          }),
        );
        response.once('error', (error) => settle({ cut: error.code ?? error.message, wasReused: false }));
      },
    );
    sent.setTimeout(PATIENCE, () =>
      sent.destroy(Object.assign(new Error('no answer'), { code: 'NO_ANSWER' })),
    );
    sent.once('error', (error) => settle({ cut: error.code ?? error.message, wasReused: sent.reusedSocket }));
    sent.end(payload);
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
