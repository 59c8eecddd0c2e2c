import { Controller, Get, Headers, HttpCode, Inject, Post } from '@nestjs/common';
import type { RequestContext } from '@app/platform/context/request-context';
import { readBody } from '@app/platform/dto/read-body';
import { RecoveryService } from '@app/sign-in/recovery/recovery.service';
import { RecoveryShapes } from '@app/sign-in/recovery/shapes/recovery.shapes';
import { Ctx, PublicRoute } from '@app/security/access/access.decorators';
import { type OpenPage, SentForm, CurrentPage } from './page';
import { askForm } from './views/ask-form';
import { messagePage } from './views/layout';

/** The page that asks for the user name to reset a password: `/v1/resetting/send_email` for people. */
@Controller('account/password')
export class AskPasswordPage {
  constructor(
    private readonly recovery: RecoveryService,
    @Inject(RecoveryShapes) private readonly shapes: RecoveryShapes,
  ) {}

  @Get()
  @PublicRoute('for whoever cannot log in', 'Show the form that asks for a new password')
  show(@CurrentPage() page: OpenPage): string {
    return askForm(page, page.texts, {});
  }

  /** The path has no token, so a form from another site sends no mail: the person sees the form and can send it. */
  @Post()
  @HttpCode(200)
  @PublicRoute('for whoever cannot log in', 'Mail a link to choose a new password')
  async ask(
    @Ctx() ctx: RequestContext,
    @CurrentPage() page: OpenPage,
    @SentForm() { username }: Readonly<Record<string, unknown>>,
    @Headers('sec-fetch-site') site?: string,
  ): Promise<string> {
    if (site === 'cross-site') return this.show(page);
    page.showFaultsIn(() => askForm(page, page.texts, { username: [page.texts.ask.missing] }));
    await this.recovery.ask(ctx, readBody(this.shapes.request, { username }, false));
    return messagePage(page, page.texts.ask.done, []);
  }
}
