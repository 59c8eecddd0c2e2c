/** The names of the fields that a 400 complains of, in alphabetical order. */
export const failingFields = ({ body }: { readonly body: unknown }): string[] =>
  Object.keys((body as { errors?: { children?: object } }).errors?.children ?? {}).sort();
