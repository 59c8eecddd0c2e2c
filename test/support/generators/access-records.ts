import { digestOf, newSecret } from '@app/security/secrets/digest';
import { makeContact } from '../factories/records';
import { makeApiKey, newPublicKey } from '../factories/key-factories';
import { storePasskey } from '../factories/passkey-factories';
import type { TestService } from '../service/service';

/** Everything that a path can name below a user. */
export async function recordsOfUser(service: TestService, organisationId: number, userId: number) {
  const [device] = await service.sql<{ id: number }>(
    `INSERT INTO trusted_devices (user_id, digest, user_agent, address, expires_at)
     VALUES ($1, $2, 'Test/1.0', '127.0.0.1', now() + interval '1 day') RETURNING id`,
    [userId, digestOf(newSecret())],
  );
  const [login] = await service.sql<{ id: number }>(
    `INSERT INTO logins (user_id, digest, address, expires_at)
     VALUES ($1, $2, '127.0.0.1', now() + interval '1 day') RETURNING id`,
    [userId, digestOf(newSecret())],
  );
  return {
    contactId: await makeContact(service, { organisationId, userId }),
    sshkeyId: await makeSshKey(service, { userId }),
    token2faId: device?.id as number,
    loginId: login?.id as number,
    passkeyId: await storePasskey(service, userId),
    apiKeyId: (await makeApiKey(service, userId)).id,
  };
}

export async function makeSshKey(
  service: TestService,
  owner: { userId?: number; organisationId?: number },
): Promise<number> {
  const content = newPublicKey();
  const [row] = await service.sql<{ id: number }>(
    `INSERT INTO ssh_keys (user_id, organisation_id, description, type, blob, bits, comment, fingerprint, key_digest)
     VALUES ($1, $2, 'key', 'ssh-ed25519', decode($3, 'base64'), 256, '', 'aa', $4) RETURNING id`,
    [owner.userId ?? null, owner.organisationId ?? null, content.split(' ')[1], digestOf(content)],
  );
  return row?.id as number;
}
