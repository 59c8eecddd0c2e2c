import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import request from 'supertest';
import { ExpandNotificationHandler } from '@app/people/notifications/notification-expansion';
import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import { makeDocument, makeLink, PDF, XML } from '../support/factories/documents-factories';
import { makeCustomer, makeOrganisation, makeUser, nextNumber } from '../support/factories/factories';
import { makeContact } from '../support/factories/records';
import { refuseFirst } from '../support/faults/refusals';
import { useMailServer } from '../support/faults/smtp';
import { placesOf } from '../support/generators/database-search';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { type ApiClient, asAdmin } from '../support/service/client';
import { runJob, runJobs } from '../support/service/jobs';
import { startTestService, useService } from '../support/service/service';
import { letExpire } from '../support/service/time';

/** The paths that mails of each variant link to. */
const LINKED: PerVariant<readonly string[]> = { A: ['pdf', 'xml'], B: ['pdf'] };

const LINK = /https:\/\/api\.example\/base\/v1(\/download(pdf|xml)\/(\d+)\/(\d+)\/([0-9a-f]{64}))(?=\s)/g;

interface FoundLink {
  readonly path: string;
  readonly kind: string;
  readonly documentId: number;
  readonly contactId: number;
  readonly hash: string;
}

const linksIn = (text: string): FoundLink[] =>
  [...text.matchAll(LINK)].map(([, path = '', kind = '', documentId, contactId, hash = '']) => ({
    path,
    kind,
    hash,
    documentId: Number(documentId),
    contactId: Number(contactId),
  }));

describe.each(VARIANTS)('POST …/documents/{documentId}/send of Variant %s: links', (variant) => {
  let organisationId: number;
  let documentId: number;
  let contactId: number;
  let address: string;

  const mailServer = useMailServer();
  const service = useService(variant, () => ({
    settings: {
      publicUrl: 'https://api.example/base',
      smtpUrl: mailServer.url,
      linksToDocumentPages: false,
    },
  }));
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  beforeEach(async () => {
    ({ organisationId } = await makeCustomer(service));
    documentId = await makeDocument(service, organisationId);
    address = `books${nextNumber()}@example.com`;
    contactId = await makeContact(service, { organisationId, name: address, groups: ['Finance'] });
  });

  const send = () => admin.post(`/organisations/${organisationId}/documents/${documentId}/send`);
  const linksTo = (to: string): FoundLink[] => mailServer.mailsTo(to).flatMap(({ text }) => linksIn(text));
  const open = (path: string) => request(service.url).get(`/v1${path}`);
  const path = (hash: string, { document = documentId, contact = contactId } = {}): string =>
    `/downloadpdf/${document}/${contact}/${hash}`;

  it('go to every contact of the group whose user may read documents, each its own, and open what they lead to', async () => {
    const user = await makeUser(service, { organisationId, roles: ['ROLE_FINANCE'] });
    const plain = await makeUser(service, { organisationId, roles: ['ROLE_SYSTEM', 'ROLE_APP'] });
    const manager = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
    const gone = await makeUser(service, { organisationId, enabled: false, roles: ['ROLE_FINANCE'] });
    const make = (name: string, options: { userId?: number; groups?: string[] } = {}) =>
      makeContact(service, { organisationId, name, groups: ['Finance'], ...options });
    // The lowest contact of an address has its mail: that of a user who may not read takes
    // nothing from one who may.
    await make(`user-${address}`, { userId: plain.id });
    await make(`user-${address}`, { userId: user.id });
    await make(`manager-${address}`, { userId: manager.id });
    await make(`plain-${address}`, { userId: plain.id });
    await make(`gone-${address}`, { userId: gone.id });
    await make(`crm-${address}`, { groups: ['Crm', 'System'] });
    const { organisationId: other } = await makeCustomer(service);
    await makeContact(service, { organisationId: other, name: `other-${address}`, groups: ['Finance'] });
    const { body } = await send().expect(200);
    expect(body).toMatchObject({ document: { id: documentId, dtSent: expect.stringMatching(/^\d{10}$/) } });
    await runJobs(service);

    const own = linksTo(address);
    const ofUser = linksTo(`user-${address}`);
    for (const links of [own, ofUser, linksTo(`manager-${address}`)])
      expect(links.map(({ kind }) => kind)).toEqual(LINKED[variant]);
    for (const name of ['gone', 'plain', 'crm', 'other'])
      expect(mailServer.mailsTo(`${name}-${address}`)).toEqual([]);
    expect(own[0]).toMatchObject({ documentId, contactId });
    expect(own[0]?.hash).not.toBe(ofUser[0]?.hash);
    const opened = await open(own[0]?.path ?? '').expect(200);
    expect(opened.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Invoice ${documentId}.pdf"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect((opened.body as Buffer).toString()).toBe(PDF.toString());
    if (variant === 'A') expect((await open(own[1]?.path ?? '').expect(200)).text).toBe(XML.toString());
    const [mail] = mailServer.mailsTo(address);
    expect(mail?.headers.get('subject')).toBe(`Nieuw document (Invoice ${documentId})`);
    expect(mail?.html).toContain(`<a href="https://api.example/base/v1${own[0]?.path}" `);
  });

  it('are sent though the database went away at the last try of their mail', async () => {
    mailServer.refuse(true);
    await send().expect(200);
    await runJobs(service);
    mailServer.refuse(false);
    await service.sql(`UPDATE ${JOB_TABLE} SET run_at = now(), max_attempts = attempts + 1`);
    await using refusals = await refuseFirst(service, 1, 'INSERT ON document_links');
    await runJobs(service);
    expect(await refusals.tries()).toBe(2);
    expect(linksTo(address).map(({ kind }) => kind)).toEqual(LINKED[variant]);
    expect(await service.sql`SELECT status FROM notification_recipients WHERE value = ${address}`).toEqual([
      { status: 'sent' },
    ]);
  });

  it('lead to what the document has', async () => {
    const hash = await makeLink(service, documentId, contactId);
    const gone = { pdf: 'pdf_file = NULL, pdf_size = NULL, pdf_sha256 = NULL' };
    await service.sql(`UPDATE documents SET ${gone.pdf} WHERE id = $1`, [documentId]);
    await open(path(hash)).expect(404);
    await open(`/downloadxml/${documentId}/${contactId}/${hash}`).expect(variant === 'A' ? 200 : 404);
    const response = await send();
    if (variant === 'A') {
      expect(response.status).toBe(200);
      await runJobs(service);
      expect(linksTo(address).map(({ kind }) => kind)).toEqual(['xml']);
    } else {
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ reason: 'NOTHING_TO_SEND' });
    }
  });

  // What follows is one code in all variants.
  if (!SHARED_VARIANTS.includes(variant)) return;

  it('are told of as a Finance notification, which holds none of them', async () => {
    await send().expect(200);
    await runJobs(service);
    const [row] =
      await service.sql`SELECT n.notification_group, n.type, n.entity_class, n.entity_id, n.status, r.value, r.status AS told
       FROM notifications n JOIN notification_recipients r ON r.notification_id = n.id
       WHERE n.organisation_id = ${organisationId} AND n.entity_class = 'Document'`;
    expect(row).toEqual({
      notification_group: 'Finance',
      type: 'sent',
      entity_class: 'Document',
      entity_id: documentId,
      status: 1,
      value: address,
      told: 'sent',
    });
    const [link] = linksTo(address);
    expect(link?.hash).toMatch(/./);
    expect(await placesOf(service, [link?.hash ?? ''])).toEqual([]);
    expect(service.logLines.join('')).not.toContain(link?.hash);
  });

  it('that were mailed before stay good, up to twenty of a contact', async () => {
    const hashes: string[] = [];
    for (let count = 0; count < 20; count++) hashes.push(await makeLink(service, documentId, contactId));
    const other = await makeContact(service, { organisationId });
    const ofOther = await makeLink(service, documentId, other);
    await open(path(hashes[0] ?? '')).expect(200);
    await send().expect(200);
    await runJobs(service);
    await open(path(hashes[0] ?? '')).expect(404);
    await open(path(hashes[1] ?? '')).expect(200);
    await open(path(ofOther, { contact: other })).expect(200);
    await open(linksTo(address)[0]?.path ?? '').expect(200);
  });

  it('open nothing else: not by another contact, document or spelling', async () => {
    const hash = await makeLink(service, documentId, contactId);
    const other = await makeContact(service, { organisationId });
    const document = await makeDocument(service, organisationId);
    await open(path(hash)).expect(200);
    await open(path(hash, { contact: other })).expect(404);
    await open(path(hash, { document })).expect(404);
    for (const spelling of [hash.toUpperCase(), hash.slice(1), `${hash}0`, '0'.repeat(64), '%00', 'x'])
      await open(path(spelling)).expect(404);
    await open(`/downloadpdf/0${documentId}/${contactId}/${hash}`).expect(404);
    await open(`/downloadpdf/${documentId}/99999999999/${hash}`).expect(404);
    const { body } = await open(path('0'.repeat(64))).expect(404);
    expect(body).toMatchObject({ reason: 'NOT_FOUND', message: 'Document not found' });
    await request(service.url)
      .post(`/v1${path(hash)}`)
      .expect(405);
  });

  it('of users count while the user is enabled and may read documents', async () => {
    const user = await makeUser(service, { organisationId, roles: ['ROLE_FINANCE'] });
    const contact = await makeContact(service, { organisationId, userId: user.id, groups: ['Finance'] });
    const hash = await makeLink(service, documentId, contact);
    const change = (columns: string) => service.sql(`UPDATE users SET ${columns} WHERE id = $1`, [user.id]);
    await open(path(hash, { contact })).expect(200);
    await change(`roles = '{ROLE_APP}'`);
    const { body } = await open(path(hash, { contact })).expect(404);
    expect(body).toMatchObject({ message: 'Document not found' });
    await change(`roles = '{ROLE_APP,ROLE_CUSTADMIN}'`);
    await open(path(hash, { contact })).expect(200);
    await change('enabled = false');
    await open(path(hash, { contact })).expect(404);
    await change('enabled = true');
    await open(path(hash, { contact })).expect(200);
  });

  it('count while no suspension holds the organisation', async () => {
    const user = await makeUser(service, { organisationId, roles: ['ROLE_FINANCE'] });
    const contact = await makeContact(service, { organisationId, userId: user.id, groups: ['Finance'] });
    const links = [
      path(await makeLink(service, documentId, contact), { contact }),
      path(await makeLink(service, documentId, contactId)),
    ];
    const above = await makeOrganisation(service);
    await service.sql`UPDATE organisations SET reseller_id = ${above} WHERE id = ${organisationId}`;
    const act = (id: number, fields: object) =>
      admin.post(`/organisations/${id}/actions`, { reason: '', ...fields }).expect(200);
    for (const [id, fields] of [
      [organisationId, {}],
      [above, { withSubOrganisations: true }],
    ] as const) {
      await act(id, { type: 'disable', ...fields });
      for (const link of links) await open(link).expect(404);
      await act(id, { type: 'enable', ...fields });
      for (const link of links) await open(link).expect(200);
    }
  });

  it('are mailed to no user who may not read documents any more', async () => {
    const user = await makeUser(service, { organisationId, roles: ['ROLE_FINANCE'] });
    const name = `late-${address}`;
    await makeContact(service, { organisationId, userId: user.id, name, groups: ['Finance'] });
    await send().expect(200);
    const [told] = await service.sql<{ id: number }>`SELECT id FROM notifications
       WHERE organisation_id = ${organisationId} AND entity_class = 'Document'`;
    await runJob(service, ExpandNotificationHandler, {
      notificationId: told?.id,
      everyContact: true,
      roles: ['ROLE_FINANCE'],
    });
    await service.sql`UPDATE users SET roles = '{}' WHERE id = ${user.id}`;
    await runJobs(service);
    expect(mailServer.mailsTo(name)).toEqual([]);
    expect(mailServer.mailsTo(address)).toHaveLength(1);
  });

  it('end after a year, and are cleared away', async () => {
    const hash = await makeLink(service, documentId, contactId);
    await send().expect(200);
    await runJobs(service);
    const [left] = await service.sql<{ days: number }>(
      `SELECT extract(day FROM max(expires_at) - now())::integer AS days FROM document_links WHERE document_id = $1`,
      [documentId],
    );
    expect(left?.days).toBeGreaterThanOrEqual(364);
    expect(left?.days).toBeLessThanOrEqual(366);
    await letExpire(service, 'document_links', { document_id: documentId });
    await open(path(hash)).expect(404);
    await service.sql(`SELECT graphile_worker.add_job('upkeep.clean')`);
    await runJobs(service);
    expect(await service.sql`SELECT 1 FROM document_links WHERE document_id = ${documentId}`).toEqual([]);
  });

  it('end with the document and with the contact, also where that becomes another address', async () => {
    const hash = await makeLink(service, documentId, contactId);
    await service.sql`UPDATE contacts SET groups = '{}' WHERE id = ${contactId}`;
    await open(path(hash)).expect(200);
    await service.sql`UPDATE contacts SET name = 'n@example.com', unique_key = 'n@example.com'
       WHERE id = ${contactId}`;
    await open(path(hash)).expect(404);
    const again = await makeLink(service, documentId, contactId);
    await open(path(again)).expect(200);
    await service.sql`DELETE FROM contacts WHERE id = ${contactId}`;
    await open(path(again)).expect(404);

    const other = await makeContact(service, { organisationId });
    const last = await makeLink(service, documentId, other);
    await admin.delete(`/organisations/${organisationId}/documents/${documentId}`).expect(204);
    await open(path(last, { contact: other })).expect(404);
  });

  it('are mailed to nobody once the document is gone', async () => {
    await send().expect(200);
    await admin.delete(`/organisations/${organisationId}/documents/${documentId}`).expect(204);
    await runJobs(service);
    expect(mailServer.mailsTo(address)).toEqual([]);
    const recipients = await service.sql`SELECT status FROM notification_recipients WHERE value = ${address}`;
    expect(recipients).toEqual([{ status: 'skipped' }]);
  });
});

describe('GET /downloadpdf: files that nobody reads', () => {
  it('take a bounded part of the memory, and end with their connection', async () => {
    await using service = await startTestService('A');
    const opened: IncomingMessage[] = [];
    try {
      const server = service.app.getHttpServer();
      const admin = await asAdmin(service);
      const { organisationId } = await makeCustomer(service);
      const contactId = await makeContact(service, { organisationId });
      const file = Buffer.concat([PDF, Buffer.alloc(10 * 2 ** 20 - PDF.length, 'x')]);
      await admin
        .put(`/organisations/${organisationId}/documents/77?name=Large`)
        .type('application/pdf')
        .send(file)
        .expect(204);
      const hash = await makeLink(service, 77, contactId);
      const before = process.memoryUsage().rss;
      // Each file holds three pieces of 256 kB, of 48 MB in all: then the one that has waited longest ends.
      for (let count = 0; count < 100; count++) {
        opened.push(
          await new Promise<IncomingMessage>((resolve, reject) =>
            get(`${service.url}/v1/downloadpdf/77/${contactId}/${hash}`, { agent: false }, resolve).on(
              'error',
              reject,
            ),
          ),
        );
      }
      expect(opened.map(({ statusCode }) => statusCode)).toEqual(Array(100).fill(200));
      // Held whole, they would take a gigabyte. What the collector has not freed yet counts too.
      expect(process.memoryUsage().rss - before).toBeLessThan(300 * 2 ** 20);
      for (const response of opened.splice(0)) response.destroy();
      server.timeout = 50;
      // A client that does not read does not see the end either: only the service knows.
      const cut = new Promise((resolve) =>
        server.once('connection', (socket: Socket) => socket.once('close', resolve)),
      );
      const late = await new Promise<IncomingMessage>((resolve, reject) =>
        get(
          `${service.url}/v1/organisations/${organisationId}/documents/77/pdf`,
          { agent: false, headers: { Authorization: admin.hash } },
          resolve,
        ).on('error', reject),
      );
      const ended = new Promise((resolve) => late.once('error', resolve).once('end', resolve));
      expect(late.statusCode).toBe(200);
      await cut;
      let received = 0;
      late.on('data', (part: Buffer) => (received += part.length));
      await ended;
      expect(received).toBeLessThan(file.length);
    } finally {
      for (const response of opened) response.destroy();
    }
  });
});
