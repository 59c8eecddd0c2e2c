import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { addressForPeople } from '@app/formats/email-domains';
import { dateIn } from '@app/mail/mail-values';
import { found } from '@app/platform/errors/api-error';
import { Ctx, PublicRoute } from '@app/security/access/access.decorators';
import type { RequestContext } from '@app/security/context/request-context';
import type { ChangeToUndo } from '@app/sign-in/factor-links/factor-link.types';
import { FactorUndo } from '@app/sign-in/factor-links/factor-undo';
import { html } from './html';
import { CurrentPage, type OpenPage } from './page';
import { factList, layout, messagePage } from './views/layout';

/**
 * The page of a link that undoes a change of second factors. Only this file knows
 * `libs/sign-in/factor-links`.
 */
@Controller('account/second-factor')
export class SecondFactorPage {
  constructor(private readonly links: FactorUndo) {}

  /** GET changes nothing, because mail scanners open links. */
  @Get(':token')
  @PublicRoute('the token of the mail is the credential', 'Show a second factor and how to undo its change')
  async show(@CurrentPage() page: OpenPage, @Param('token') token: string): Promise<string> {
    return undoForm(page, await this.openChange(page, token));
  }

  @Post(':token')
  @HttpCode(200)
  @PublicRoute('the token of the mail is the credential', 'Undo a change of a second factor')
  async undo(
    @Ctx() ctx: RequestContext,
    @CurrentPage() page: OpenPage,
    @Param('token') token: string,
  ): Promise<string> {
    await this.openChange(page, token);
    const { done, ended } = page.texts.secondFactor;
    if (!(await this.links.undo(token, ctx))) page.refuse(ended, ['newPassword']);
    return messagePage(page, done, ['newPassword']);
  }

  private async openChange(page: OpenPage, token: string): Promise<ChangeToUndo> {
    const change = found(await this.links.find(token), 'Second factor');
    await page.carryBrandOf(change.organisationId);
    const { ended, expired } = page.useLanguage(change.language).texts.secondFactor;
    if (change.state === 'ended') page.refuse(ended, ['newPassword']);
    if (change.state === 'expired') page.refuse(expired, ['newPassword']);
    return change;
  }
}

function undoForm(page: OpenPage, { change, language, username, at, passkeyName }: ChangeToUndo): string {
  const { labels, secondFactor } = page.texts;
  const { title, intro, submit, factor } = secondFactor[change];
  const facts = factList([
    [labels.username, addressForPeople(username)],
    [labels.time, dateIn(language, at, page.sender.timeZone)],
    [factor, passkeyName],
  ]);
  return layout(
    page,
    title,
    html`<p>${intro}</p>
      ${facts}
      <form method="post">
        <button type="submit">${submit}</button>
      </form>`,
  );
}
