import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { lockOwner } from '@app/people/users/user-rows';
import { assertNameFits, REQUIRED } from '@app/platform/dto/text-rules';
import { ValidationFailed } from '@app/platform/errors/api-error';
import { Document } from './document.entity';
import { documentIdTaken, type DocumentKind } from './document.types';
import type { ReceivedFile } from './incoming-file';

/** A file that billing uploads. */
export interface UploadedFile {
  readonly organisationId: number;
  readonly documentId: number;
  readonly kind: DocumentKind;
  /** Undefined leaves the name unchanged. */
  readonly name: string | undefined;
  readonly file: ReceivedFile;
}

const UPDATE = (kind: DocumentKind): string => `
  WITH changed AS (
    UPDATE documents SET name = coalesce($3, name), changed_at = now(),
      ${kind}_file = $4, ${kind}_size = $5, ${kind}_sha256 = $6
    WHERE id = $1 AND organisation_id = $2 RETURNING id
  ) SELECT id FROM changed`;

const INSERT = (kind: DocumentKind): string => `
  INSERT INTO documents (id, organisation_id, name, ${kind}_file, ${kind}_size, ${kind}_sha256)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING RETURNING id`;

const INSERT_PIECE = `INSERT INTO document_pieces (file_id, position, document_id, bytes) VALUES ($1, $2, $3, $4)`;

/** Deletes the pieces of replaced files of the document $1. */
const DROP_REPLACED = `
  DELETE FROM document_pieces p USING documents d
  WHERE d.id = $1 AND p.document_id = d.id AND p.file_id <> ALL (array_remove(ARRAY[d.pdf_file, d.xml_file], NULL))`;

/** Stores a file in a new or existing document. */
export async function storeFile(manager: EntityManager, uploaded: UploadedFile): Promise<void> {
  const { documentId, organisationId, kind, name, file } = uploaded;
  await lockOwner(manager, { organisationId });
  await assertNameFits(name, () => nameOf(manager, uploaded));
  const fileId = randomUUID();
  const columns = [documentId, organisationId, name ?? null, fileId, file.size, file.sha256];
  const affects = async (statement: string): Promise<boolean> =>
    (await manager.query<unknown[]>(statement, columns)).length > 0;
  // The second update finds a document that another request has just created.
  const isStored =
    (await affects(UPDATE(kind))) ||
    (name !== undefined && (await affects(INSERT(kind)))) ||
    (await affects(UPDATE(kind)));
  if (!isStored) throw await refusal(manager, documentId);
  for (const [position, bytes] of file.pieces.entries()) {
    await manager.query(INSERT_PIECE, [fileId, position, documentId, bytes]);
  }
  await manager.query(DROP_REPLACED, [documentId]);
}

const NAME = `SELECT name FROM documents WHERE id = $1 AND organisation_id = $2`;

async function nameOf(
  manager: EntityManager,
  { documentId, organisationId }: Pick<UploadedFile, 'documentId' | 'organisationId'>,
): Promise<string | undefined> {
  const [document] = await manager.query<{ name: string }[]>(NAME, [documentId, organisationId]);
  return document?.name;
}

async function refusal(manager: EntityManager, documentId: number): Promise<ValidationFailed> {
  const isElsewhere = await manager.existsBy(Document, { id: documentId });
  return isElsewhere ? documentIdTaken() : ValidationFailed.on('name', REQUIRED);
}
