/** Memoises `load`, which runs at the first call: keeps start-up fast. */
export function lazily<Loaded>(load: () => Loaded): () => Loaded {
  let loaded: { readonly value: Loaded } | undefined;
  return () => (loaded ??= { value: load() }).value;
}
