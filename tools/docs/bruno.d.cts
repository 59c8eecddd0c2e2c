/** The files of a collection for Bruno, by their paths in its folder. */
export function brunoCollection(variant: 'A' | 'B', description: object): Map<string, string>;
