/** A word of the interface, and what it stands for. */
export interface Described {
  readonly name: string;
  readonly description: string;
}
