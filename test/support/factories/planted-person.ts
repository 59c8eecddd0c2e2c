import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Outbox } from '@app/mail/outbox';
import { queueJob } from '@app/platform/jobs/queue-job';
import { type RecoveryJob, WRITE_RECOVERY_MAIL } from '@app/sign-in/recovery/recovery-mail.handler';
import type { TestService } from '../service/service';
import { type MadeUser, makeCustomer, makeOrganisation, makeUser, PASSWORD } from './factories';
import { makeInvitation } from './invitations-factories';
import { makeApiKey, newPublicKey } from './key-factories';
import { storeLink } from './login-links-factories';
import { storePasskey } from './passkey-factories';
import { makeContact, makeTeam } from './records';
import { pathOf } from './users-factories';

/** Values that no other row of the database has. */
export const PLANTED = {
  firstName: 'Zorbina',
  lastName: 'Quixelmann',
  username: 'zorbina.quixelmann@planted.example',
  formerName: 'zq-former@planted.example',
  contact: 'zq-second@planted.example',
  formerContact: 'zq-third@planted.example',
  phone: '+31299887766',
  address: '198.51.100.77',
  network: '198.51.100.0/24',
  userAgent: 'ZorbBrowser/9.9',
  keyComment: 'zorb-laptop',
  sshDescription: 'zorb-ssh-key',
  apiKey: 'zorb-script',
  passkey: 'zorb-passkey',
  whitelist: '192.0.2.177',
  shortcut: 'zorb-shortcut',
  order: 'zorb-order',
} as const;

export const PLANTED_TEXTS: readonly string[] = Object.values(PLANTED);

/** Somebody whose values begin or end like the planted ones, in the same organisation. */
export const BYSTANDER = {
  username: 'xzorbina.quixelmann@planted.example',
  contact: 'zq-second@planted.example.org',
} as const;

export interface PlantedPerson {
  readonly person: MadeUser;
  readonly custadmin: MadeUser;
  readonly bystander: MadeUser;
  readonly organisationId: number;
  readonly elsewhere: number;
}

const post = `INSERT INTO notifications (organisation_id, customer_id, notification_group, type, entity_class, entity_id,
  entity_name, subject, params, about_user_id) VALUES ($1, 1, 'Crm', 'note', $2, $3, $4, $5, $6, $7) RETURNING id`;

/** A person with something in every place that the service keeps something about people in. */
export async function plantPerson(service: TestService): Promise<PlantedPerson> {
  const { custadmin, organisationId } = await makeCustomer(service);
  const elsewhere = await makeOrganisation(service);
  const { firstName, lastName, formerName } = PLANTED;
  const person = await makeUser(service, { organisationId, username: formerName, firstName, lastName });
  const bystander = await makeUser(service, { organisationId, username: BYSTANDER.username });
  await makeContact(service, { organisationId, userId: bystander.id, name: BYSTANDER.contact });
  await plantThroughInterface(service, person);
  await plantRows(service, person, custadmin, elsewhere);
  await plantMails(service);
  await service.sql(
    `INSERT INTO suspensions (organisation_id, itself, beneath, reason, by_user_id, by_organisation_id)
     VALUES ($1, true, false, $2, $3, $4)`,
    [elsewhere, 'Unpaid', person.id, organisationId],
  );
  return {
    person: { ...person, username: PLANTED.username },
    custadmin,
    bystander,
    organisationId,
    elsewhere,
  };
}

async function plantThroughInterface(service: TestService, person: MadeUser): Promise<void> {
  const own = pathOf(person);
  const from = (call: ReturnType<typeof person.client.post>) =>
    call.set('X-Forwarded-For', PLANTED.address).set('User-Agent', PLANTED.userAgent);
  const { username, firstName, lastName } = PLANTED;
  await from(person.client.post('/login', { username: person.username, password: PASSWORD })).expect(200);
  await from(person.client.patch(own, { username, firstName, lastName })).expect(204);
  // The link in its mail was followed.
  await service.sql`UPDATE users SET username_verified = true WHERE id = ${person.id}`;
  const contact = (type: string, name: string) =>
    from(person.client.post(`${own}/contacts`, { type, name, preferences: 'Crm,System' })).expect(201);
  await contact('email', PLANTED.contact);
  await contact('phone', PLANTED.phone);
  const former = (await contact('email', PLANTED.formerContact)).body as { contact: { id: number } };
  await from(person.client.delete(`${own}/contacts/${former.contact.id}`)).expect(204);
  const key = { content: newPublicKey(PLANTED.keyComment), description: PLANTED.sshDescription };
  await from(person.client.post(`${own}/sshkeys`, key)).expect(201);
  await person.client.post('/resetting/send_email', { username }).expect(204);
}

async function plantRows(
  service: TestService,
  person: MadeUser,
  custadmin: MadeUser,
  elsewhere: number,
): Promise<void> {
  const { id, organisationId } = person;
  const { username, firstName, lastName } = PLANTED;
  await makeApiKey(service, id, { name: PLANTED.apiKey, whitelist: [PLANTED.whitelist] });
  await makeTeam(service, organisationId, { userIds: [id] });
  const invited = { organisationId, inviterId: custadmin.id, firstName, lastName };
  await makeInvitation(service, { ...invited, email: username, state: 'accepted' });
  await makeInvitation(service, { ...invited, organisationId: elsewhere, email: PLANTED.formerName });
  await makeInvitation(service, { organisationId, inviterId: id, email: 'invited-by-person@example.com' });
  await service.sql`INSERT INTO former_contacts (user_id, name, since)
     VALUES (${id}, ${PLANTED.formerContact}, now() - interval '80 hours')`;
  await service.sql`INSERT INTO trusted_devices (user_id, digest, user_agent, address, expires_at)
     VALUES (${id}, sha256('device'), ${PLANTED.userAgent}, ${PLANTED.address}, now() + interval '1 day')`;
  await service.sql`INSERT INTO login_notices (user_id, login_id, network, address, country, os, browser, token_digest, expires_at)
     VALUES (${id}, 1, ${PLANTED.network}, ${PLANTED.address}, '', '', '', sha256('notice'), now() + interval '72 hours')`;
  await service.sql`INSERT INTO recovery_codes (user_id, position, encrypted_digest)
     VALUES (${id}, 1, 'encrypted-recovery-code')`;
  await storePasskey(service, id, PLANTED.passkey);
  await storeLink(service, id);
  await service.sql`INSERT INTO stored_responses (digest, user_id, organisation_id, encrypted)
    VALUES (decode(md5('kept'), 'hex'), ${id}, ${organisationId}, 'encrypted')`;
  await service.sql`INSERT INTO passkey_challenges (digest, user_id, expires_at)
     VALUES (sha256('challenge'), ${id}, now() + interval '5 minutes')`;
  await service.sql(`INSERT INTO user_preferences (user_id, shortcuts) VALUES ($1, $2)`, [
    id,
    JSON.stringify([{ name: PLANTED.shortcut }]),
  ]);
  await service.sql`UPDATE users SET website_order_information = ${PLANTED.order} WHERE id = ${id}`;
  const whole = `${firstName} ${lastName}`;
  const [about] = await service.sql<{ id: number }>(post, [
    organisationId,
    'User',
    id,
    PLANTED.formerName,
    `${whole} is back`,
    { firstName },
    id,
  ]);
  await service.sql(
    `INSERT INTO notification_recipients (notification_id, full_name, language, type, value, status, hash, message, user_id)
     VALUES ($1, $2, 'nl', 'email', $3, 'failed', gen_random_uuid(), $4, $5),
       ($1, 'Piet', 'nl', 'email', 'piet@example.com', 'failed', gen_random_uuid(), '551 user unknown', NULL)`,
    [about?.id, whole, PLANTED.contact, `550 <${PLANTED.contact}>`, id],
  );
}

/** One to the person, one to somebody else, and a wish for one. */
async function plantMails(service: TestService): Promise<void> {
  const outbox = service.app.get(Outbox);
  const { manager } = service.app.get<DataSource>(getDataSourceToken());
  await outbox.queue(manager, {
    template: 'usernameChanged',
    to: PLANTED.username,
    organisationId: 1,
    language: 'nl',
    values: { fullName: `${PLANTED.firstName} ${PLANTED.lastName}`, username: PLANTED.formerName },
  });
  await outbox.queue(manager, {
    template: 'notification',
    to: 'piet@example.com',
    organisationId: 1,
    language: 'nl',
    values: { organisation: 'Bakery', subject: 'News', text: 'Somebody has left.' },
  });
  const link = { template: 'https://panel.example/reset/{token}', ttl: 3600 };
  await queueJob(manager, {
    task: WRITE_RECOVERY_MAIL,
    payload: { username: PLANTED.username, network: PLANTED.network, link } satisfies RecoveryJob,
    priority: 'urgent',
  });
}
