import type { RequestHandler } from 'express';

const BASIC = /^\s*Basic\s+([\w+/-]+={0,2})\s*$/i;

/**
 * Takes the credential of the caller by HTTP Basic too, as many ready-made clients of RFC 7662 send it: the
 * password is the hash, the user name does not count (rule other-services 12). From here on it is a
 * credential like any other: its attempts, its use and its refusals count in the same way.
 */
export const basicCredential: RequestHandler = ({ headers }, _response, next) => {
  const [, encoded] = BASIC.exec(headers.authorization ?? '') ?? [];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString();
  // A user name holds no colon (RFC 7617).
  const password = text.includes(':') ? text.slice(text.indexOf(':') + 1) : '';
  if (password !== '') headers.authorization = password;
  next();
};
