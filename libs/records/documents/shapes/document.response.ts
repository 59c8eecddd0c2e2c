import { ResponseField } from '@app/platform/dto/shapes';
import type { DocumentDetails } from '../document.columns';
import type { DocumentFile } from '../document.types';

/** A file of a document. */
class DocumentFileResponse {
  @ResponseField({ type: 'integer', description: 'How many bytes it has', example: 48213 }) size!: number;

  @ResponseField({
    description: 'SHA-256 of its bytes, as hex',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  sha256!: string;
}

/** A document of an organisation. */
export class DocumentResponse {
  @ResponseField({
    type: 'integer',
    description: 'Identifier of the document, as billing chose it',
    example: 2026001,
  })
  id!: number;

  @ResponseField({ description: 'What people call it', example: 'Invoice 2026-001' }) name!: string;

  @ResponseField({ description: 'When it was handed over first, in Unix seconds', example: '1767225600' })
  dtCreated!: string;

  @ResponseField({ description: 'When a file was handed over last, in Unix seconds', example: '1767225600' })
  dtChanged!: string;

  @ResponseField({
    description: 'When it was mailed last, in Unix seconds; empty where it never was',
    example: '1767229200',
  })
  dtSent!: string;

  @ResponseField({
    type: DocumentFileResponse,
    nullable: true,
    description: 'The PDF; null where there is none',
  })
  pdf!: DocumentFileResponse | null;

  @ResponseField({
    type: DocumentFileResponse,
    nullable: true,
    description: 'The XML; null where there is none',
  })
  xml!: DocumentFileResponse | null;
}

const toFileResponse = (file: DocumentFile | null): DocumentFileResponse | null =>
  file === null ? null : { size: file.size, sha256: file.sha256 };

export const toDocumentResponse = (document: DocumentDetails): DocumentResponse => ({
  id: document.id,
  name: document.name,
  dtCreated: String(document.createdAt),
  dtChanged: String(document.changedAt),
  dtSent: document.sentAt === null ? '' : String(document.sentAt),
  pdf: toFileResponse(document.pdf),
  xml: toFileResponse(document.xml),
});
