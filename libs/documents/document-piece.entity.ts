import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Document } from './document.entity';

/** Some of the bytes of a file: the first piece has position 0. */
@Entity('document_pieces')
@Check('document_pieces_position_known', 'position >= 0')
@Check('document_pieces_size_known', 'length(bytes) BETWEEN 1 AND 262144')
@Index('document_pieces_of_document', ['documentId'])
export class DocumentPiece {
  @PrimaryColumn({ name: 'file_id', type: 'uuid', primaryKeyConstraintName: 'document_pieces_pkey' })
  fileId!: string;

  @PrimaryColumn({ type: 'smallint', primaryKeyConstraintName: 'document_pieces_pkey' })
  position!: number;

  @Column({ name: 'document_id', type: 'integer' })
  @ForeignKey(() => Document, { name: 'document_pieces_document_exists', onDelete: 'CASCADE' })
  documentId!: number;

  @Column({ type: 'bytea' })
  bytes!: Buffer;
}
