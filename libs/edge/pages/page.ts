import { createHash } from 'node:crypto';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { type Brand, type Brands, withBrand } from '@app/mail/brands';
import type { MailLanguage } from '@app/mail/mail.types';
import { BRAND_PARAMETER, type Sender } from '@app/mail/sender';
import { requestState } from '@app/platform/context/request-state';
import { composedValue } from '@app/platform/dto/composed-text';
import { DeferredBodyError } from '@app/platform/dto/json-body';
import { ApiError, BadRequest, type ErrorsByField } from '@app/platform/errors/api-error';
import type { AnswerReason } from '@app/platform/errors/reasons';
import { accessState } from '@app/security/context/access-state';
import { type Html, html } from './html';
import { PAGE_TEXTS, type PageButton } from './page-texts';
import type { Message } from './page-texts.types';
import { brandStyle } from './stylesheet';
import type { PageTexts } from './texts/en';
import { messagePage, type PageContext } from './views/layout';

/** Allows only these styles and the page's own form, and no frames. */
const policyWith = (styles: string): string =>
  [
    "default-src 'none'",
    `style-src ${styles}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/** The one style in the page that has this text (CSP, "hash-source"). */
const sourceOf = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** The languages of pages. The first one is the default. */
const LANGUAGES = ['nl', 'en', 'fr'] as const satisfies readonly MailLanguage[];

const languageOf = (request: Request): MailLanguage => {
  const best = request.acceptsLanguages(...LANGUAGES);
  return LANGUAGES.find((language) => language === best) ?? LANGUAGES[0];
};

/** Target of the button on an error page. */
const BUTTONS: Partial<Record<AnswerReason, readonly PageButton[]>> = {
  INVITATION_ACCEPTED: ['logIn', 'newPassword'],
  INVITATION_ENDED: ['logIn'],
  REQUEST_EXPIRED: ['newLink', 'logIn'],
  NAME_LINK_ENDED: ['logIn'],
  NOT_FOUND: ['logIn', 'newPassword'],
};

/** Pages that set a password. If their link is dead, a button leads to a new link. */
const PASSWORD_LINK = /^\/+account\/+password\//i;

/**
 * An invitation that was withdrawn, and the link of an older mail, are as unknown as a link that was cut off.
 */
const INVITATION_LINK = /^\/+account\/+invitation\//i;

/** Milliseconds that a page waits for its brand: a read takes few, and one that hangs keeps no page back. */
const MOST_BRAND_WAIT = 1000;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The page for a request, and its error pages. */
export class OpenPage implements PageContext {
  language: MailLanguage;
  readonly root: string;
  sender: Sender;
  private showFaults: ((faults: ErrorsByField) => string) | undefined;
  private refusal: { readonly why: Message; readonly buttons: readonly PageButton[] } | undefined;
  private facts: Html | undefined;
  private readonly path: string;
  private readonly linkKey: string | undefined;
  private carried: Promise<void> | undefined;

  constructor(
    request: Request,
    private readonly response: Response,
    private readonly operator: Sender,
    private readonly brands: Brands,
  ) {
    this.sender = operator;
    const [path = ''] = request.originalUrl.split('?');
    this.language = languageOf(request);
    this.path = path;
    const linkKey = request.query[BRAND_PARAMETER];
    this.linkKey = typeof linkKey === 'string' && UUID.test(linkKey) ? linkKey : undefined;
    this.root = '../'.repeat(Math.max(0, path.split('/').length - 2));
  }

  get texts(): PageTexts {
    return PAGE_TEXTS[this.language];
  }

  /** Switches to the language of the person. */
  useLanguage(language: MailLanguage): this {
    this.language = language;
    return this;
  }

  /**
   * The page, and its error pages, carry the brand for the organisation whose people it is about. A page
   * reads one brand: call this before anything shows.
   */
  carryBrandOf(organisationId: number): Promise<void> {
    return (this.carried ??= this.carry(this.brands.nearest(organisationId)));
  }

  /** A page that is about nobody carries the brand that its link names, as the mail with the link did. */
  carryBrandOfLink(): Promise<void> {
    return (this.carried ??= this.carry(this.brands.ofLink(this.linkKey)));
  }

  /** Without an answer of the database, the page is in the name that the settings give. */
  private async carry(read: Promise<Brand | undefined>): Promise<void> {
    const brand = await inTime(read);
    this.sender = withBrand(this.operator, brand);
    const { colour } = this.sender;
    const styles = colour === undefined ? '' : ` ${sourceOf(brandStyle(colour))}`;
    this.response.setHeader('Content-Security-Policy', policyWith(`'self'${styles}`));
  }

  /** Shows field errors in the form instead of on an error page. */
  showFaultsIn(form: (faults: ErrorsByField) => string): void {
    this.showFaults = form;
  }

  /** Also shows the known facts about the link on error pages. */
  tell(facts: Html | undefined): void {
    this.facts = facts;
  }

  /** Responds 400 with this page's own message about the dead link. */
  refuse(why: Message, buttons: readonly PageButton[]): never {
    this.refusal = { why, buttons };
    throw new BadRequest('The link does nothing any more');
  }

  /** An error as a page. */
  errorPage(error: ApiError): string {
    if (error.fields !== undefined && this.showFaults !== undefined) return this.showFaults(error.fields);
    const { errors, invitation, tryAgain, requestId } = this.texts;
    const wait = Number(error.headers['Retry-After'] ?? 0);
    const isDeadLink = error.reason === 'NOT_FOUND' && PASSWORD_LINK.test(this.path);
    const isUnknownInvitation = error.reason === 'NOT_FOUND' && INVITATION_LINK.test(this.path);
    return messagePage(
      this,
      this.refusal?.why ?? (isUnknownInvitation ? invitation.unknown : errors[error.reason]) ?? errors.other,
      this.refusal?.buttons ?? (isDeadLink ? ['newLink', 'logIn'] : (BUTTONS[error.reason] ?? [])),
      ...(this.facts === undefined ? [] : [this.facts]),
      ...(wait > 0 ? [html`<p>${tryAgain(durationIn(this.language, wait))}</p>`] : []),
      ...(error.status >= 500
        ? [html`<p class="note">${requestId(requestState(this.response).id)}</p>`]
        : []),
    );
  }
}

/** What is read, if that takes no longer than a page waits, and does not fail. */
async function inTime<Read>(read: Promise<Read>): Promise<Read | undefined> {
  const answered = new AbortController();
  const pause = pauseFor(MOST_BRAND_WAIT, undefined, { signal: answered.signal }).catch(() => undefined);
  try {
    return await Promise.race([read, pause]);
  } catch {
    return undefined;
  } finally {
    answered.abort();
  }
}

/** `40 seconds`, or whole minutes from two minutes on. */
function durationIn(language: MailLanguage, seconds: number): string {
  const [value, unit] = seconds < 120 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

const PAGE_PROPERTY = 'page';

type PageRequest = Request & { [PAGE_PROPERTY]?: OpenPage };

/** Makes the page of a request, and sets the headers of all pages. */
export const asPage =
  (sender: Sender, brands: Brands) =>
  (request: PageRequest, response: Response, next: NextFunction): void => {
    const state = accessState(response);
    const page = new OpenPage(request, response, sender, brands);
    request[PAGE_PROPERTY] = page;
    state.errorPage = (error) => page.errorPage(error);
    state.announceOrganisation = (organisationId) => page.carryBrandOf(organisationId);
    // A page that says that the database does not answer asks it nothing.
    state.readyErrorPage = async ({ status }) => {
      if (status !== 503) await page.carryBrandOfLink();
    };
    response.setHeader('Content-Security-Policy', policyWith("'self'"));
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.vary('Accept-Language');
    next();
  };

export const CurrentPage = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<PageRequest>()[PAGE_PROPERTY];
});

/**
 * The fields of a sent form, composed, so that a repeated password is compared as it counts. Browsers send
 * `application/x-www-form-urlencoded`; other types are ignored.
 */
export const SentForm = createParamDecorator(
  (_: unknown, context: ExecutionContext): Readonly<Record<string, unknown>> => {
    const request = context.switchToHttp().getRequest<Request>();
    const body = request.body as unknown;
    if (body === undefined) return {};
    if (body instanceof DeferredBodyError) throw body.answer;
    if (request.is('application/x-www-form-urlencoded') === false)
      throw new ApiError(415, 'MALFORMED_FORM', 'The body should be application/x-www-form-urlencoded');
    return composedValue(body) as Readonly<Record<string, unknown>>;
  },
);
