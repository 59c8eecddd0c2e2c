import { Controller, Get, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { addressForPeople } from '@app/formats/email-domains';
import { readBody } from '@app/platform/dto/shape.pipe';
import { ApiError, type ErrorsByField, fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import { Ctx, PublicRoute } from '@app/security/access/access.decorators';
import type { RequestContext } from '@app/security/context/request-context';
import { NameProofTokenGuard } from '@app/sign-in/name-proofs/name-proof-token.guard';
import { NameProofsService } from '@app/sign-in/name-proofs/name-proofs.service';
import { NameProofShapes } from '@app/sign-in/name-proofs/name-proofs.shapes';
import type { OpenNameProof } from '@app/sign-in/name-proofs/name-proofs.types';
import { html } from './html';
import { CurrentPage, type OpenPage, SentForm } from './page';
import type { PageTexts } from './texts/en';
import { attributesOf, errorOf, faultSummary, type FieldFaults, prefixOf } from './views/fields';
import { layout, messagePage } from './views/layout';

/** The value of the button that asks to take the address off the account. */
const NOT_ME = 'not-me';

/**
 * The page of a link that proves a user name: `/v1/usernames/{token}` for people. Only this
 * file knows `name-proofs`.
 */
@Controller('account/username')
@UseGuards(NameProofTokenGuard)
export class NameProofPage {
  constructor(
    private readonly proofs: NameProofsService,
    @Inject(NameProofShapes) private readonly shapes: NameProofShapes,
  ) {}

  /** GET changes nothing, because mail scanners open links. */
  @Get(':token')
  @PublicRoute('the token of the mail is the credential', 'Show the form that proves a user name')
  async show(
    @Ctx() ctx: RequestContext,
    @CurrentPage() page: OpenPage,
    @Param('token') token: string,
  ): Promise<string> {
    return nameProofForm(page, await this.openLink(ctx, page, token), {});
  }

  @Post(':token')
  @HttpCode(200)
  @PublicRoute('the token of the mail is the credential', 'Prove a user name, or take it off an account')
  async answer(
    @Ctx() ctx: RequestContext,
    @CurrentPage() page: OpenPage,
    @Param('token') token: string,
    @SentForm() { password, answer }: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    const link = await this.openLink(ctx, page, token);
    const { done, denied } = page.texts.nameProof;
    if (answer === NOT_ME) {
      await this.proofs.deny(ctx, token);
      return messagePage(page, denied, []);
    }
    page.showFaultsIn((errors) => nameProofForm(page, link, faultsOf(errors, page.texts)));
    try {
      await this.proofs.prove(ctx, token, await readBody(this.shapes.prove, { password }, false));
    } catch (error) {
      throw isWrongPassword(error) ? wrongPassword() : error;
    }
    return messagePage(page, done(addressForPeople(link.username)), ['logIn']);
  }

  private async openLink(ctx: RequestContext, page: OpenPage, token: string): Promise<OpenNameProof> {
    const link = await this.proofs.open(ctx, token);
    page.useLanguage(link.language);
    return link;
  }
}

const isWrongPassword = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'BAD_CREDENTIALS';

const wrongPassword = (): ValidationFailed =>
  ValidationFailed.on('password', fieldError('WRONG_PASSWORD', 'This is not the password of the account.'));

/** A missing password, a wrong one, or one that is no text. */
function faultsOf(errors: ErrorsByField, { faults, nameProof }: PageTexts): FieldFaults {
  const texts = (errors['password'] ?? []).map(({ reason }) =>
    reason === 'WRONG_PASSWORD'
      ? nameProof.wrongPassword
      : reason === 'REQUIRED'
        ? nameProof.missing
        : faults.other(),
  );
  return { password: texts };
}

function nameProofForm(page: OpenPage, { username }: OpenNameProof, faults: FieldFaults): string {
  const { texts } = page;
  const { title, intro, password, submit, notMe } = texts.nameProof;
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
      </form>
      <h2>${notMe.title}</h2>
      <p>${notMe.text}</p>
      <form method="post" novalidate>
        <button type="submit" name="answer" value="${NOT_ME}">${notMe.submit}</button>
      </form>`,
    prefixOf(form),
  );
}
