import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Organisation } from '@app/organisations/organisation.entity';

/** An invoice or another document of an organisation, which billing handed over as PDF, as XML or as both. */
@Entity('documents')
@Check('documents_name_given', `name <> ''`)
@Check('documents_have_a_file', 'pdf_file IS NOT NULL OR xml_file IS NOT NULL')
@Check('documents_pdf_whole', 'num_nulls(pdf_file, pdf_size, pdf_sha256) IN (0, 3)')
@Check('documents_xml_whole', 'num_nulls(xml_file, xml_size, xml_sha256) IN (0, 3)')
@Check('documents_sizes_known', 'pdf_size BETWEEN 1 AND 10485760 AND xml_size BETWEEN 1 AND 10485760')
@Index('documents_of_organisation', ['organisationId', 'id'])
export class Document {
  @PrimaryColumn({
    type: 'integer',
    primaryKeyConstraintName: 'documents_pkey',
    comment: 'Chosen by billing.',
  })
  id!: number;

  @Column({ name: 'organisation_id', type: 'integer' })
  @ForeignKey(() => Organisation, { name: 'documents_organisation_exists' })
  organisationId!: number;

  @Column({ type: 'varchar', length: 200 })
  name!: string;

  /** Under which its pieces are stored; another one each time that the file is replaced. */
  @Column({ name: 'pdf_file', type: 'uuid', nullable: true })
  pdfFile!: string | null;

  /** In bytes. */
  @Column({ name: 'pdf_size', type: 'integer', nullable: true })
  pdfSize!: number | null;

  /** As hex. */
  @Column({ name: 'pdf_sha256', type: 'varchar', length: 64, nullable: true })
  pdfSha256!: string | null;

  @Column({ name: 'xml_file', type: 'uuid', nullable: true })
  xmlFile!: string | null;

  @Column({ name: 'xml_size', type: 'integer', nullable: true })
  xmlSize!: number | null;

  @Column({ name: 'xml_sha256', type: 'varchar', length: 64, nullable: true })
  xmlSha256!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  /** When a file or the name was handed over last. */
  @Column({ name: 'changed_at', type: 'timestamptz', default: () => 'now()' })
  changedAt!: Date;

  /** When it was mailed last. */
  @Column({ name: 'sent_at', type: 'timestamptz', nullable: true })
  sentAt!: Date | null;
}
