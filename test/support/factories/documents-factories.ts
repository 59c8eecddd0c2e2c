import { createHash, randomUUID } from 'node:crypto';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import type { ReachableService } from '../service/service';
import { nextNumber } from './factories';

/** Smallest files that begin as their types do. */
export const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n%%EOF\n');
export const XML = Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n<Invoice/>\n');

/** A document with a PDF and an XML, written straight to the database, and its id. */
export async function makeDocument(
  service: ReachableService,
  organisationId: number,
  given: { readonly name?: string; readonly xml?: Buffer } = {},
): Promise<number> {
  const content = given.xml ?? XML;
  const id = 1_000_000 + nextNumber();
  const pdf = randomUUID();
  const xml = randomUUID();
  const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  await service.sql(
    `INSERT INTO documents (id, organisation_id, name, pdf_file, pdf_size, pdf_sha256, xml_file, xml_size, xml_sha256)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      organisationId,
      given.name ?? `Invoice ${id}`,
      pdf,
      PDF.length,
      sha256(PDF),
      xml,
      content.length,
      sha256(content),
    ],
  );
  await service.sql(
    `INSERT INTO document_pieces (file_id, position, document_id, bytes) VALUES ($1, 0, $3, $4), ($2, 0, $3, $5)`,
    [pdf, xml, id, PDF, content],
  );
  return id;
}

/** The hash of a link to a document for a contact, written straight to the database. */
export async function makeLink(
  service: ReachableService,
  documentId: number,
  contactId: number,
): Promise<string> {
  const hash = newSecret();
  await service.sql`INSERT INTO document_links (document_id, contact_id, digest, expires_at)
     VALUES (${documentId}, ${contactId}, ${digestOf(hash)}, now() + interval '1 year')`;
  return hash;
}
