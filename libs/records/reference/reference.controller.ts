import { Controller, Get } from '@nestjs/common';
import type { Country } from '@app/people/organisations/countries';
import type { OrganisationType } from '@app/people/organisations/organisation.entity';
import { RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { ETag } from '@app/platform/http/response-writer';
import { Access } from '@app/security/access/access.decorators';
import { type Described, ReferenceService } from './reference.service';
import { ReferenceShapes } from './reference.shapes';
import { type AnswerLanguage, ResponseLanguage } from './response-language';

@Tag('reference data')
@Controller()
export class ReferenceController {
  constructor(private readonly reference: ReferenceService) {}

  @Get('countries')
  @Access('countries.list', 'List the countries')
  @ETag({ isTranslated: true })
  @RespondsWith(200, ReferenceShapes, 'countries')
  countries(@ResponseLanguage() language: AnswerLanguage): readonly Country[] {
    return this.reference.countries(language);
  }

  @Get('organisationTypes')
  @Access('organisationTypes.list', 'List the types of organisations')
  @ETag({ isTranslated: true })
  @RespondsWith(200, ReferenceShapes, 'organisationTypes')
  organisationTypes(@ResponseLanguage() language: AnswerLanguage): Promise<OrganisationType[]> {
    return this.reference.organisationTypes(language);
  }

  @Get('roles')
  @Access('roles.list', 'List the roles of users')
  @ETag({ isTranslated: true })
  @RespondsWith(200, ReferenceShapes, 'roles')
  roles(@ResponseLanguage() language: AnswerLanguage): readonly Described[] {
    return this.reference.roles(language);
  }

  @Get('notificationGroups')
  @Access('notificationGroups.list', 'List the groups of notifications')
  @ETag({ isTranslated: true })
  @RespondsWith(200, ReferenceShapes, 'notificationGroups')
  notificationGroups(@ResponseLanguage() language: AnswerLanguage): readonly Described[] {
    return this.reference.notificationGroups(language);
  }
}
