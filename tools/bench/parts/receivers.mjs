import { createServer } from 'node:http';

/**
 * Receivers of webhooks in this process: one for each path below the URL. What `hangs` names gets no answer.
 */
export async function startReceivers(stage, hangs = () => false) {
  /** Each path's messages: the time of arrival. */
  const arrivals = new Map();
  const server = createServer((request, response) => {
    const times = arrivals.get(request.url) ?? [];
    arrivals.set(request.url, [...times, performance.now()]);
    request.resume();
    if (!hangs(request.url)) request.once('end', () => response.writeHead(204).end());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  stage.atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, arrivals };
}

/** Makes webhooks by SQL, sealed with the key that the service under test has. */
export function webhookMaker({ built }, secretsKey) {
  const { SecretsKeyring } = built('libs/security/secrets/encryption.js');
  const { newWebhookSecret, webhookSecretContext } = built('libs/feeds/webhooks/webhook-signature.js');
  const keyring = SecretsKeyring.parse(secretsKey);
  return async (client, organisationId, url) => {
    const { rows } = await client.query(
      `SELECT nextval(pg_get_serial_sequence('webhooks', 'id'))::integer AS id`,
    );
    const [{ id }] = rows;
    await client.query(
      `INSERT INTO webhooks (id, organisation_id, url, events, sealed_secret, made_after)
       VALUES ($1, $2, $3, '{*}', $4, (SELECT coalesce(max(id), 0) FROM audit_log))`,
      [id, organisationId, url, keyring.encrypt(newWebhookSecret(), webhookSecretContext(id))],
    );
  };
}
