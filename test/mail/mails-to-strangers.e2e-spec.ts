import { type MadeUser, makeCustomer, makeUser } from '../support/factories/factories';
import { newPublicKey } from '../support/factories/key-factories';
import { makeContact } from '../support/factories/records';
import { useMailServer } from '../support/faults/smtp';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';
import { useOneHour } from '../support/service/time';

useOneHour();

/** Words that a thief would like to have mailed by the operator. */
const LURE = 'https://evil.example/59 you won www.evil.example';
const HARMLESS = 'https: //evil.example/59 you won www .evil.example';

const ROUNDS = 30;
/** rule notifications 35: notifications of one kind to one address in an hour. */
const MOST = 5;

const mailServer = useMailServer();

describe.each(SHARED_VARIANTS)(
  'a plain user who makes and deletes records over and over (rule notifications 35, rule notifications 36) in Variant %s',
  (variant) => {
    const service = useService(variant, () => ({
      settings: { smtpUrl: mailServer.url, publicUrl: 'https://api.example' },
    }));
    let organisationId: number;
    let custadmin: MadeUser;
    let thief: MadeUser;
    let stranger: string;
    let userPath: string;

    beforeEach(async () => {
      ({ organisationId, custadmin } = await makeCustomer(service, { name: LURE }));
      thief = await makeUser(service, {
        organisationId,
        username: `victim${organisationId}@elsewhere.example`,
        firstName: 'Pay https://evil.example',
        lastName: 'at www.evil.example',
      });
      stranger = `stranger${organisationId}@else.example`;
      userPath = `/organisations/${organisationId}/users/${thief.id}`;
      await makeContact(service, { organisationId, name: 'system@of.example', groups: ['System'] });
      mailServer.mails.length = 0;
    });

    /** Makes and deletes something of the account. */
    async function loop(path: string, bodyOf: () => object): Promise<void> {
      for (let round = 0; round < ROUNDS; round++) {
        const { body, status } = await thief.client.post(`${userPath}/${path}`, bodyOf());
        expect([200, 201]).toContain(status);
        const [made] = Object.values(body as Record<string, { id: number }>);
        await thief.client.delete(`${userPath}/${path}/${made?.id}`).expect(204);
      }
      await runJobs(service);
    }

    function expectHarmless(address: string): void {
      const mails = mailServer.mailsTo(address);
      expect(mails.length).toBeGreaterThan(0);
      for (const { headers, text, html } of mails) {
        expect(headers.get('subject')).not.toMatch(/evil|@/);
        for (const part of [text, html])
          expect(part.replaceAll('https://api.example', '')).not.toMatch(/:\/\/|www\./);
        expect(text).toContain(`“${HARMLESS}”`);
        expect(text).toContain('“Pay https: //evil.example at www .evil.example”');
        expect(html).toContain('“Pay https: //evil.example at www .evil.example”');
      }
    }

    type Loop = readonly [collection: string, bodyOf: () => object];
    const KEYS: readonly Loop[] = [
      ['apikeys', () => ({ name: LURE, whitelist: [] })],
      ['sshkeys', () => ({ content: newPublicKey(), description: LURE })],
    ];
    const LOOPS: readonly Loop[] = [
      ...(variant === 'A' ? KEYS : []),
      ['contacts', () => ({ type: 'email', name: stranger, preferences: 'System' })],
    ];

    it.each(LOOPS)(
      'POST and DELETE …/%s: 30 rounds mail its own address five times of a kind, with no link of its own',
      async (path, bodyOf) => {
        await loop(path, bodyOf);
        for (const address of [thief.username, 'system@of.example']) {
          const subjects = mailServer.mailsTo(address).map(({ headers }) => headers.get('subject'));
          for (const subject of new Set(subjects))
            expect(subjects.filter((one) => one === subject)).toHaveLength(MOST);
          expectHarmless(address);
        }
      },
    );

    it('POST and DELETE …/contacts: 60 rounds mail a stranger sixty times', async () => {
      const bodyOf = () => ({ type: 'email', name: stranger, preferences: 'System' });
      await loop('contacts', bodyOf);
      // Each address that goes is told so.
      expect(mailServer.mailsTo(stranger)).toHaveLength(MOST + ROUNDS);
      await loop('contacts', bodyOf);
      expect(mailServer.mailsTo(stranger)).toHaveLength(60);
      expectHarmless(stranger);
    });

    it('POST …/notifications: the subject of a manager is mailed as it was written (rule pages 40)', async () => {
      const name = `=?utf-8?B?${Buffer.from('https://evil.example').toString('base64')}?=`;
      await makeContact(service, { organisationId, name: custadmin.username, groups: ['App'] });
      await custadmin.client
        .post(`/organisations/${organisationId}/notifications`, {
          type: 'x',
          group: 'App',
          params: { subject: name },
        })
        .expect(201);
      await runJobs(service);
      const [mail] = mailServer.mailsTo(custadmin.username);
      expect(mail?.headers.get('subject')).toContain(name);
      expect(mail?.headers.get('subject')).not.toContain('evil.example');
    });

    it('POST …/servicekeys and …/invitations: 30 rounds with contacts hold back no mail of these', async () => {
      await loop('contacts', () => ({ type: 'email', name: stranger, preferences: 'System' }));
      const before = mailServer.mailsTo('system@of.example').length;
      await custadmin.client
        .post(`/organisations/${organisationId}/servicekeys`, { name: 'Thief', operations: ['users.list'] })
        .expect(201);
      const email = `invited${organisationId}@of.example`;
      await custadmin.client
        .post(`/organisations/${organisationId}/invitations`, { email, firstName: 'New', lastName: 'User' })
        .expect(201);
      await runJobs(service);
      expect(mailServer.mailsTo('system@of.example')).toHaveLength(before + 1);
      expect(mailServer.mailsTo(email)).toHaveLength(1);
    });
  },
);
