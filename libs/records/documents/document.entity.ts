import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import { Contact } from '@app/people/contacts/contact.entity';
import { Organisation } from '@app/people/organisations/organisation.entity';

/** An invoice or another document of an organisation. Billing uploads it as PDF, as XML or as both. */
@Entity('documents')
@Check('documents_named', `name <> ''`)
@Check('documents_have_a_file', 'pdf_file IS NOT NULL OR xml_file IS NOT NULL')
@Check('documents_pdf_whole', 'num_nulls(pdf_file, pdf_size, pdf_sha256) IN (0, 3)')
@Check('documents_xml_whole', 'num_nulls(xml_file, xml_size, xml_sha256) IN (0, 3)')
@Check('documents_sizes_known', 'pdf_size BETWEEN 1 AND 10485760 AND xml_size BETWEEN 1 AND 10485760')
@Index('documents_of_organisation', ['organisationId', 'id'])
export class Document {
  @PrimaryColumn({ type: 'integer', comment: 'Chosen by billing.' })
  id!: number;

  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) organisationId!: number;
  @Column({ type: 'varchar', length: 200 }) name!: string;

  /** The file id of its pieces. Each new file gets a new id. */
  @Column({ type: 'uuid', nullable: true }) pdfFile!: string | null;

  /** In bytes. */
  @Column({ type: 'integer', nullable: true }) pdfSize!: number | null;

  /** As hex. */
  @Column({ type: 'varchar', length: 64, nullable: true }) pdfSha256!: string | null;
  @Column({ type: 'uuid', nullable: true }) xmlFile!: string | null;
  @Column({ type: 'integer', nullable: true }) xmlSize!: number | null;
  @Column({ type: 'varchar', length: 64, nullable: true }) xmlSha256!: string | null;
  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;

  /** Time of the last upload of a file or name. */
  @Column({ type: 'timestamptz', default: () => 'now()' }) changedAt!: Date;

  /** Time of the last mail. */
  @Column({ type: 'timestamptz', nullable: true }) sentAt!: Date | null;
}

/** A part of a file; the first piece has position 0. */
@Entity('document_pieces')
@Check('document_pieces_position_known', 'position >= 0')
@Check('document_pieces_size_known', 'length(bytes) BETWEEN 1 AND 262144')
@Index('document_pieces_of_document', ['documentId'])
export class DocumentPiece {
  @PrimaryColumn({ type: 'uuid' }) fileId!: string;
  @PrimaryColumn({ type: 'smallint' }) position!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Document, { onDelete: 'CASCADE' }) documentId!: number;
  @Column({ type: 'bytea' }) bytes!: Buffer;
}

/** A link in a mail to a contact. It opens a document for a year. */
@Entity('document_links')
@Unique('document_links_digest_unique', ['digest'])
@Index('document_links_of_document', ['documentId', 'contactId', 'id'])
@Index('document_links_by_end', ['expiresAt'])
export class DocumentLink {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Document, { onDelete: 'CASCADE' }) documentId!: number;

  @Column({ type: 'integer' })
  @ForeignKey(() => Contact, { onDelete: 'CASCADE' })
  @Index('document_links_of_contact')
  contactId!: number;

  /** SHA-256 of the hash. Only the mail contains the hash. */
  @Column({ type: 'bytea' }) digest!: Buffer;
  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz' }) expiresAt!: Date;
}
