/** Memoises `load`, which runs at the first call, to keep the start fast. */
export function lazily<Loaded>(load: () => Loaded): () => Loaded {
  let loaded: { readonly value: Loaded } | undefined;
  return () => (loaded ??= { value: load() }).value;
}
