import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { MailLanguage } from '@app/mail/mail.types';
import { DeferredBodyError } from '@app/platform/dto/json-body';
import { ApiError, BadRequest, type FieldErrors } from '@app/platform/errors/api-error';
import { requestState } from '@app/platform/http/request-state';
import type { PasswordRules } from '@app/security/passwords/password-rules';
import { html } from './html';
import { type Message, PAGE_TEXTS, type PageTexts } from './page-texts';
import { messagePage, type Place } from './views/layout';
import type { FieldFaults, FieldName } from './views/password-form';

/** Nothing but the stylesheet and the form of the page itself; nobody frames it. */
const SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** The languages of pages; the first is that of a browser that asks for none of them. */
const LANGUAGES = ['nl', 'en', 'fr'] as const satisfies readonly MailLanguage[];

const languageOf = (request: Request): MailLanguage => {
  const best = request.acceptsLanguages(...LANGUAGES);
  return LANGUAGES.find((language) => language === best) ?? LANGUAGES[0];
};

/** The page that a request gets, and how its errors look. */
export class Page implements Place {
  language: MailLanguage;
  readonly root: string;
  private showFaults: ((faults: FieldErrors) => string) | undefined;
  private refusal: Message | undefined;

  constructor(
    request: Request,
    private readonly requestId: string,
  ) {
    const [path = ''] = request.originalUrl.split('?');
    this.language = languageOf(request);
    this.root = '../'.repeat(Math.max(0, path.split('/').length - 2));
  }

  get texts(): PageTexts {
    return PAGE_TEXTS[this.language];
  }

  /** From now on in the language of the person. */
  speak(language: MailLanguage): this {
    this.language = language;
    return this;
  }

  /** Shows faults of fields in the form, not on a page of their own. */
  showFaultsIn(rules: PasswordRules, form: (faults: FieldFaults) => string): void {
    this.showFaults = (errors) => form(textsOf(errors, this.texts, rules));
  }

  /** Answers 400, and says in the words of this page why its link does nothing any more. */
  refuse(why: Message): never {
    this.refusal = why;
    throw new BadRequest('The link does nothing any more');
  }

  /** An error as a page. */
  errorPage(error: ApiError): string {
    if (error.fields !== undefined && this.showFaults !== undefined) return this.showFaults(error.fields);
    const { errors, tryAgain, requestId } = this.texts;
    const wait = Number(error.headers['Retry-After'] ?? 0);
    return messagePage(
      this,
      this.refusal ?? errors[error.reason] ?? errors.other,
      ...(wait > 0 ? [html`<p>${tryAgain(durationIn(this.language, wait))}</p>`] : []),
      ...(error.status >= 500 ? [html`<p class="note">${requestId(this.requestId)}</p>`] : []),
    );
  }
}

/** The field of the form that shows a fault: whatever is no password is about the user name. */
const fieldOf = (name: string): FieldName => (name === 'password' || name === 'repeated' ? name : 'email');

/** The faults of the fields of a form, in the language of its page. */
function textsOf(errors: FieldErrors, { faults }: PageTexts, rules: PasswordRules): FieldFaults {
  const texts: Partial<Record<FieldName, string[]>> = {};
  for (const [name, found] of Object.entries(errors)) {
    const known = (texts[fieldOf(name)] ??= []);
    for (const { reason } of found) known.push((faults[reason] ?? faults.other)(rules));
  }
  for (const [name, found] of Object.entries(texts)) texts[name as FieldName] = [...new Set(found)];
  return texts;
}

/** `40 seconds`, or whole minutes from two minutes on. */
function durationIn(language: MailLanguage, seconds: number): string {
  const [value, unit] = seconds < 120 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

const PAGE_PROPERTY = 'page';

type PageRequest = Request & { [PAGE_PROPERTY]?: Page };

/** Makes the page of a request, and sets the headers of all pages. */
export function asPage(request: PageRequest, response: Response, next: NextFunction): void {
  const state = requestState(response);
  const page = new Page(request, state.id);
  request[PAGE_PROPERTY] = page;
  state.errorPage = (error) => page.errorPage(error);
  response.setHeader('Content-Security-Policy', SECURITY_POLICY);
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.vary('Accept-Language');
  next();
}

export const ThePage = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<PageRequest>()[PAGE_PROPERTY];
});

/** The fields of a sent form: a browser sends them as `application/x-www-form-urlencoded`, and nothing else is taken. */
export const SentForm = createParamDecorator(
  (_: unknown, context: ExecutionContext): Readonly<Record<string, unknown>> => {
    const request = context.switchToHttp().getRequest<Request>();
    const body = request.body as unknown;
    if (body === undefined) return {};
    if (body instanceof DeferredBodyError) throw body.answer;
    if (request.is('application/x-www-form-urlencoded') === false)
      throw new ApiError(415, 'MALFORMED_FORM', 'The body should be application/x-www-form-urlencoded');
    return body as Readonly<Record<string, unknown>>;
  },
);
