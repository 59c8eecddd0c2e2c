import type { Response } from 'supertest';

/** The text of a piece of HTML, as a reader sees it. */
export const textOf = (part: string | undefined): string =>
  (part ?? '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The heading of a page. */
export const headingOf = ({ text }: Response): string => textOf(/<h1>([^]*?)<\/h1>/.exec(text)?.[1]);
