/** Text in lines that are not too long. `first` begins the first one, and the others are as far in. */
export function wrapped(text: string, first?: string): string;

/** An item of a list. */
export function item(text: string): string;
