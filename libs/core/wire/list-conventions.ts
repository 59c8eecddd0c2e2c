/** What every list of the running variant takes, beside the parameters that both variants have. */
export abstract class ListConventions {
  /** Whether `tag` is a parameter. */
  abstract readonly tag: boolean;
}
