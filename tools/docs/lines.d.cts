/** An item of a list, in lines that are not too long. */
export function item(text: string): string;
