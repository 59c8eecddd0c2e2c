import type { TableRules } from '@app/lifecycle/table-rules';
import { ORGANISATION_CONSTRAINT_ERRORS } from './organisation.types';
import { PRICE_GROUP_CONSTRAINT_ERRORS } from './price-groups/price-groups.service';
import { TREE_CHECKS } from './tree-checks';

export const ORGANISATION_RULES: TableRules = {
  table: 'organisations',
  constraintErrors: ORGANISATION_CONSTRAINT_ERRORS,
  withUsers: 'an organisation outlives its users',
  withOrganisation: 'the row itself is soft-deleted and keeps its id; nothing lies beneath it',
  audited: {
    kind: 'organisations',
    shown:
      'name tax_number parent_id reseller_id street house_number zip city country_code organisation_type ' +
      'external_info_required must_pay_tax remarks_to_print_invoice update_entities_only prevent_deactivation ' +
      'next_invoice_run required_2fa agency_mode bundle_pro_rata test_account before_first_order source1 source2 ' +
      'pdf_invoice peppol_invoicing is_soft information invoice_day_min invoice_day_max created_at deleted_at',
    adminOnly:
      'external_id payment_period document_interval commission_factor reseller_kickback default_reseller_kickback ' +
      'discount pre_payment_required default_agreements price_group_id',
    hidden: 'id',
    names: {
      parent_id: 'parentOrganisation',
      reseller_id: 'resellerOrganisation',
      country_code: 'country',
      payment_period: 'paymentperiod',
      price_group_id: 'pricegroup',
    },
  },
};

export const PRICE_GROUP_RULES: TableRules = {
  table: 'price_groups',
  constraintErrors: PRICE_GROUP_CONSTRAINT_ERRORS,
  // Price groups belong to no organisation, so only admins see them.
  audited: { kind: 'pricegroups', shown: '', adminOnly: 'description', hidden: 'id' },
};

export const ORGANISATION_CLOSURE_RULES: TableRules = {
  table: 'organisation_closure',
  withUsers: 'it refers to no users',
  withOrganisation: 'the tree triggers delete the rows',
  checks: TREE_CHECKS,
};
