/** Gives what `load` gives, which runs when it is first asked for: what the start does not need is no part of it. */
export function lazily<Loaded>(load: () => Loaded): () => Loaded {
  let loaded: { readonly value: Loaded } | undefined;
  return () => (loaded ??= { value: load() }).value;
}
