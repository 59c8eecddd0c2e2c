import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '@app/core/access/access.decorators';
import type { Country } from '@app/core/geography/countries';
import { TheLanguage, type AnswerLanguage } from '@app/core/wire/answer-language';
import { Revalidated } from '@app/core/wire/revalidated';
import { RespondsWith } from '@app/core/wire/wire.decorators';
import type { OrganisationType } from '@app/organisations/organisation-type.entity';
import { ReferenceService } from './reference.service';
import type { Described } from './reference.types';
import { ReferenceShapes } from './shapes/reference.shapes';

@ApiTags('reference data')
@Controller()
export class ReferenceController {
  constructor(private readonly reference: ReferenceService) {}

  @Get('countries')
  @Access('countries.list')
  @Revalidated({ isTranslated: true })
  @RespondsWith(200, ReferenceShapes, 'countries')
  countries(@TheLanguage() language: AnswerLanguage): readonly Country[] {
    return this.reference.countries(language);
  }

  @Get('organisationTypes')
  @Access('organisationTypes.list')
  @Revalidated({ isTranslated: true })
  @RespondsWith(200, ReferenceShapes, 'organisationTypes')
  organisationTypes(@TheLanguage() language: AnswerLanguage): Promise<OrganisationType[]> {
    return this.reference.organisationTypes(language);
  }

  @Get('roles')
  @Access('roles.list')
  @Revalidated({ isTranslated: true })
  @RespondsWith(200, ReferenceShapes, 'roles')
  roles(@TheLanguage() language: AnswerLanguage): readonly Described[] {
    return this.reference.roles(language);
  }

  @Get('notificationGroups')
  @Access('notificationGroups.list')
  @Revalidated({ isTranslated: true })
  @RespondsWith(200, ReferenceShapes, 'notificationGroups')
  notificationGroups(@TheLanguage() language: AnswerLanguage): readonly Described[] {
    return this.reference.notificationGroups(language);
  }
}
