import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Contact } from '@app/contacts/contact.entity';
import { Document } from './document.entity';

/** What a mail to a contact opens a document with, for a year. */
@Entity('document_links')
@Unique('document_links_digest_unique', ['digest'])
@Index('document_links_of_document', ['documentId', 'contactId', 'id'])
@Index('document_links_by_end', ['expiresAt'])
export class DocumentLink {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'document_links_pkey',
  })
  id!: number;

  @Column({ name: 'document_id', type: 'integer' })
  @ForeignKey(() => Document, { name: 'document_links_document_exists', onDelete: 'CASCADE' })
  documentId!: number;

  @Column({ name: 'contact_id', type: 'integer' })
  @ForeignKey(() => Contact, { name: 'document_links_contact_exists', onDelete: 'CASCADE' })
  @Index('document_links_of_contact')
  contactId!: number;

  /** Of the hash, which the mail alone has. */
  @Column({ type: 'bytea' })
  digest!: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}
