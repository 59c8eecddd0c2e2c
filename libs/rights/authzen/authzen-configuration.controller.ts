import { Controller, Get } from '@nestjs/common';
import { Settings } from '@app/config/settings';
import { RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { PublicRoute } from '@app/security/access/access.decorators';
import { AuthzenShapes } from './authzen.shapes';

@Tag('access')
@Controller('.well-known/authzen-configuration')
export class AuthzenConfigurationController {
  constructor(private readonly settings: Settings) {}

  @Get()
  @PublicRoute('clients read it before they have a credential', 'Tell where AuthZEN is served')
  @RespondsWith(200, AuthzenShapes, 'configuration')
  configuration(): string {
    return this.settings.publicUrl;
  }
}
