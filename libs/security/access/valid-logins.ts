/**
 * SQL condition: a login is not too old. `idleSeconds` is the parameter with its lifetime after the last use.
 */
export const isLoginFresh = (alias: string, idleSeconds = '$2'): string =>
  `${alias}.expires_at > now() AND ${alias}.last_used_at > now() - make_interval(secs => ${idleSeconds})`;

/**
 * SQL condition: if it is a support login, it is still allowed. The database function `support_stands` has
 * the conditions.
 */
const isSupported = (alias: string, idleSeconds = '$2'): string =>
  `(${alias}.staff_id IS NULL OR support_stands(${alias}, ${idleSeconds}))`;

/**
 * SQL condition: if a link made the login, it still counts (rule login-links 27, rule login-links 31). The
 * database function `link_stands` has the conditions.
 */
const isLinked = (alias: string): string => `(${alias}.service_key_id IS NULL OR link_stands(${alias}))`;

/** SQL condition: a login is valid. */
export const isLoginAlive = (alias: string, idleSeconds?: string): string =>
  `${isLoginFresh(alias, idleSeconds)} AND ${isSupported(alias, idleSeconds)} AND ${isLinked(alias)}`;
