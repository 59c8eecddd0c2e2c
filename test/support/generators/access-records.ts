import { digestOf, newSecret } from '@app/security/secrets/digest';
import { insertRow } from '../factories/insert-row';
import { makeApiKey, newPublicKey } from '../factories/key-factories';
import { storePasskey } from '../factories/passkey-factories';
import { makeContact } from '../factories/records';
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

export function makeSshKey(
  service: TestService,
  owner: { userId?: number; organisationId?: number },
): Promise<number> {
  const content = newPublicKey();
  const blob = Buffer.from(content.split(' ')[1] ?? '', 'base64');
  return insertRow(service, 'ssh_keys', {
    user_id: owner.userId,
    organisation_id: owner.organisationId,
    description: 'key',
    type: 'ssh-ed25519',
    blob,
    bits: 256,
    comment: '',
    fingerprint: 'aa',
    key_digest: digestOf(content),
  });
}
