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

/** Reference data, written by the migration: 1 Customer, 2 Reseller, 3 Operator. */
@Entity('organisation_types')
export class OrganisationType {
  @PrimaryColumn({ type: 'smallint' }) identifier!: number;
  @Column({ type: 'varchar', length: 64 }) description!: string;
}

/** Prices for invoices. The migration writes the group named `default`. */
@Entity('price_groups')
@Unique('price_groups_description_unique', ['description'])
export class PriceGroup {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'varchar', length: 255 }) description!: string;
}

/** An organisation: a customer, a reseller, or the operator itself (id 1, the root of the tree). */
@Entity('organisations')
@Check('organisations_root_is_operator', '(id = 1) = (parent_id IS NULL)')
@Check('organisations_operator_stays', 'id <> 1 OR (deleted_at IS NULL AND reseller_id IS NULL)')
@Check('organisations_not_its_own_parent', 'parent_id <> id')
@Check('organisations_not_its_own_reseller', 'reseller_id <> id')
@Check('organisations_external_info_known', 'external_info_required IN (0, 1, 2)')
@Check('organisations_payment_period_known', 'payment_period IN (0, 30, 60, 90)')
@Check(
  'organisations_invoice_days_in_order',
  'invoice_day_min >= 1 AND invoice_day_min <= invoice_day_max AND invoice_day_max <= 28',
)
@Check('organisations_limit_times_in_range', 'limit_times BETWEEN 1 AND 1000')
@Check('organisations_agreements_are_object', `jsonb_typeof(default_agreements) = 'object'`)
@Index('organisations_by_id', ['id'], { where: 'deleted_at IS NULL' })
@Index('organisations_by_name', ['name', 'id'], { where: 'deleted_at IS NULL' })
@Index('organisations_by_tax_number', ['taxNumber', 'id'], { where: 'deleted_at IS NULL' })
@Index('organisations_by_external_id', ['externalId', 'id'], { where: 'deleted_at IS NULL' })
@Index('organisations_by_zip', ['zip', 'id'], { where: 'deleted_at IS NULL' })
@Index('organisations_by_city', ['city', 'id'], { where: 'deleted_at IS NULL' })
@Index('organisations_search', { synchronize: false })
@Index('organisations_search_name', { synchronize: false })
@Index('organisations_search_tax_number', { synchronize: false })
@Index('organisations_search_external_id', { synchronize: false })
export class Organisation {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column({ type: 'varchar', length: 255 }) name!: string;
  @Column({ type: 'varchar', length: 64 }) taxNumber!: string;

  /** Null only for the operator organisation. */
  @Column({ type: 'integer', nullable: true })
  @ForeignKey(() => Organisation)
  @Index('organisations_parent')
  parentId!: number | null;

  @Column({ type: 'integer', nullable: true })
  @ForeignKey(() => Organisation)
  @Index('organisations_reseller')
  resellerId!: number | null;

  @Column({ type: 'varchar', length: 255, default: '' }) street!: string;
  @Column({ type: 'varchar', length: 32, default: '' }) houseNumber!: string;
  @Column({ type: 'varchar', length: 32, default: '' }) zip!: string;
  @Column({ type: 'varchar', length: 255, default: '' }) city!: string;

  /** ISO 3166-1 alpha-2, upper case. */
  @Column({ type: 'varchar', length: 2, nullable: true }) countryCode!: string | null;

  /** Identifier of the organisation type: 1 Customer, 2 Reseller, 3 Operator. */
  @Column({ type: 'smallint', default: 1 })
  @ForeignKey(() => OrganisationType, { name: 'organisations_type_exists' })
  organisationType!: number;

  /** Identifier in another system of the operator. */
  @Column({ type: 'varchar', length: 255, nullable: true }) externalId!: string | null;
  @Column({ type: 'smallint', default: 0 }) externalInfoRequired!: number;
  @Column({ type: 'boolean', default: true }) mustPayTax!: boolean;
  @Column({ type: 'varchar', length: 4000, nullable: true }) remarksToPrintInvoice!: string | null;

  /** For other areas of the panel: users of sub-organisations may only update entities. */
  @Column({ type: 'boolean', default: false }) updateEntitiesOnly!: boolean;

  /** For other areas of the panel. */
  @Column({ type: 'boolean', default: true }) preventDeactivation!: boolean;
  @Column({ type: 'timestamptz', nullable: true }) nextInvoiceRun!: Date | null;

  /** Whether its users need a second factor to log in. */
  @Column({ name: 'required_2fa', type: 'boolean', default: false }) required2fa!: boolean;
  @Column({ type: 'integer', default: 0 }) agencyMode!: number;
  @Column({ type: 'boolean', default: false }) bundleProRata!: boolean;
  @Column({ type: 'boolean', default: false }) testAccount!: boolean;

  /** The ordering area of the panel writes it; null until then. */
  @Column({ type: 'varchar', length: 255, nullable: true }) beforeFirstOrder!: string | null;

  /** Days: 0, 30, 60 or 90. */
  @Column({ type: 'smallint', default: 30 }) paymentPeriod!: number;
  @Column({ type: 'varchar', length: 64, default: '0' }) documentInterval!: string;
  @Column({ type: 'integer', nullable: true }) commissionFactor!: number | null;
  @Column({ type: 'varchar', length: 255, nullable: true }) source1!: string | null;
  @Column({ type: 'varchar', length: 255, nullable: true }) source2!: string | null;

  /** Commission, 100 = 1%. */
  @Column({ type: 'integer', nullable: true }) resellerKickback!: number | null;

  /** Commission, 100 = 1%. */
  @Column({ type: 'integer', nullable: true }) defaultResellerKickback!: number | null;
  @Column({ type: 'boolean', default: false }) pdfInvoice!: boolean;

  /** Written by the billing area of the panel. */
  @Column({ type: 'boolean', default: false }) peppolInvoicing!: boolean;

  /** Written by the billing area of the panel. */
  @Column({ type: 'varchar', length: 64, default: '' }) discount!: string;

  /** Written by the billing area of the panel. */
  @Column({ type: 'boolean', default: false }) isSoft!: boolean;

  /** Written by the billing area of the panel. */
  @Column({ type: 'boolean', default: false }) prePaymentRequired!: boolean;

  /** Agreement id by entity class name. */
  @Column({ type: 'jsonb', default: {} }) defaultAgreements!: Record<string, number>;
  @Column({ type: 'varchar', length: 4000, nullable: true }) information!: string | null;
  @Column({ type: 'integer', default: 1 }) @ForeignKey(() => PriceGroup) priceGroupId!: number;

  /** First day of the month for invoices. */
  @Column({ type: 'smallint', default: 1 }) invoiceDayMin!: number;

  /** Last day of the month for invoices. */
  @Column({ type: 'smallint', default: 28 }) invoiceDayMax!: number;

  /** Number of organisations beneath. Only the tree triggers write it. */
  @Column({
    type: 'integer',
    default: 0,
    insert: false,
    update: false,
    comment:
      'How many organisations lie beneath this one; kept by the tree triggers so that totals need no counting.',
  })
  beneathCount!: number;

  /** The customer that the organisation is or lies beneath. Only the tree triggers write it. */
  @Column({
    type: 'integer',
    insert: false,
    update: false,
    comment:
      'The customer that this organisation is or lies beneath; kept by the tree triggers. Of a deleted organisation what it was.',
  })
  customerId!: number;

  /** Whether an admin gave it the type Reseller. The type itself says nothing of who gave it. */
  @Column({
    type: 'boolean',
    default: false,
    comment:
      'An admin gave it the type Reseller: each organisation whose way up leads to it first is a customer.',
  })
  isReseller!: boolean;

  /** Only the command `limits` writes it. */
  @Column({
    type: 'smallint',
    default: 1,
    comment:
      'Of a customer: how many times the hourly and daily limits of customers it has (the command limits).',
  })
  limitTimes!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', nullable: true }) deletedAt!: Date | null;

  /** Counts changes of the record itself; a trigger increments it. */
  @Column({ type: 'integer', default: 1, insert: false, update: false }) version!: number;

  /** Version of the billing fields, which have their own entity tag. */
  @Column({ type: 'integer', default: 1, insert: false, update: false }) billingVersion!: number;
}
