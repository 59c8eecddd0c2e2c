import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { addressForPeople } from '@app/formats/email-domains';
import { dateIn } from '@app/mail/mail-values';
import { found } from '@app/platform/errors/api-error';
import { Ctx, PublicRoute } from '@app/security/access/access.decorators';
import type { RequestContext } from '@app/security/context/request-context';
import { LoginEndings, type LoginToEnd } from '@app/sign-in/login-notices/login-endings';
import { html } from './html';
import { CurrentPage, type OpenPage } from './page';
import { factList, layout, messagePage } from './views/layout';

/** The page of a link that ends a login. Only this file knows `libs/sign-in/login-notices`. */
@Controller('account/end-login')
export class EndLoginPage {
  constructor(private readonly endings: LoginEndings) {}

  /** GET changes nothing, because mail scanners open links. */
  @Get(':token')
  @PublicRoute('the token of the mail is the credential', 'Show a login and how to end it')
  async show(@CurrentPage() page: OpenPage, @Param('token') token: string): Promise<string> {
    return endLoginForm(page, await this.openLogin(page, token));
  }

  @Post(':token')
  @HttpCode(200)
  @PublicRoute('the token of the mail is the credential', 'End a login')
  async end(
    @Ctx() ctx: RequestContext,
    @CurrentPage() page: OpenPage,
    @Param('token') token: string,
  ): Promise<string> {
    await this.openLogin(page, token);
    const { done, ended } = page.texts.endLogin;
    if (!(await this.endings.end(token, ctx))) page.refuse(ended, ['newPassword']);
    return messagePage(page, done, ['newPassword']);
  }

  private async openLogin(page: OpenPage, token: string): Promise<LoginToEnd> {
    const login = found(await this.endings.find(token), 'Login');
    await page.carryBrandOf(login.organisationId);
    const { ended, expired } = page.useLanguage(login.language).texts.endLogin;
    if (login.state === 'ended') page.refuse(ended, ['newPassword']);
    if (login.state === 'expired') page.refuse(expired, ['newPassword']);
    return login;
  }
}

function endLoginForm(page: OpenPage, login: LoginToEnd): string {
  const { labels, endLogin } = page.texts;
  const facts = factList([
    [labels.username, addressForPeople(login.username)],
    [labels.time, dateIn(login.language, login.at, page.sender.timeZone)],
    [labels.address, login.address],
    [labels.country, login.country],
    [labels.system, login.system],
    [labels.browser, login.browser],
  ]);
  return layout(
    page,
    endLogin.title,
    html`<p>${endLogin.intro}</p>
      ${facts}
      <form method="post">
        <button type="submit">${endLogin.submit}</button>
      </form>`,
  );
}
