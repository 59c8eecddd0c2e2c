import { Injectable } from '@nestjs/common';
import { CONTACT_GROUPS } from '@app/contacts/contact.types';
import { ROLES } from '@app/core/access/roles';
import { prepared, PreparedQueries } from '@app/core/database/prepared-queries';
import type { Country } from '@app/core/geography/countries';
import { COUNTRIES_BY_LANGUAGE } from '@app/core/geography/country-names';
import type { AnswerLanguage } from '@app/core/wire/answer-language';
import type { OrganisationType } from '@app/organisations/organisation-type.entity';
import { REFERENCE_TEXTS } from './reference-texts';
import type { Described } from './reference.types';

const ORGANISATION_TYPES = prepared<OrganisationType>(
  'SELECT identifier, description FROM organisation_types ORDER BY identifier',
);

/** What other fields refer to, in the words of a language; each list whole and always in the same order. */
@Injectable()
export class ReferenceService {
  constructor(private readonly queries: PreparedQueries) {}

  countries(language: AnswerLanguage): readonly Country[] {
    return COUNTRIES_BY_LANGUAGE[language];
  }

  async organisationTypes(language: AnswerLanguage): Promise<OrganisationType[]> {
    const words = REFERENCE_TEXTS[language].organisationTypes;
    const types = await this.queries.quickRows<OrganisationType>(ORGANISATION_TYPES, []);
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
