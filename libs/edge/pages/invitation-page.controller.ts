import { Controller, Get, HttpCode, Inject, Post, UseGuards } from '@nestjs/common';
import { addressForPeople } from '@app/formats/email-domains';
import type { InvitationToAccept, RegistrationForm } from '@app/people/invitations/invitation.types';
import { CurrentInvitation, InvitationTokenGuard } from '@app/people/invitations/invitation-token.guard';
import { RegistrationService } from '@app/people/invitations/registration.service';
import { InvitationsShapes } from '@app/people/invitations/shapes/invitations.shapes';
import { fullNameOf } from '@app/people/users/user-names';
import { readBody } from '@app/platform/dto/shape.pipe';
import { ValidationFailed } from '@app/platform/errors/api-error';
import { Ctx, PublicRoute } from '@app/security/access/access.decorators';
import type { RequestContext } from '@app/security/context/request-context';
import { generatedPasswordRules } from '@app/security/passwords/password-rules';
import { html } from './html';
import { CurrentPage, type OpenPage, SentForm } from './page';
import { assertRepeated, passwordFaults } from './password-faults';
import type { FieldFaults } from './views/fields';
import { factList, messagePage } from './views/layout';
import { passwordPage } from './views/password-form';

/** The page of an invitation: `/v1/registerInvitation/{token}` for people. */
@Controller('account/invitation')
@UseGuards(InvitationTokenGuard)
export class InvitationPage {
  constructor(
    private readonly registrations: RegistrationService,
    @Inject(InvitationsShapes) private readonly shapes: InvitationsShapes,
  ) {}

  /** GET changes nothing, because mail scanners open links. */
  @Get(':token')
  @PublicRoute(
    'the token of the invitation mail counts',
    'Show an invited person the form of the registration',
  )
  show(@CurrentPage() page: OpenPage, @CurrentInvitation() invitation: InvitationToAccept): string {
    return this.formOn(page, invitation)({});
  }

  @Post(':token')
  @HttpCode(200)
  @PublicRoute('the token of the invitation mail counts', 'Register with the form')
  async register(
    @Ctx() ctx: RequestContext,
    @CurrentPage() page: OpenPage,
    @CurrentInvitation() invitation: InvitationToAccept,
    @SentForm() { password, repeated }: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    this.formOn(page, invitation);
    const { email, organisationId, id: invitationId } = invitation;
    const body = { email, organisationId, inviationId: invitationId, password };
    const registration = await readBody(this.shapes.register, body, false);
    assertRepeated(password, repeated);
    try {
      const { username } = await this.registrations.register(ctx, invitation, registration);
      return messagePage(page, page.texts.invitation.done(addressForPeople(username)), ['logIn']);
    } catch (error) {
      // The address became a user name a moment ago.
      if (error instanceof ValidationFailed && error.fields?.['email'] !== undefined)
        refuseTaken(page, invitation);
      throw error;
    }
  }

  /** The form of an open invitation. It also shows errors. */
  private formOn(page: OpenPage, invitation: InvitationToAccept): (faults: FieldFaults) => string {
    page.useLanguage(invitation.language);
    const { organisation, inviter } = page.texts.labels;
    page.tell(
      factList([
        [organisation, invitation.organisationName],
        [inviter, invitation.inviterName],
      ]),
    );
    const form = this.registrations.form(invitation);
    if (invitation.isTaken) refuseTaken(page, invitation);
    if (invitation.isUnavailable) page.refuse(page.texts.invitation.reserved(invitation.email), []);
    const show = (faults: FieldFaults): string => invitationForm(page, form, faults);
    page.showFaultsIn((errors) => show(passwordFaults(errors, page.texts, form.passwordRules)));
    return show;
  }
}

/** An address that is a user name cannot register. */
const refuseTaken = (page: OpenPage, { email }: InvitationToAccept): never =>
  page.refuse(page.texts.invitation.taken(addressForPeople(email)), ['logIn', 'newPassword']);

function invitationForm(
  page: OpenPage,
  { invitation, passwordRules }: RegistrationForm,
  faults: FieldFaults,
): string {
  const { texts } = page;
  const { title, intro, submit } = texts.invitation;
  const { organisationName } = invitation;
  return passwordPage(page, title(organisationName), {
    intro: html`<p>${intro(organisationName)}</p>
      ${factList([
        [texts.labels.name, fullNameOf(invitation)],
        [texts.labels.inviter, invitation.inviterName],
      ])}`,
    username: invitation.email,
    passwordLabel: texts.labels.password,
    rules: texts.passwordRules(passwordRules),
    generatedRules: generatedPasswordRules(passwordRules),
    submit,
    faults,
  });
}
