import request from 'supertest';
import { clientOf, type MadeUser, makeCustomer, nextNumber, PASSWORD } from '../support/factories/factories';
import { makeInvitation } from '../support/factories/invitations-factories';
import { newPublicKey } from '../support/factories/key-factories';
import { makeTeam, register } from '../support/factories/records';
import { pathOf } from '../support/factories/users-factories';
import { type ReceivedMail, useMailServer } from '../support/faults/smtp';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { anonymous, type ApiClient, asAdmin, failingFields, loggedIn } from '../support/service/client';
import { textOf } from '../support/service/html';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';

const mailServer = useMailServer();

const LETTERS = 'm\u00fcnchen.example';
const DECOMPOSED = 'mu\u0308nchen.example';
const ASCII = 'xn--mnchen-3ya.example';
const LINK = /https:\/\/panel\.example\/\w+\?token=([0-9a-f]{64})/;

describe.each(SHARED_VARIANTS)(
  'an address in letters beyond ASCII (rule requests 33) in Variant %s',
  (variant) => {
    const service = useService(variant, () => ({
      settings: {
        smtpUrl: mailServer.url,
        mailFrom: `no-reply@${ASCII}`,
        resetUrlTemplate: 'https://panel.example/reset?token={token}',
        invitationUrlTemplate: 'https://panel.example/invitation?token={token}',
        usernameUrlTemplate: 'https://panel.example/username?token={token}',
      },
    }));
    let admin: ApiClient;
    beforeAll(async () => {
      admin = await asAdmin(service);
    });
    let organisationId: number;
    let custadmin: MadeUser;
    let plain: MadeUser;
    let local: string;

    beforeEach(async () => {
      ({ organisationId, custadmin, plain } = await makeCustomer(service));
      local = `jan${variant.toLowerCase()}${nextNumber()}`;
      await mails();
    });

    async function mails(): Promise<ReceivedMail[]> {
      await runJobs(service);
      return mailServer.mails.splice(0);
    }
    const mailsTo = async (address: string): Promise<ReceivedMail[]> =>
      (await mails()).filter(({ to }) => to.includes(address));
    const tokenIn = (received: readonly ReceivedMail[]): string =>
      received.map(({ text }) => LINK.exec(text)?.[1]).find((token) => token !== undefined) ?? 'none';
    const setName = (username: string) =>
      service.sql`UPDATE users SET username = ${username} WHERE id = ${plain.id}`;

    it('POST …/invitations, /registerInvitation, /login and /resetting/send_email take it, and keep and answer it in ASCII', async () => {
      const stored = `${local}@${ASCII}`;
      const invitations = `/organisations/${organisationId}/invitations`;
      const body = { firstName: 'Jan', lastName: 'Smit', language: 'en' };
      const made = await custadmin.client
        .post(invitations, { ...body, email: `${local}@${LETTERS}` })
        .expect(201);
      expect(made.body).toMatchObject({ invitation: { email: stored } });
      // It is the same address.
      await custadmin.client.post(invitations, { ...body, email: `${local}@${DECOMPOSED}` }).expect(400);
      await custadmin.client.post(invitations, { ...body, email: stored }).expect(400);
      const { id } = (made.body as { invitation: { id: number } }).invitation;

      const received = await mailsTo(stored);
      expect(received).toHaveLength(1);
      const registered = await anonymous(service)
        .post(`/registerInvitation/${tokenIn(received)}`, {
          email: `${local.toUpperCase()}@${DECOMPOSED}`,
          organisationId,
          inviationId: id,
          password: 'Welcome-1234',
        })
        .expect(201);
      expect(JSON.stringify(registered.body)).not.toContain(LETTERS);
      const [welcome] = await mailsTo(stored);
      expect(welcome?.text).toContain(`the user name ${local}@${LETTERS} (${stored})`);

      for (const username of [stored, `${local}@${LETTERS}`, ` ${local}@M\u00dcNCHEN.Example `])
        await loggedIn(service, username, 'Welcome-1234');
      const { body: answer } = await admin
        .get(`/organisations/${organisationId}/users?filter=${local}`)
        .expect(200);
      expect(answer).toMatchObject({ users: [{ username: stored }] });
      const [contact] = await service.sql`
      SELECT c.name FROM contacts c JOIN users u ON u.id = c.user_id WHERE lower(u.username) = ${stored}`;
      expect(contact).toEqual({ name: stored });

      await anonymous(service)
        .post('/resetting/send_email', { username: `${local}@${LETTERS}` })
        .expect(({ status }) => expect(status).toBeLessThan(300));
      const [mail, ...others] = await mailsTo(stored);
      expect(others).toEqual([]);
      expect(mail).toMatchObject({ from: `no-reply@${ASCII}`, to: [stored] });
      expect(mail?.headers.get('to')).toBe(stored);
      expect(mail?.raw).toContain(`\r\nTo: ${stored}\r\n`);
    });

    it('POST and PUT …/contacts: one address in two forms is one contact', async () => {
      const contacts = `/organisations/${organisationId}/contacts`;
      const body = { type: 'email', preferences: 'System' };
      const made = await custadmin.client.post(contacts, { ...body, name: `info@${LETTERS}` }).expect(201);
      expect(made.body).toMatchObject({ contact: { name: `info@${ASCII}` } });
      const { id } = (made.body as { contact: { id: number } }).contact;
      for (const name of [`info@${DECOMPOSED}`, `INFO@${ASCII}`]) {
        const refused = await custadmin.client.post(contacts, { ...body, name }).expect(400);
        expect(failingFields(refused)).toEqual(['name']);
      }
      await custadmin.client
        .put(`${contacts}/${id}`, {
          type: 'email',
          name: 'info@\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444',
          preferences: '',
        })
        .expect(204);
      const { body: changed } = await custadmin.client.get(`${contacts}/${id}`).expect(200);
      expect(changed).toMatchObject({ contact: { name: 'info@xn--e1afmkfd.xn--p1ai' } });
      for (const filter of ['info@\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444', 'xn--e1afmkfd']) {
        const { body: found } = await custadmin.client
          .get(`${contacts}?filter=${encodeURIComponent(filter)}`)
          .expect(200);
        expect(found).toMatchObject({ contacts: [{ id }] });
      }
    });

    it.each([
      ['a local part beyond ASCII', `zo\u00eb@${LETTERS}`],
      ['what becomes an IP address', 'jan@\uff11\uff12\uff17.0.0.1'],
      ['what becomes nothing', 'jan@\u00ad'],
      ['a domain that UTS 46 refuses', 'jan@a\u200db.example'],
      ['a path', `jan@${LETTERS}/x`],
    ])('POST …/invitations and …/contacts: one with %s is 400', async (_what, address) => {
      const invitation = { email: address, firstName: 'Jan', lastName: 'Smit' };
      const refused = await custadmin.client
        .post(`/organisations/${organisationId}/invitations`, invitation)
        .expect(400);
      expect(failingFields(refused)).toEqual(['email']);
      await custadmin.client
        .post(`/organisations/${organisationId}/contacts`, { type: 'email', name: address })
        .expect(400);
    });

    it('POST …/contacts: an address of ASCII alone stays as it was sent', async () => {
      const name = 'Info@XN--MNCHEN-3YA.Example';
      const made = await custadmin.client
        .post(`/organisations/${organisationId}/contacts`, { type: 'email', name })
        .expect(201);
      expect(made.body).toMatchObject({ contact: { name } });
    });

    it('PATCH …/users takes it as a user name, and GET …/users and …/access find it', async () => {
      await custadmin.client
        .patch(pathOf(plain), { username: `${local}@${LETTERS}`, firstName: 'Jan', lastName: 'Smit' })
        .expect(204);
      const [row] = await service.sql`SELECT username FROM users WHERE id = ${plain.id}`;
      expect(row).toEqual({ username: `${local}@${ASCII}` });
      expect(await mailsTo(`${local}@${ASCII}`)).not.toEqual([]);
      // The name that is there, sent again in letters, is no other name.
      await custadmin.client
        .patch(pathOf(plain), { username: `${local}@${DECOMPOSED}`, firstName: 'Jan', lastName: 'Smit' })
        .expect(204);
      expect(await mails()).toEqual([]);
      for (const list of ['users', 'access']) {
        const { body } = await custadmin.client
          .get(`/organisations/${organisationId}/${list}?filter=${encodeURIComponent(`${local}@${LETTERS}`)}`)
          .expect(200);
        expect(JSON.stringify(body)).toContain(`${local}@${ASCII}`);
      }
    });

    it('GET …/authorizedkeys?user= finds its user by either form', async () => {
      await setName(`${local}@${ASCII}`);
      const systemId = 600_000 + nextNumber();
      await register(service, {
        kind: 'system',
        id: systemId,
        name: 'web',
        organisationId,
        domains: undefined,
      });
      const teamId = await makeTeam(service, organisationId, { userIds: [plain.id] });
      await service.sql`UPDATE teams SET auto_add_sshkey = true WHERE id = ${teamId}`;
      await service.sql`INSERT INTO team_entities (team_id, kind, object_id) VALUES (${teamId}, 'systems', ${systemId})`;
      await admin.post(`${pathOf(plain)}/sshkeys`, { content: newPublicKey('x@y') }).expect(201);
      for (const domain of [ASCII, LETTERS, DECOMPOSED]) {
        const user = encodeURIComponent(`${local}@${domain}`);
        const { text } = await custadmin.client
          .get(`/entities/systems/${systemId}/authorizedkeys?user=${user}`)
          .expect(200);
        expect(text).toContain(`user:${plain.id}`);
      }
    });

    it('the mail about a rename, /account/password/{token} and /account/username/{token} show it in its letters, ASCII beside it', async () => {
      const both = `${local}@${LETTERS} (${local}@${ASCII})`;
      await setName(`${local}@${ASCII}`);
      const client = await clientOf(service, plain.id);
      await client
        .patch(pathOf(plain), { username: `new${local}@${LETTERS}`, firstName: 'Jan', lastName: 'Smit' })
        .expect(204);
      const received = await mails();
      const [former] = received.filter(({ to }) => to.includes(`${local}@${ASCII}`));
      expect(former?.text.replaceAll(/\s+/g, ' ')).toContain(both);
      expect(textOf(former?.html)).toContain(both);

      // The page of the link that gives the former name back, asked for by the new one.
      await anonymous(service)
        .post('/resetting/send_email', { username: `new${local}@${LETTERS}` })
        .expect(204);
      const asked = (await mails()).filter(({ to }) => to.includes(`${local}@${ASCII}`));
      const page = await request(service.url)
        .get(`/account/password/${tokenIn(asked)}`)
        .expect(200);
      expect(textOf(page.text)).toContain(both);
      expect(page.text).toContain(`value="${local}@${ASCII}"`);
      // The page of the link that verifies the new one.
      const link = tokenIn(received.filter(({ to }) => to.includes(`new${local}@${ASCII}`)));
      const verifying = await request(service.url).get(`/account/username/${link}`).expect(200);
      expect(textOf(verifying.text)).toContain(`new${local}@${LETTERS} (new${local}@${ASCII})`);
    });

    it('news and /account/invitation/{token} show it in its own letters, GET …/notifications in ASCII', async () => {
      const contacts = `/organisations/${organisationId}/contacts`;
      await custadmin.client
        .post(contacts, { type: 'email', name: 'watch@example.com', preferences: 'System,Crm' })
        .expect(201);
      await mails();
      await custadmin.client
        .post(contacts, { type: 'email', name: `${local}@${LETTERS}`, preferences: 'System' })
        .expect(201);
      const [news] = await mailsTo('watch@example.com');
      expect(news?.text.replaceAll(/\s+/g, ' ')).toContain(`${local}@${LETTERS} (${local}@${ASCII})`);
      // Programs read the stored form.
      const { body } = await custadmin.client
        .get(`/organisations/${organisationId}/notifications?limit=0`)
        .expect(200);
      expect(JSON.stringify(body)).not.toContain(LETTERS);

      const invitation = await makeInvitation(service, {
        organisationId,
        inviterId: custadmin.id,
        email: `new${local}@${ASCII}`,
      });
      const page = `/account/invitation/${invitation.token}`;
      const form = await request(service.url).get(page).expect(200);
      expect(textOf(form.text)).toContain(`new${local}@${LETTERS}`);
      expect(form.text).toContain(`value="new${local}@${ASCII}"`);
      const done = await request(service.url)
        .post(page)
        .type('form')
        .send({ password: PASSWORD, repeated: PASSWORD })
        .expect(200);
      expect(textOf(done.text)).toContain(`new${local}@${LETTERS} (new${local}@${ASCII})`);
    });
  },
);

describe('GET /organisations?userEmail=', () => {
  const service = useService('A');

  it('finds an address in its own letters and in ASCII', async () => {
    const admin = await asAdmin(service);
    const { organisationId, plain } = await makeCustomer(service);
    await service.sql`UPDATE users SET username = ${`jan@${ASCII}`} WHERE id = ${plain.id}`;
    for (const userEmail of [`jan@${LETTERS}`, `jan@${DECOMPOSED}`, `jan@${ASCII}`]) {
      const { body } = await admin
        .get(`/organisations?userEmail=${encodeURIComponent(userEmail)}`)
        .expect(200);
      expect(body).toMatchObject({ organisations: [{ id: organisationId }] });
    }
  });
});
