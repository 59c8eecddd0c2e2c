import { escapedHtml } from '@app/mail/mail-html';

/** Escaped HTML. Only {@link html} creates it. */
export class Html {
  constructor(readonly text: string) {}
}

/** Values in a template. Texts are escaped; undefined prints nothing. */
type Value = string | Html | readonly Html[] | undefined;

const textOf = (value: Value): string => {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapedHtml(value);
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('');
};

/** A template of HTML. Escapes every text for use between tags and in quoted attributes. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(parts.reduce((before, part, index) => before + textOf(values[index - 1]) + part));
