import type { MailDomain } from '@app/teams/mail-domain.types';
import type { EntityKind } from '../entity.types';

/** An entity with its organisation, as the overview shows it. */
export interface EntityOfOrganisation {
  readonly kind: EntityKind;
  readonly id: number;
  readonly name: string;
  readonly organisationId: number;
  readonly organisationName: string;
  readonly domains: readonly MailDomain[] | null;
}
