import { Check, Column, Entity, ForeignKey, PrimaryColumn, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';

/** In whose name those beneath an organisation over reseller links get mails and pages. */
@Entity('brands', {
  comment: 'In whose name those beneath an organisation over reseller links get mails and pages.',
})
@Unique('brands_once', ['organisationId'])
@Unique('brands_link_key_once', ['linkKey'])
@Check(
  'brands_name_in_a_line',
  String.raw`name ~ '\S' AND name !~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029]'`,
)
@Check('brands_name_without_encoded_words', `strpos(name, '=?') = 0`)
@Check('brands_support_known', String.raw`support_url ~ '^(|https://[^\s]+|[^\s@<>"]+@[^\s@<>"]+)$'`)
@Check(
  'brands_panel_without_parts',
  String.raw`panel_url ~ '^(|https://[a-z0-9.:\[\]-]+(/[^\s?#]*[^\s?#/])?)$'`,
)
@Check('brands_colour_known', `colour ~ '^(|#[0-9a-f]{6})$'`)
export class BrandOfOrganisation {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'integer' }) @ForeignKey(() => Organisation) organisationId!: number;
  @Column({ type: 'varchar', length: 100 }) name!: string;

  @Column({
    type: 'varchar',
    length: 2000,
    default: '',
    comment: 'A page, or an e-mail address, to which mails are answered.',
  })
  supportUrl!: string;

  @Column({ type: 'varchar', length: 2000, default: '', comment: 'Without a slash at its end.' })
  panelUrl!: string;

  /** `#rrggbb` in small letters. */
  @Column({ type: 'varchar', length: 7, default: '' }) colour!: string;

  @Column({
    type: 'uuid',
    update: false,
    comment:
      'Stands in links to pages, so that who has a mail sees its brand there, and nobody counts the brands up.',
  })
  linkKey!: string;

  /** Counts changes of the record itself; a trigger increments it. */
  @Column({ type: 'integer', default: 1, insert: false, update: false }) version!: number;
}

/** How often organisations may have got another brand, in one row. A trigger counts at the commit. */
@Entity('brand_changes', { comment: 'How often organisations may have got another brand, in one row.' })
@Check('brand_changes_once', 'id = 1')
export class BrandChangeCount {
  @PrimaryColumn({ type: 'integer', default: 1 }) id!: number;
  @Column({ type: 'integer', default: 0 }) count!: number;
}
