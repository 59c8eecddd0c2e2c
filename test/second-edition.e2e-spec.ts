import { anonymous, asAdmin, type ApiClient, loggedIn } from './support/client';
import { makeCustomer, makeOrganisation, makeUser, PASSWORD } from './support/factories';
import { queuedMails } from './support/invitations-factories';
import { Interface } from './support/interface';
import { makeApiKey } from './support/key-factories';
import { failingFields } from './support/responses';
import { startTestService, type TestService } from './support/service';
import { VARIANTS, type PerVariant } from './support/variants';

const HAS_NEXT_INVOICE_RUN: PerVariant<boolean> = { A: true, B: false };
const TAKES_LOGIN_NAMES: PerVariant<boolean> = { A: false, B: true };

/** Decisions.md section 11, as far as it changes or sharpens what stands above it. */
describe.each(VARIANTS)('the second edition in Variant %s', (variant) => {
  let service: TestService;
  let admin: ApiClient;
  beforeAll(async () => {
    service = await startTestService(variant);
    admin = await asAdmin(service);
  });
  afterAll(() => service.stop());

  const named = { name: 'Named', taxNumber: 'T' };
  const read = async (client: ApiClient, id: number) =>
    ((await client.get(`/organisations/${id}`).expect(200)).body as { organisation: Record<string, unknown> })
      .organisation;

  it('takes the number 0 of a house and a zip for none, and keeps the text', async () => {
    const { body } = await admin.post('/organisations', { ...named, houseNumber: 0, zip: 0 }).expect(201);
    const { id, houseNumber, zip } = (
      body as { organisation: { id: number; houseNumber: string; zip: string } }
    ).organisation;
    expect({ houseNumber, zip }).toEqual({ houseNumber: '', zip: '' });
    await admin.put(`/organisations/${id}`, { ...named, houseNumber: '0', zip: 1234 }).expect(204);
    await admin.put(`/organisations/${id}`, { ...named, houseNumber: 0, zip: 0 }).expect(204);
    expect(await read(admin, id)).toMatchObject({ houseNumber: '0', zip: '1234' });
  });

  it('leaves the reseller where who is no admin sends null, and takes it off for an admin', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const customer = await makeOrganisation(service, { resellerId: organisationId });
    const put = (client: ApiClient) =>
      client.put(`/organisations/${customer}`, { ...named, resellerOrganisation: null }).expect(204);
    await put(custadmin.client);
    expect(await read(custadmin.client, customer)).toMatchObject({
      resellerOrganisation: { id: organisationId },
    });
    await put(admin);
    expect(await read(admin, customer)).toMatchObject({ resellerOrganisation: null });
  });

  it('cuts white space around user names, at login and when they change', async () => {
    const { organisationId } = await makeCustomer(service);
    const user = await makeUser(service, { organisationId });
    const spaced = await anonymous(service)
      .post('/login', { username: ` ${user.username}\t`, password: PASSWORD })
      .expect(200);
    expect(spaced.body).toMatchObject({ user: { id: user.id } });
    await admin
      .patch(`/organisations/${organisationId}/users/${user.id}`, {
        ...{ username: ` new-${user.username} `, firstName: 'Jan', lastName: 'de Vries' },
      })
      .expect(204);
    await loggedIn(service, `new-${user.username}`, PASSWORD);
  });

  it('cuts white space around the address of a contact', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    const { body } = await plain.client
      .post(`/organisations/${organisationId}/users/${plain.id}/contacts`, {
        ...{ type: 'email', name: '  spaced@example.nl ' },
      })
      .expect(201);
    expect(body).toMatchObject({ contact: { name: 'spaced@example.nl' } });
  });

  it('opens an expired invitation again on PUT, with a new mail and the whole time', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const invitation = { email: `late${organisationId}@example.nl`, firstName: 'Late', lastName: 'Comer' };
    const path = `/organisations/${organisationId}/invitations`;
    const created = await custadmin.client.post(path, invitation).expect(201);
    const { id } = (created.body as { invitation: { id: number } }).invitation;
    await service.sql(`UPDATE invitations SET expires_at = now() - interval '1 day' WHERE id = $1`, [id]);
    const before = (await queuedMails(service, invitation.email)).length;
    await custadmin.client.put(`${path}/${id}`, invitation).expect(204);
    const { body } = await custadmin.client.get(`${path}/${id}`).expect(200);
    expect(body).toMatchObject({ invitation: { status: 'ok' } });
    const mails = await queuedMails(service, invitation.email);
    expect(mails.length).toBeGreaterThanOrEqual(Math.max(1, before));
    const [row] = await service.sql<{ fresh: boolean }>(
      `SELECT expires_at > now() + interval '29 days' AS fresh FROM invitations WHERE id = $1`,
      [id],
    );
    expect(row).toEqual({ fresh: true });
  });

  it('lets no API key give a role that manages others, nor change a user name', async () => {
    const { custadmin, plain, organisationId } = await makeCustomer(service);
    const { client: key } = await makeApiKey(service, custadmin.id);
    const invite = (autoRoles: string) =>
      key.post(`/organisations/${organisationId}/invitations`, {
        ...{ email: `k${Date.now()}${autoRoles}@example.nl`, firstName: 'K', lastName: 'K', autoRoles },
      });
    await invite('ROLE_CUSTADMIN').expect(403);
    await invite('ROLE_FINANCE').expect(201);
    const patch = (change: object) =>
      key.patch(`/organisations/${organisationId}/users/${plain.id}`, {
        ...{ username: plain.username, firstName: 'Jan', lastName: 'de Vries', ...change },
      });
    await patch({ defaultRoles: 'ROLE_CUSTADMIN' }).expect(403);
    await patch({ username: `renamed-${plain.username}` }).expect(403);
    await patch({ firstName: 'Piet' }).expect(204);
  });

  it('clears the next invoice run with null, on PUT and on PATCH, where the variant has the field', async () => {
    for (const method of ['put', 'patch'] as const) {
      const { body } = await admin.post('/organisations', named).expect(201);
      const { id } = (body as { organisation: { id: number } }).organisation;
      const change = (nextInvoiceRun: string | null) =>
        admin.call(method, `/organisations/${id}`, { ...named, nextInvoiceRun }).expect(204);
      const stored = async () =>
        (await service.sql('SELECT next_invoice_run AS run FROM organisations WHERE id = $1', [id]))[0];
      await change('1767225600');
      const has = HAS_NEXT_INVOICE_RUN[variant];
      expect(await stored()).toEqual({ run: has ? new Date('2026-01-01T00:00:00Z') : null });
      await service.sql(`UPDATE organisations SET next_invoice_run = '2026-01-01T00:00:00Z' WHERE id = $1`, [
        id,
      ]);
      await change(null);
      expect(await stored()).toEqual({ run: has ? null : new Date('2026-01-01T00:00:00Z') });
      if (has) expect(await read(admin, id)).toMatchObject({ nextInvoiceRun: '' });
    }
  });

  it('lets a user keep a name that is no address, and take another where the variant has such names', async () => {
    const { organisationId } = await makeCustomer(service);
    const username = `login-${variant}-${organisationId}`;
    const user = await makeUser(service, { organisationId, username });
    const patch = (name: string) =>
      admin.patch(`/organisations/${organisationId}/users/${user.id}`, {
        ...{ username: name, firstName: 'Piet', lastName: 'Puk' },
      });
    await patch(username).expect(204);
    const { body } = await admin.get(`/organisations/${organisationId}/users/${user.id}`).expect(200);
    expect(body).toMatchObject({ user: { username, email: '', firstName: 'Piet' } });
    for (const other of [`${username}-2`, username.toUpperCase()]) {
      const answer = await patch(other);
      expect(answer.status).toBe(TAKES_LOGIN_NAMES[variant] ? 204 : 400);
      if (answer.status === 400) expect(failingFields(answer)).toEqual(['username']);
    }
    await patch(`now-an-address-${organisationId}@example.nl`).expect(204);
  });

  it('promises no default in bodies that change what is sent', async () => {
    const { routes } = await Interface.of(service);
    const promised = routes
      .filter(({ method }) => method === 'PUT' || method === 'PATCH')
      .flatMap(({ method, path, fields }) =>
        Object.entries(fields)
          .filter(([, field]) => 'default' in field)
          .map(([name]) => `${method} ${path} ${name}`),
      );
    expect(promised).toEqual([]);
  });
});
