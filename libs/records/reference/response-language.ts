import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';

/** Languages of reference data; the first is the default. */
const ANSWER_LANGUAGES = ['en', 'nl', 'fr'] as const;

export type AnswerLanguage = (typeof ANSWER_LANGUAGES)[number];

/** The language of the response: the best match for `Accept-Language`. Sets `Content-Language`. */
export const ResponseLanguage = createParamDecorator(
  (_: unknown, context: ExecutionContext): AnswerLanguage => {
    const http = context.switchToHttp();
    const [first] = ANSWER_LANGUAGES;
    const best = http.getRequest<Request>().acceptsLanguages(...ANSWER_LANGUAGES);
    const language = ANSWER_LANGUAGES.find((answered) => answered === best) ?? first;
    http.getResponse<Response>().setHeader('Content-Language', language);
    return language;
  },
);
