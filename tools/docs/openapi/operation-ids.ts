/**
 * The name of an operation in generated clients: controller and method in camel case, as in `contactsCreate`.
 * A word that ends the controller and begins the method appears once: `PdfDownloadController.download` is
 * `pdfDownload`, `IntrospectionController.introspect` is `introspect`.
 */
export function operationIdOf(controller: string, method: string): string {
  const words = wordsOf(controller.replace(/Controller[AB]?$/, ''));
  const verb = wordsOf(method);
  if (stemOf(words.at(-1)) === stemOf(verb[0])) words.pop();
  const name = [...words, ...verb].join('');
  return name.charAt(0).toLowerCase() + name.slice(1);
}

const wordsOf = (name: string): string[] => (name.charAt(0).toUpperCase() + name.slice(1)).split(/(?=[A-Z])/);

/** The first five letters, which are the same in all forms of a word: introspect, introspection. */
const stemOf = (word = ''): string => word.slice(0, 5).toLowerCase();
