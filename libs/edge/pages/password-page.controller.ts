import { Controller, Get, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { addressForPeople } from '@app/formats/email-domains';
import { readBody } from '@app/platform/dto/shape.pipe';
import { Ctx, PublicRoute } from '@app/security/access/access.decorators';
import type { RequestContext } from '@app/security/context/request-context';
import { generatedPasswordRules, PasswordRules } from '@app/security/passwords/password-rules';
import { type OpenLink, RecoveryService } from '@app/sign-in/recovery/recovery.service';
import { ResetTokenGuard } from '@app/sign-in/recovery/reset-token.guard';
import { RecoveryShapes } from '@app/sign-in/recovery/shapes/recovery.shapes';
import { html } from './html';
import { CurrentPage, type OpenPage, SentForm } from './page';
import { assertRepeated, passwordFaults } from './password-faults';
import type { FieldFaults } from './views/fields';
import { messagePage } from './views/layout';
import { passwordPage } from './views/password-form';

/**
 * The page of a link that sets a password, and may give a former name back:
 * `/v1/resetting/{token}` for people.
 */
@Controller('account/password')
@UseGuards(ResetTokenGuard)
export class PasswordPage {
  constructor(
    private readonly recovery: RecoveryService,
    private readonly rules: PasswordRules,
    @Inject(RecoveryShapes) private readonly shapes: RecoveryShapes,
  ) {}

  /** GET changes nothing, because mail scanners open links. */
  @Get(':token')
  @PublicRoute('the token of the mail is the credential', 'Show the form of a new password')
  async show(@CurrentPage() page: OpenPage, @Param('token') token: string): Promise<string> {
    return this.formOn(page, await this.recovery.openLinkOf(token))({});
  }

  @Post(':token')
  @HttpCode(200)
  @PublicRoute('the token of the mail is the credential', 'Set a new password with the form')
  async reset(
    @Ctx() ctx: RequestContext,
    @CurrentPage() page: OpenPage,
    @Param('token') token: string,
    @SentForm() { password, repeated }: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    const link = await this.recovery.openLinkOf(token);
    this.formOn(page, link);
    const reset = await readBody(this.shapes.reset, { password }, false);
    assertRepeated(password, repeated);
    await this.recovery.assertOther(ctx, token, reset);
    await this.recovery.reset(ctx, token, reset);
    return messagePage(page, page.texts.password.done(addressForPeople(link.username)), ['logIn']);
  }

  /** The form of an open link. It also shows errors. */
  private formOn(page: OpenPage, link: OpenLink): (faults: FieldFaults) => string {
    const { rules } = this;
    page.useLanguage(link.language);
    const show = (faults: FieldFaults): string => resetForm(page, link, rules, faults);
    page.showFaultsIn((errors) => show(passwordFaults(errors, page.texts, rules)));
    return show;
  }
}

function resetForm(page: OpenPage, link: OpenLink, rules: PasswordRules, faults: FieldFaults): string {
  const { texts } = page;
  const { title, intro, note, noteOfFormerName, submit } = texts.password;
  return passwordPage(page, title, {
    intro: html`<p>${intro}</p>
      <p class="note">${link.givesBack ? noteOfFormerName(addressForPeople(link.username)) : note}</p>`,
    username: link.username,
    passwordLabel: texts.labels.newPassword,
    rules: texts.passwordRules(rules),
    generatedRules: generatedPasswordRules(rules),
    submit,
    faults,
  });
}
