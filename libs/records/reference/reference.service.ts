import { Injectable } from '@nestjs/common';
import { CONTACT_GROUPS } from '@app/people/contacts/contact.types';
import { COUNTRIES_BY_LANGUAGE, type Country } from '@app/people/organisations/countries';
import type { OrganisationType } from '@app/people/organisations/organisation.entity';
import { byKey, DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { ROLES } from '@app/security/access/roles';
import { REFERENCE_TEXTS } from './reference-texts';
import type { AnswerLanguage } from './response-language';

/** A name of the interface with its description. */
export interface Described {
  readonly name: string;
  readonly description: string;
}

const ORGANISATION_TYPES = byKey<OrganisationType>(
  'SELECT identifier, description FROM organisation_types ORDER BY identifier',
);

/** Reference data in one language. Each list is complete and has a fixed order. */
@Injectable()
export class ReferenceService {
  constructor(private readonly queries: DatabaseReads) {}

  countries(language: AnswerLanguage): readonly Country[] {
    return COUNTRIES_BY_LANGUAGE[language];
  }

  async organisationTypes(language: AnswerLanguage): Promise<OrganisationType[]> {
    const words = REFERENCE_TEXTS[language].organisationTypes;
    const types = await this.queries.rows<OrganisationType>(ORGANISATION_TYPES, []);
    return types.map(({ identifier, description }) => ({
      identifier,
      description: words[identifier] ?? description,
    }));
  }

  roles(language: AnswerLanguage): readonly Described[] {
    return ROLES.map((name) => ({ name, description: REFERENCE_TEXTS[language].roles[name] }));
  }

  notificationGroups(language: AnswerLanguage): readonly Described[] {
    return CONTACT_GROUPS.map((name) => ({ name, description: REFERENCE_TEXTS[language].groups[name] }));
  }
}
