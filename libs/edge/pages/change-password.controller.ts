import { Controller, Get, Redirect } from '@nestjs/common';
import { Settings } from '@app/config/settings';
import { publicPath } from '@app/platform/http/public-path';
import { PublicRoute } from '@app/security/access/access.decorators';

/**
 * Where password managers look for the page that changes a password (W3C, "A Well-Known URL
 * for Changing Passwords").
 */
@Controller('.well-known/change-password')
export class ChangePasswordController {
  constructor(private readonly settings: Settings) {}

  @Get()
  @Redirect()
  @PublicRoute('password managers send everybody there', 'Lead to the page of a new password')
  lead(): { url: string } {
    return { url: `${publicPath(this.settings)}/account/password` };
  }
}
