import { escapedHtml } from '@app/mail/mail-html';

/** Escaped HTML. Only {@link html} and {@link styleElement} create it. */
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

/** A style as it is: an entity would count as a part of it. No text that somebody chose stands in it. */
export const styleElement = (style: string): Html => new Html(`<style>${style}</style>`);
