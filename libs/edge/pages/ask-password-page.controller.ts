import { Controller, Get, Headers, HttpCode, Inject, Post } from '@nestjs/common';
import { readBody } from '@app/platform/dto/shape.pipe';
import { Ctx, PublicRoute } from '@app/security/access/access.decorators';
import type { RequestContext } from '@app/security/context/request-context';
import { RecoveryService } from '@app/sign-in/recovery/recovery.service';
import { RecoveryShapes } from '@app/sign-in/recovery/shapes/recovery.shapes';
import { html } from './html';
import { CurrentPage, type OpenPage, SentForm } from './page';
import { attributesOf, errorOf, faultSummary, type FieldFaults, prefixOf } from './views/fields';
import { layout, messagePage } from './views/layout';

/** The page that asks for the user name to reset a password: `/v1/resetting/send_email` for people. */
@Controller('account/password')
export class AskPasswordPage {
  constructor(
    private readonly recovery: RecoveryService,
    @Inject(RecoveryShapes) private readonly shapes: RecoveryShapes,
  ) {}

  @Get()
  @PublicRoute('for whoever cannot log in', 'Show the form that asks for a new password')
  async show(@CurrentPage() page: OpenPage): Promise<string> {
    await page.carryBrandOfLink();
    return askForm(page, {});
  }

  /**
   * The path has no token, so a form from another site sends no mail: the person sees
   * the form and can send it.
   */
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
    await page.carryBrandOfLink();
    page.showFaultsIn(() => askForm(page, { username: [page.texts.ask.missing] }));
    await this.recovery.ask(ctx, await readBody(this.shapes.request, { username }, false));
    // The name is not repeated: another site may have sent it.
    return messagePage(page, page.texts.ask.done, ['anotherTry']);
  }
}

/** The form never shows a sent value, because another site may have sent it. */
function askForm(page: OpenPage, faults: FieldFaults): string {
  const { texts } = page;
  const { title, intro, submit } = texts.ask;
  const form = { texts, faults };
  return layout(
    page,
    title,
    html`${faultSummary(form)}
      <p>${intro}</p>
      <form method="post" novalidate>
        <div class="field">
          <label for="username">${texts.labels.username}</label>
          ${errorOf('username', form)}
          <input
            id="username"
            name="username"
            type="text"
            inputmode="email"
            autocapitalize="none"
            spellcheck="false"
            autocomplete="username"
            required${attributesOf('username', form)}
          />
        </div>
        <button type="submit">${submit}</button>
      </form>`,
    prefixOf(form),
  );
}
