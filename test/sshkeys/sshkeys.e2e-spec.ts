import type { Response } from 'supertest';
import { EXAMPLE_KEYS } from '@app/sign-in/sshkeys/public-key.examples';
import { type MadeUser, makeCustomer } from '../support/factories/factories';
import { newPublicKey } from '../support/factories/key-factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { atOnce } from '../support/service/at-once';
import { asAdmin, failingFields } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';

interface Key {
  id: number;
  description: string;
  content: string;
  fingerprint: string;
}

const keyOf = (response: Response): Key => (response.body as { sshkey: Key }).sshkey;

const KINDS = {
  'SSH keys of a user': (user: MadeUser) => `/organisations/${user.organisationId}/users/${user.id}/sshkeys`,
  'deploy keys': (user: MadeUser) => `/organisations/${user.organisationId}/sshkeys`,
} as const;

describeSharedService(SHARED_VARIANTS, 'POST and PUT …/sshkeys in Variant %s', (service) => {
  describe.each(Object.entries(KINDS))('%s', (_kind, pathOf) => {
    const create = async (user: MadeUser, body: object = { content: newPublicKey() }): Promise<Key> =>
      keyOf(await user.client.post(pathOf(user), body).expect(201));

    it('are stored without superfluous blanks, and leave the key that they replace to others', async () => {
      const { custadmin: user } = await makeCustomer(service);
      const content = newPublicKey();
      const { id, content: stored } = await create(user, { content: `\t${content}  \r\n` });
      expect(stored).toBe(content);
      const next = newPublicKey('jan@desk');
      const change = (to: string) =>
        user.client.put(`${pathOf(user)}/${id}`, { description: 'Desk', content: to }).expect(204);
      await change(next.replaceAll(' ', ' \t '));
      const after = keyOf(await user.client.get(`${pathOf(user)}/${id}`).expect(200));
      expect(after).toMatchObject({ id, description: 'Desk', content: next });
      const { id: second } = await create(user, { content });
      await change(next);
      await user.client.delete(`${pathOf(user)}/${second}`).expect(204);
      await create(user, { content });
    });

    it('show every kind of key as it was given, with the fingerprint that ssh-keygen prints', async () => {
      const { custadmin: user } = await makeCustomer(service);
      await service.sql('DELETE FROM ssh_keys');
      for (const { content, fingerprint } of EXAMPLE_KEYS) {
        expect(await create(user, { content })).toMatchObject({ content, fingerprint });
      }
    });

    it('are described by their comment, or by type and fingerprint', async () => {
      const { custadmin: user } = await makeCustomer(service);
      const described = async (content: string, description?: unknown): Promise<string> =>
        (await create(user, { content, description })).description;
      expect(await described(newPublicKey('jan@laptop thuis'))).toBe('jan@laptop thuis');
      expect(await described(newPublicKey('jan@laptop'), ' ')).toBe('jan@laptop');
      expect(await described(newPublicKey('jan@laptop'), null)).toBe('jan@laptop');
      expect(await described(newPublicKey('jan@laptop'), 42)).toBe('42');
      // Past the sixteen bits: PostgreSQL counts each of these as one character, JavaScript as two.
      expect(await described(newPublicKey('😀'.repeat(300)))).toBe('😀'.repeat(255));
      const { description, fingerprint } = await create(user);
      expect(description).toBe(`ssh-ed25519 ${fingerprint.slice(0, 11)}`);
    });

    it('refuse a private key without repeating it', async () => {
      const content = 'ssh-ed25519 b3BlbnNzaC1rZXktdjEAAAAABG5vbmU=';
      const { custadmin: user } = await makeCustomer(service);
      const { id } = await create(user);
      for (const response of [
        await user.client.post(pathOf(user), { description: 'd', content }),
        await user.client.put(`${pathOf(user)}/${id}`, { description: 'd', content }),
      ]) {
        expect(response.status).toBe(400);
        expect(failingFields(response)).toEqual(['content']);
        expect(response.text).not.toContain(content);
      }
    });

    it('are unique over the whole service, whatever their comment', async () => {
      const { custadmin: user } = await makeCustomer(service);
      const { custadmin: stranger } = await makeCustomer(service);
      const content = newPublicKey('mine');
      await create(user, { content });
      const again = content.replace('mine', 'no, mine');
      for (const path of Object.values(KINDS).map((of) => of(stranger))) {
        const response = await stranger.client.post(path, { content: again }).expect(400);
        expect(failingFields(response)).toEqual(['content']);
      }
      const { id } = await create(stranger);
      const refused = await stranger.client
        .put(`${pathOf(stranger)}/${id}`, { content: again, description: 'd' })
        .expect(400);
      expect(failingFields(refused)).toEqual(['content']);
    });

    it('are given to one of sixteen who bring the same key at once', async () => {
      const { custadmin: user } = await makeCustomer(service);
      const { custadmin: stranger } = await makeCustomer(service);
      const key = newPublicKey();
      const responses = await atOnce(16, (index) => {
        const who = index % 2 === 0 ? user : stranger;
        return who.client.post(pathOf(who), { content: `${key} ${index}` });
      });
      expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(15).fill(400)]);
      const refused = responses.filter(({ status }) => status === 400);
      expect(refused.flatMap(failingFields)).toEqual(Array<string>(15).fill('content'));
      const told = await service.sql(
        `SELECT 1 FROM notifications WHERE entity_class = 'SshKey' AND organisation_id = ANY ($1)`,
        [[user.organisationId, stranger.organisationId]],
      );
      expect(told).toHaveLength(1);
    });

    it('tell of their creation', async () => {
      const { custadmin: user } = await makeCustomer(service);
      const { id } = await create(user, { content: newPublicKey('desk') });
      const written =
        await service.sql`SELECT notification_group, type, entity_class, entity_id, entity_name, user_id
       FROM notifications WHERE organisation_id = ${user.organisationId}`;
      expect(written).toEqual([
        {
          notification_group: 'System',
          type: 'new',
          entity_class: 'SshKey',
          entity_id: id,
          entity_name: 'desk',
          user_id: user.id,
        },
      ]);
    });
  });

  describe('and their owners', () => {
    it('are never left behind by a creation beside the deletion of the owner', async () => {
      const admin = await asAdmin(service);
      for (let round = 0; round < 4; round++) {
        const { plain } = await makeCustomer(service);
        const { organisationId } = await makeCustomer(service);
        await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${organisationId}`;
        const creations = Array.from({ length: 8 }, () => [
          admin.post(KINDS['SSH keys of a user'](plain), { content: newPublicKey() }),
          admin.post(`/organisations/${organisationId}/sshkeys`, { content: newPublicKey() }),
        ]).flat();
        const deletions = [
          admin.delete(`/organisations/${plain.organisationId}/users/${plain.id}`),
          admin.delete(`/organisations/${organisationId}`),
        ];
        const responses = await Promise.all([...creations.slice(0, 8), ...deletions, ...creations.slice(8)]);
        expect(responses.filter(({ status }) => ![201, 204, 404].includes(status))).toEqual([]);
        const left = await service.sql`SELECT 1 FROM ssh_keys
           WHERE user_id = ${plain.id} OR organisation_id = ${organisationId}`;
        expect(left).toEqual([]);
      }
    });
  });
});
