import { Controller, Get, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { addressForPeople } from '@app/formats/email-domains';
import { readBody } from '@app/platform/dto/shape.pipe';
import { ApiError, type ErrorsByField, fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import { Ctx, PublicRoute } from '@app/security/access/access.decorators';
import type { RequestContext } from '@app/security/context/request-context';
import { UsernameLinkTokenGuard } from '@app/sign-in/username-links/username-link-token.guard';
import { UsernameLinksService } from '@app/sign-in/username-links/username-links.service';
import { UsernameLinkShapes } from '@app/sign-in/username-links/username-links.shapes';
import type { OpenUsernameLink } from '@app/sign-in/username-links/username-links.types';
import { html } from './html';
import { CurrentPage, type OpenPage, SentForm } from './page';
import type { PageTexts } from './texts/en';
import { attributesOf, errorOf, faultSummary, type FieldFaults, prefixOf } from './views/fields';
import { layout, messagePage } from './views/layout';

/**
 * The page of a link that verifies a user name: `/v1/usernames/{token}` for people. Only this
 * file knows `username-links`.
 */
@Controller('account/username')
@UseGuards(UsernameLinkTokenGuard)
export class UsernamePage {
  constructor(
    private readonly links: UsernameLinksService,
    @Inject(UsernameLinkShapes) private readonly shapes: UsernameLinkShapes,
  ) {}

  /** GET changes nothing, because mail scanners open links. */
  @Get(':token')
  @PublicRoute('the token of the mail is the credential', 'Show the form that verifies a user name')
  async show(
    @Ctx() ctx: RequestContext,
    @CurrentPage() page: OpenPage,
    @Param('token') token: string,
  ): Promise<string> {
    return usernameForm(page, await this.openLink(ctx, page, token), {});
  }

  @Post(':token')
  @HttpCode(200)
  @PublicRoute('the token of the mail is the credential', 'Verify a user name with the form')
  async verify(
    @Ctx() ctx: RequestContext,
    @CurrentPage() page: OpenPage,
    @Param('token') token: string,
    @SentForm() { password }: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    const link = await this.openLink(ctx, page, token);
    page.showFaultsIn((errors) => usernameForm(page, link, faultsOf(errors, page.texts)));
    try {
      await this.links.verify(ctx, token, await readBody(this.shapes.verify, { password }, false));
    } catch (error) {
      throw isWrongPassword(error) ? wrongPassword() : error;
    }
    return messagePage(page, page.texts.usernameLink.done(addressForPeople(link.username)), ['logIn']);
  }

  private async openLink(ctx: RequestContext, page: OpenPage, token: string): Promise<OpenUsernameLink> {
    const link = await this.links.open(ctx, token);
    page.useLanguage(link.language);
    return link;
  }
}

const isWrongPassword = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'BAD_CREDENTIALS';

const wrongPassword = (): ValidationFailed =>
  ValidationFailed.on('password', fieldError('WRONG_PASSWORD', 'This is not the password of the account.'));

/** A missing password, a wrong one, or one that is no text. */
function faultsOf(errors: ErrorsByField, { faults, usernameLink }: PageTexts): FieldFaults {
  const texts = (errors['password'] ?? []).map(({ reason }) =>
    reason === 'WRONG_PASSWORD'
      ? usernameLink.wrongPassword
      : reason === 'REQUIRED'
        ? usernameLink.missing
        : faults.other(),
  );
  return { password: texts };
}

function usernameForm(page: OpenPage, { username }: OpenUsernameLink, faults: FieldFaults): string {
  const { texts } = page;
  const { title, intro, password, submit } = texts.usernameLink;
  const form = { texts, faults };
  return layout(
    page,
    title,
    html`${faultSummary(form)}
      <p>${intro(addressForPeople(username))}</p>
      <form method="post" novalidate>
        <div class="field">
          <label for="email">${texts.labels.username}</label>
          <input id="email" type="text" value="${username}" autocomplete="username" readonly />
        </div>
        <div class="field">
          <label for="password">${password}</label>
          ${errorOf('password', form)}
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            required${attributesOf('password', form)}
          />
        </div>
        <button type="submit">${submit}</button>
      </form>`,
    prefixOf(form),
  );
}
