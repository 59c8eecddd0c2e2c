import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import request, { type Response, type Test } from 'supertest';
import { makeDocument, makeLink, PDF, XML } from '../../support/factories/documents-factories';
import {
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
} from '../../support/factories/factories';
import { makeContact } from '../../support/factories/records';
import { SHARED_VARIANTS } from '../../support/generators/sampled';
import { auditRows } from '../../support/service/audit';
import { type ApiClient, asAdmin } from '../../support/service/client';
import { useService } from '../../support/service/service';

const MAX_FILE = 10 * 2 ** 20;

/** A PDF of so many bytes, which no other is like. */
const pdfOf = (size: number): Buffer => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(size - 9)]);

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The bytes of a response as they came. */
const bytesOf = async (test: Test): Promise<Buffer> =>
  ((await test.buffer(true).parse(bytes).expect(200)) as Response & { body: Buffer }).body;

function bytes(response: Response, done: (error: Error | null, body: Buffer) => void): void {
  const parts: Buffer[] = [];
  const stream = response as unknown as NodeJS.ReadableStream;
  stream.on('data', (part: Buffer) => parts.push(part));
  stream.on('end', () => done(null, Buffer.concat(parts)));
}

describe.each(SHARED_VARIANTS)('…/documents of Variant %s', (variant) => {
  const service = useService(variant, { settings: { publicUrl: 'https://api.example' } });
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let organisationId: number;
  let finance: MadeUser;
  let base: string;

  beforeAll(async () => {
    // Another customer has one too.
    await makeDocument(service, await makeOrganisation(service));
  });
  beforeEach(async () => {
    ({ organisationId } = await makeCustomer(service));
    finance = await makeUser(service, { organisationId, roles: ['ROLE_FINANCE'] });
    base = `/organisations/${organisationId}/documents`;
  });

  const put = (id: number, file: Buffer, name?: string, type = 'application/pdf'): Test =>
    admin
      .put(`${base}/${id}${name === undefined ? '' : `?name=${encodeURIComponent(name)}`}`)
      .type(type)
      .send(file);
  const newId = (): number => 5_000_000 + nextNumber();
  const stored = async (id: number) => {
    const [row] = await service.sql<{ documents: number; pieces: number }>(
      `SELECT (SELECT count(*)::integer FROM documents WHERE id = $1) AS documents,
        (SELECT count(*)::integer FROM document_pieces WHERE document_id = $1) AS pieces`,
      [id],
    );
    return row;
  };

  describe('PUT …/documents: documents that are handed over', () => {
    it('come back as they were, to be saved and to be kept nowhere on the way', async () => {
      const id = newId();
      const file = pdfOf(1_000_000);
      await put(id, file, 'Facture n° 7 – ‘août’').expect(204);
      expect(await stored(id)).toEqual({ documents: 1, pieces: 4 });
      const asked = finance.client.get(`${base}/${id}/pdf`);
      const response = (await asked.buffer(true).parse(bytes).expect(200)) as Response & { body: Buffer };
      expect(response.body.equals(file)).toBe(true);
      expect(response.headers).toMatchObject({
        'content-type': 'application/pdf',
        'content-length': '1000000',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'content-disposition':
          `attachment; filename="Facture n_ 7 _ _aout_.pdf"; ` +
          `filename*=UTF-8''Facture%20n%C2%B0%207%20%E2%80%93%20%E2%80%98ao%C3%BBt%E2%80%99.pdf`,
      });
      const head = await finance.client.call('head', `${base}/${id}/pdf`).expect(200);
      expect(head.headers['content-length']).toBe('1000000');
      const { body } = await finance.client.get(`${base}/${id}`).expect(200);
      expect(body).toMatchObject({ document: { pdf: { size: 1_000_000, sha256: sha256(file) }, xml: null } });
    });

    it('of the largest size are taken, and those of one byte more are not', async () => {
      const id = newId();
      const largest = pdfOf(MAX_FILE);
      await put(id, largest, 'Large').expect(204);
      expect((await bytesOf(finance.client.get(`${base}/${id}/pdf`))).equals(largest)).toBe(true);
      const refused = await put(newId(), pdfOf(MAX_FILE + 1), 'Larger').expect(413);
      expect(refused.body).toMatchObject({
        reason: 'BODY_TOO_LARGE',
        message: 'The body is larger than 10 MB',
      });
    });

    it('without a length are measured as they come', async () => {
      const id = newId();
      const status = await new Promise<number>((resolve, reject) => {
        const sent = httpRequest(`${service.url}/v1${base}/${id}?name=Endless`, {
          method: 'PUT',
          headers: { Authorization: admin.hash, 'Content-Type': 'application/pdf' },
        });
        const whole = new Promise<void>((taken) => sent.once('finish', taken));
        sent.on('response', (response) => {
          response.resume();
          void whole.then(() => resolve(response.statusCode ?? 0));
        });
        sent.on('error', reject);
        const piece = pdfOf(2 ** 20);
        // More than the system holds of what nobody reads.
        for (let count = 0; count < 40; count++) sent.write(piece);
        sent.end();
      });
      expect(status).toBe(413);
      expect(await stored(id)).toEqual({ documents: 0, pieces: 0 });
    });

    it('replace the file of their type alone; nothing of the old one stays', async () => {
      const id = newId();
      await put(id, pdfOf(600_000), 'First').expect(204);
      await put(id, XML, undefined, 'application/xml; charset=utf-8').expect(204);
      const second = pdfOf(300_000);
      await put(id, second, 'Second').expect(204);
      expect(await stored(id)).toEqual({ documents: 1, pieces: 3 });
      expect((await bytesOf(finance.client.get(`${base}/${id}/pdf`))).equals(second)).toBe(true);
      expect((await bytesOf(finance.client.get(`${base}/${id}/xml`))).equals(XML)).toBe(true);
      const { body } = await finance.client.get(`${base}/${id}`).expect(200);
      expect(body).toMatchObject({ document: { name: 'Second', xml: { size: XML.length } } });
    });

    it.each([
      ['another type', 415, 'CONTENT_TYPE_NOT_TAKEN', PDF, { 'Content-Type': 'application/octet-stream' }],
      ['JSON', 415, 'CONTENT_TYPE_NOT_TAKEN', Buffer.from('{}'), { 'Content-Type': 'application/json' }],
      [
        'an encoded body',
        415,
        'CONTENT_TYPE_NOT_TAKEN',
        PDF,
        { 'Content-Type': 'application/pdf', 'Content-Encoding': 'gzip' },
      ],
      ['XML as PDF', 400, 'CONTENT_MISMATCH', XML, { 'Content-Type': 'application/pdf' }],
      ['PDF as XML', 400, 'CONTENT_MISMATCH', PDF, { 'Content-Type': 'application/xml' }],
      [
        'a page as XML',
        400,
        'CONTENT_MISMATCH',
        Buffer.from('<html><script>'),
        { 'Content-Type': 'application/xml' },
      ],
      ['nothing', 400, 'CONTENT_MISMATCH', Buffer.alloc(0), { 'Content-Type': 'application/pdf' }],
    ])('are refused as %s: %i %s', async (_what, status, reason, body, headers) => {
      const id = newId();
      const test = admin.put(`${base}/${id}?name=Name`).set(headers);
      const response = await (body.length > 0 ? test.send(body) : test).expect(status);
      expect(response.body).toMatchObject({ reason });
      expect(await stored(id)).toEqual({ documents: 0, pieces: 0 });
    });

    it.each([
      ['utf-8 with its mark', Buffer.from('\ufeff<?xml version="1.0"?><a/>')],
      ['utf-16 of low bytes first', Buffer.from('\ufeff<?xml version="1.0"?><a/>', 'utf16le')],
      ['utf-8 without a declaration', Buffer.from('<Invoice/>')],
      ['utf-16 of high bytes first', Buffer.from('\ufeff<?xml version="1.0"?><a/>', 'utf16le').swap16()],
    ])('may be XML in %s', async (_name, file) => {
      await put(newId(), file, 'Name', 'application/xml').expect(204);
    });

    it('may be XML under its other media type', async () => {
      const id = newId();
      await put(id, XML, 'Name', 'text/xml; charset=utf-8').expect(204);
      const response = await finance.client.get(`${base}/${id}/xml`).expect(200);
      expect(response.headers['content-type']).toBe('application/xml');
    });

    it.each([
      ['no name at all', undefined, 'REQUIRED'],
      ['a path', 'a/b', 'FORBIDDEN_CHARACTER'],
      ['another path', 'a\\b', 'FORBIDDEN_CHARACTER'],
      ['a hidden file', '.profile', 'FORBIDDEN_CHARACTER'],
      ['another writing direction', 'invoice\u202efdp', 'FORBIDDEN_CHARACTER'],
      ['a header', 'a\r\nX-Evil: 1', 'FORBIDDEN_CHARACTER'],
      ['NUL', 'a\0', 'NOT_STORABLE'],
      ['a device on Windows', 'CON', 'INVALID'],
      ['blanks', '  ', 'FORBIDDEN_CHARACTER'],
      ['201 characters', 'x'.repeat(201), 'TOO_LONG'],
    ])('are refused with %s for a name', async (_what, name, reason) => {
      const id = newId();
      const { body } = await put(id, PDF, name).expect(400);
      expect(body).toMatchObject({ reasons: { name: [reason] } });
      expect(await stored(id)).toEqual({ documents: 0, pieces: 0 });
    });

    it('have an identifier that nobody else has, and that is free again once they are deleted', async () => {
      const id = newId();
      await put(id, PDF, 'Mine').expect(204);
      const elsewhere = `/organisations/${await makeOrganisation(service)}/documents/${id}?name=Theirs`;
      const { body } = await admin.put(elsewhere).type('application/pdf').send(PDF).expect(400);
      expect(body).toMatchObject({ reasons: { documentId: ['ALREADY_TAKEN'] } });
      await admin.delete(`${base}/${id}`).expect(204);
      expect(await stored(id)).toEqual({ documents: 0, pieces: 0 });
      await admin.put(elsewhere).type('application/pdf').send(PDF).expect(204);
      for (const wrong of ['0', 'x', '2147483648']) {
        await admin.put(`${base}/${wrong}?name=Name`).type('application/pdf').send(PDF).expect(404);
        // Before name and type are looked at.
        await admin.put(`${base}/${wrong}?name=%00`).type('text/plain').send('x').expect(404);
      }
    });

    it('sixteen at once for one identifier are one document with one whole file', async () => {
      const id = newId();
      const files = Array.from({ length: 16 }, () => pdfOf(300_000));
      const responses = await Promise.all(files.map((file) => put(id, file, 'Raced')));
      expect(responses.map(({ status }) => status)).toEqual(Array(16).fill(204));
      expect(await stored(id)).toEqual({ documents: 1, pieces: 2 });
      const left = await bytesOf(finance.client.get(`${base}/${id}/pdf`));
      expect(files.some((file) => file.equals(left))).toBe(true);
    });

    it('are 5,000 in an organisation at most, and a file of one that is there is still taken', async () => {
      await service.sql`INSERT INTO documents (id, organisation_id, name, pdf_file, pdf_size, pdf_sha256)
         SELECT n, ${organisationId}, 'n', gen_random_uuid(), 1, repeat('0', 64)
           FROM generate_series(9000001, 9005000) n`;
      const { body } = await put(newId(), PDF, 'One more').expect(400);
      expect(body).toMatchObject({
        reason: 'LIMIT_REACHED',
        message: 'An organisation has at most 5000 documents.',
      });
      await put(9_000_001, PDF).expect(204);
    });

    it('leave who handed them over in the audit log', async () => {
      const id = newId();
      await put(id, PDF, 'Audited').expect(204);
      await put(id, XML, undefined, 'application/xml').expect(204);
      await admin.delete(`${base}/${id}`).expect(204);
      const rows = await auditRows(service, `table_name = 'documents' AND record_id = $1`, [id]);
      expect(rows).toMatchObject([
        { action: 'insert', after: { name: 'Audited', pdf_size: PDF.length, pdf_sha256: sha256(PDF) } },
        { action: 'update', after: { xml_size: XML.length, xml_sha256: sha256(XML) } },
        { action: 'delete', before: { name: 'Audited' } },
      ]);
    });
  });

  it('are listed in order, and are those that can be read one by one', async () => {
    for (const name of ['Beta', 'Alpha', 'Gamma']) await put(newId(), PDF, name).expect(204);
    const { body } = await finance.client.get(`${base}?orderBy=name&orderType=DESC&limit=2`).expect(200);
    const { total, documents } = body as { total: number; documents: { id: number; name: string }[] };
    expect({ total, names: documents.map(({ name }) => name) }).toEqual({
      total: 3,
      names: ['Gamma', 'Beta'],
    });
    for (const { id } of documents) await finance.client.get(`${base}/${id}`).expect(200);
    const { text } = await finance.client.get(`${base}?format=csv&filter=ALPHA`).expect(200);
    expect(text.split('\r\n')[0]).toBe(
      'id,name,dtCreated,dtChanged,dtSent,pdf.size,pdf.sha256,xml.size,xml.sha256',
    );
    expect(text.split('\r\n')).toHaveLength(3);
    const [other] = await service.sql<{ id: number }>(
      `SELECT id FROM documents WHERE organisation_id <> $1`,
      [organisationId],
    );
    await finance.client.get(`${base}/${other?.id}`).expect(404);
  });

  it('are 404 by the type of a file that they lack', async () => {
    const id = newId();
    await put(id, PDF, 'Only PDF').expect(204);
    const { body } = await finance.client.get(`${base}/${id}/xml`).expect(404);
    expect(body).toMatchObject({ message: 'File not found' });
  });

  it('go with their organisation, files and links along', async () => {
    const doomed = await makeOrganisation(service);
    const id = await makeDocument(service, doomed);
    const contactId = await makeContact(service, { organisationId: doomed });
    const hash = await makeLink(service, id, contactId);
    await request(service.url).get(`/v1/downloadpdf/${id}/${contactId}/${hash}`).expect(200);
    await admin.delete(`/organisations/${doomed}`).expect(204);
    expect(await stored(id)).toEqual({ documents: 0, pieces: 0 });
    await request(service.url).get(`/v1/downloadpdf/${id}/${contactId}/${hash}`).expect(404);
    expect(await service.sql`SELECT 1 FROM document_links WHERE document_id = ${id}`).toEqual([]);
  });
});
