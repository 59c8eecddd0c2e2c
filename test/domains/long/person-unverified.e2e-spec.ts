import { type ErasureReport, PersonErasure } from '@app/records/privacy/person-erasure';
import {
  type Customer,
  type MadeUser,
  makeCustomer,
  nextNumber,
  PASSWORD,
} from '../../support/factories/factories';
import {
  type MadeInvitation,
  makeInvitation,
  registrationOf,
} from '../../support/factories/invitations-factories';
import { pathOf } from '../../support/factories/users-factories';
import { type CliResult, runCli } from '../../support/service/cli';
import { anonymous } from '../../support/service/client';
import { runJobs, TEST_CONTEXT } from '../../support/service/jobs';
import { useService } from '../../support/service/service';

/** rule privacy 4: an unverified name or a contact makes nobody's data those of its holder. */
const service = useService('A');

interface Stranger {
  readonly customer: Customer;
  readonly invitation: MadeInvitation;
  readonly email: string;
  readonly firstName: string;
}

/** Somebody whom another organisation has invited, with the news and the audit rows of that. */
async function inviteStranger(): Promise<Stranger> {
  const customer = await makeCustomer(service);
  const { organisationId, custadmin } = customer;
  const email = `victim${nextNumber()}@stranger.example`;
  const firstName = `Victoria${nextNumber()}`;
  await custadmin.client
    .post(`/organisations/${organisationId}/invitations`, { email, firstName, lastName: 'Stranger' })
    .expect(201);
  await runJobs(service);
  await service.sql`UPDATE invitations SET deleted_at = now() WHERE email = ${email}`;
  const names = { firstName, lastName: 'Stranger' };
  const invitation = await makeInvitation(service, {
    organisationId,
    inviterId: custadmin.id,
    email,
    ...names,
  });
  return { customer, invitation, email, firstName };
}

let home: Customer;
let stranger: Stranger;
beforeEach(async () => {
  home = await makeCustomer(service);
  stranger = await inviteStranger();
});

const exportOf = (user: MadeUser): Promise<CliResult> =>
  runCli(service.database, ['person', 'export', '--id', String(user.id)]);
const erase = (user: MadeUser): Promise<ErasureReport> =>
  service.app.get(PersonErasure).erase(TEST_CONTEXT, user.id, {
    isTrial: false,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });

const rename = (user: MadeUser, username: string) =>
  user.client.patch(pathOf(user), { username, firstName: 'Mallory', lastName: 'Home' }).expect(204);

/** What makes the address look like that of the user, without the mailbox. */
const CLAIMS: Readonly<Record<string, (user: MadeUser, email: string) => Promise<unknown>>> = {
  'the user name': (user, email) => rename(user, email),
  'a former user name': async (user, email) => {
    await rename(user, email);
    await rename(user, `next${nextNumber()}@k.example`);
    await rename(user, user.username);
  },
  'a contact': (user, email) =>
    user.client.post(`${pathOf(user)}/contacts`, { type: 'email', name: email }).expect(201),
};

const newsOf = ({ customer }: Stranger) =>
  service.sql(
    `SELECT n.entity_name, n.params, r.value, r.full_name FROM notifications n
     LEFT JOIN notification_recipients r ON r.notification_id = n.id
     WHERE n.organisation_id = $1 ORDER BY n.id, r.id`,
    [customer.organisationId],
  );
const auditOf = ({ customer }: Stranger) =>
  service.sql(`SELECT before, after FROM audit_log WHERE organisation_id = $1 ORDER BY id`, [
    customer.organisationId,
  ]);

describe.each(Object.keys(CLAIMS))('a stranger’s address as %s', (claim) => {
  beforeEach(async () => {
    await CLAIMS[claim]?.(home.plain, stranger.email);
    await runJobs(service);
  });

  it('exports nothing of the stranger', async () => {
    const { output, exitCode } = await exportOf(home.plain);
    expect(exitCode).toBe(0);
    // Its own record is the user's.
    expect(output).toContain(stranger.email);
    expect(output).not.toContain(stranger.firstName);
    const { parts } = JSON.parse(output) as {
      parts: Record<string, { records: { organisationId?: number }[] }>;
    };
    const { organisationId } = stranger.customer;
    for (const { records } of Object.values(parts))
      for (const record of records) expect(record.organisationId).not.toBe(organisationId);
  });

  it('erases nothing of the stranger, and names what stays', async () => {
    const { invitation, email } = stranger;
    const news = await newsOf(stranger);
    const audit = await auditOf(stranger);
    const report = await erase(home.plain);
    expect(await newsOf(stranger)).toEqual(news);
    expect(await auditOf(stranger)).toEqual(audit);
    expect(report.sharedWith).toContainEqual({
      word: email,
      table: 'invitations',
      id: invitation.id,
      organisationId: invitation.organisationId,
    });
    await anonymous(service)
      .post(`/registerInvitation/${invitation.token}`, registrationOf(invitation, PASSWORD))
      .expect(201);
  });
});

it('leaves the news of a stranger’s invitation when a user goes who had its address', async () => {
  await rename(home.plain, stranger.email);
  const news = await newsOf(stranger);
  await home.custadmin.client.delete(pathOf(home.plain)).expect(204);
  expect(await newsOf(stranger)).toEqual(news);
});

it('still takes what was sent to a name that was verified before, and to the former one', async () => {
  const { organisationId, custadmin } = stranger.customer;
  const { plain } = home;
  const invitation = await makeInvitation(service, {
    organisationId,
    inviterId: custadmin.id,
    email: plain.username,
  });
  await rename(plain, `next${nextNumber()}@k.example`);
  const { output } = await exportOf(plain);
  const { parts } = JSON.parse(output) as { parts: Record<string, { records: { id: number }[] }> };
  expect(parts['invitations']?.records).toEqual([
    expect.objectContaining({ id: invitation.id, kind: 'received', email: plain.username }),
  ]);
  await erase(plain);
  const [row] = await service.sql`SELECT email, deleted_at IS NOT NULL AS gone FROM invitations
    WHERE id = ${invitation.id}`;
  expect(row).toEqual({ email: '', gone: true });
});
