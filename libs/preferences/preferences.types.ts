/** What a user set of the panel's looks. */
export interface Preferences {
  readonly darkTheme: boolean;
  /** Objects of the client's own making, at most 16 kB of JSON in all. */
  readonly shortcuts: readonly object[];
}

/** What PATCH sets; undefined stays as it is. */
export type PreferencesChange = Partial<Preferences>;
