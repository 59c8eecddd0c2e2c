/** The description with every shared parameter, response, example and header written out where an operation refers to it. */
export function writtenOut(description: object): object;
