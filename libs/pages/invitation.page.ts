import { Controller, Get, HttpCode, Inject, Post, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CurrentInvitation, InvitationTokenGuard } from '@app/invitations/invitation-token.guard';
import type { InvitationToAccept } from '@app/invitations/invitation.types';
import { RegistrationService } from '@app/invitations/registration.service';
import { InvitationsShapes } from '@app/invitations/shapes/invitations.shapes';
import type { RequestContext } from '@app/platform/context/request-context';
import { readBody } from '@app/platform/dto/read-body';
import { Ctx, PublicRoute } from '@app/security/access/access.decorators';
import { type Page, SentForm, ThePage } from './page';
import { assertRepeated } from './repeated-password';
import { invitationForm } from './views/invitation-form';
import { messagePage } from './views/layout';
import type { FieldFaults } from './views/password-form';

/** The page of an invitation: `/v1/registerInvitation/{token}` for people. */
@ApiExcludeController()
@Controller('account/invitation')
@UseGuards(InvitationTokenGuard)
export class InvitationPage {
  constructor(
    private readonly registrations: RegistrationService,
    @Inject(InvitationsShapes) private readonly shapes: InvitationsShapes,
  ) {}

  /** It changes nothing: who scans mails for links opens them. */
  @Get(':token')
  @PublicRoute(
    'the token of the invitation mail counts',
    'Show an invited person the form of the registration',
  )
  show(@ThePage() page: Page, @CurrentInvitation() invitation: InvitationToAccept): string {
    return this.formOn(page, invitation)({});
  }

  @Post(':token')
  @HttpCode(200)
  @PublicRoute('the token of the invitation mail counts', 'Register with the form')
  async register(
    @Ctx() ctx: RequestContext,
    @ThePage() page: Page,
    @CurrentInvitation() invitation: InvitationToAccept,
    @SentForm() { password, repeated }: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    this.formOn(page, invitation);
    const { email, organisationId, id: invitationId } = invitation;
    const body = { email, organisationId, inviationId: invitationId, password };
    const registration = readBody(this.shapes.register, body, false);
    assertRepeated(password, repeated);
    const { username } = await this.registrations.register(ctx, invitation, registration);
    return messagePage(page, page.texts.invitation.done(username));
  }

  /** The form of an open invitation, where faults show up too. */
  private formOn(page: Page, invitation: InvitationToAccept): (faults: FieldFaults) => string {
    const form = this.registrations.form(invitation);
    page.speak(invitation.language);
    const show = (faults: FieldFaults): string => invitationForm(page, page.texts, form, faults);
    page.showFaultsIn(form.passwordRules, show);
    return show;
  }
}
