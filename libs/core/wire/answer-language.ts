import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';

/** Languages that names of reference data are written in; the first where a request asks for none of them. */
const ANSWER_LANGUAGES = ['en', 'nl', 'fr'] as const;

export type AnswerLanguage = (typeof ANSWER_LANGUAGES)[number];

/** What a request likes best (`Accept-Language`). */
function languageOf(request: Pick<Request, 'acceptsLanguages'>): AnswerLanguage {
  const [first] = ANSWER_LANGUAGES;
  const best = request.acceptsLanguages(...ANSWER_LANGUAGES);
  return ANSWER_LANGUAGES.find((language) => language === best) ?? first;
}

/** The language to answer in; the response says which one it is. */
export const TheLanguage = createParamDecorator((_: unknown, context: ExecutionContext): AnswerLanguage => {
  const http = context.switchToHttp();
  const language = languageOf(http.getRequest<Request>());
  http.getResponse<Response>().setHeader('Content-Language', language);
  return language;
});
