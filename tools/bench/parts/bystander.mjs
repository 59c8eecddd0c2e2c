import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from './table.mjs';

/** Sends a request and reads its whole response; gives the status, 0 where none came. */
export const caller = (url) => async (method, path, hash, body) => {
  try {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: {
        ...(hash !== undefined && { Authorization: hash }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
};

/**
 * Lets a bystander ask, one call after the other, while an attack goes on: the milliseconds within which 95
 * of 100 calls ended, how many did not get what they should, and the statuses that the attacker got.
 */
export async function bystanderDuring(attack, ask, { milliseconds, pace, headStart = 0 }) {
  const statuses = {};
  const state = {
    isOver: false,
    note: (status) => (statuses[status] = (statuses[status] ?? 0) + 1),
  };
  const attacking = attack(state);
  await pause(headStart);
  const latencies = [];
  let failed = 0;
  for (const end = performance.now() + milliseconds; performance.now() < end; await pause(pace)) {
    const start = performance.now();
    if (![200, 204].includes(await ask())) failed++;
    latencies.push(performance.now() - start);
  }
  state.isOver = true;
  await attacking;
  const got = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  return { p95: quantile(latencies, 0.95), calls: latencies.length, failed, statuses, got: got.join(', ') };
}

/** Repeats a call in `count` connections until the attack is over. */
export const inParallel = (count, state, repeated) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      while (!state.isOver) await repeated(index);
    }),
  );

/** 1,000 keys with long comments, as an older build let a user have them. */
export async function fillKeys(client, userId) {
  const { publicKey } = generateKeyPairSync('ed25519');
  const bits = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const header = Buffer.from('0000000b7373682d6564323535313900000020', 'hex');
  await client.query('ALTER TABLE ssh_keys DISABLE TRIGGER USER');
  await client.query(
    `INSERT INTO ssh_keys (user_id, description, type, blob, bits, comment, fingerprint, key_digest)
     SELECT $1, 'Key ' || n, 'ssh-ed25519', $2::bytea || decode(lpad(to_hex(n), 8, '0'), 'hex'), 256,
       repeat('é', 8000), 'aa', sha256(n::text::bytea) FROM generate_series(1, 1000) n`,
    [userId, Buffer.concat([header, bits.subarray(0, 28)])],
  );
  await client.query('ALTER TABLE ssh_keys ENABLE TRIGGER USER');
}
