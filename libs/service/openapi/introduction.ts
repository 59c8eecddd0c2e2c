import type { PathsObject } from 'openapi3-ts/oas31';
import type { Settings } from '@app/config/settings';

const UNITS = { day: 86_400, hour: 3600, minute: 60, second: 1 } as const;

/** A duration in the largest unit that divides it: `7 days`. */
function inWords(seconds: number): string {
  const [unit, length] = Object.entries(UNITS).find(([, one]) => seconds % one === 0) ?? ['second', 1];
  const count = seconds / length;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const introduction = ({
  loginIdleTtl,
  loginMaxTtl,
}: Settings): string => `Accounts of a hosting control panel: organisations and what lies beneath them, users, invitations, contacts, keys and teams.

## Log in
\`POST /v1/login\` with \`username\` and \`password\` returns a \`hash\`: send it as it is in the \`Authorization\` header of \
every other call (\`Bearer <hash>\` is understood too). It ends ${inWords(loginIdleTtl)} after its last use, \
${inWords(loginMaxTtl)} after the login, or at \`POST /v1/logout\`.`;

const SECOND_STEP = `Where two-factor login is on, the login takes \`6digitCode\`, or as \`2faToken\` the \`hash2fa\` of an \
earlier login with \`trustThisDevice\`. After a right password, 401 carries one of four messages, never worded otherwise: \`2FA \
is requested\` (the user has to finish the set-up: \`POST /v1/enable2faandget2fasecret\`, then \`POST /v1/activate2fa\`), \`2FA \
is required\` (the organisation demands a second factor and the user has none), \`6digitCode is invalid\` (also when it is \
missing) and \`2FA token is invalid\`.

Programs use an API key instead of a login: its \`hash\` goes into the same header, from the addresses of its whitelist.`;

const NO_SECOND_STEP =
  'There is no second step here: a user with two-factor login on, or whose organisation ' +
  `requires it, is refused with 401 and the message \`2FA is required\`, one who has to finish ` +
  `its set-up with \`2FA is requested\`.`;

const LIMITED_CALLS =
  ', 429 instead of 401 after 60 calls without a valid credential from one address in a minute';

const conventions = ({ listLimitMax, strictBody, rateLimit }: Settings): string => `## Lists
Lists take \`limit\` (5 unless given, 0 for as many as allowed, which is ${listLimitMax}), \`offset\`, \`orderBy\`, \`orderType\` \
and \`filter\`. While rows remain after a page, and only then, \`Link: <…>; rel="next"\` leads to the next one: follow it until \
it is absent. Every GET of records also returns csv: \`Accept: text/csv\` or \`?format=csv\`. \`/docs/openapi-3.0.json\` is this \
document in OpenAPI 3.0.3, for generators that read no 3.1.

## Updates
PUT and PATCH alike change what the body holds and keep what it leaves out, whatever the value at creation was; \`null\` clears a \
field that may be null. What the body requires is sent each time, also with PATCH: \`name\` and \`taxNumber\` of an organisation, \
\`username\`, \`firstName\` and \`lastName\` of a user. Unknown fields are ${strictBody ? 'refused' : 'ignored'}. Texts that hold \
numbers or booleans are understood where those are declared, and numbers where text is.

## Read errors
Every refusal is JSON: \`code\` (the HTTP status), \`message\` (for people), \`reason\` (a stable word for programs) and \
\`requestId\` (also in the header \`X-Request-Id\`: name it when you ask for help). 400 after validation adds \
\`errors.children\`: only the failing fields, each with its texts; \`reasons\` beside it has the stable word of each text. It has \
two rounds: first the form of every field, and only when all are well formed what they mean together and what is stored (a name \
that is taken, a role that you may not give), so a corrected body can get a 400 for other fields.

A request is judged in this order: 401 the credential, 404 what the path addresses, 403 access to it, 500 with \`ROLE_REQUIRED\` \
the role for the operation (an answer, not a fault), 400 the body. 429 and 503 say in \`Retry-After\` how many seconds to wait. \
Beside the statuses of each operation: 405 for another method (\`Allow\` has those that there are; 404 for one that only the \
other variant has on this path), 408 for a request that has not arrived whole after 30 seconds${rateLimit ? LIMITED_CALLS : ''}.`;

/** What holds for all operations, under the settings of the service. */
export function introductionOf(paths: PathsObject, settings: Settings): string {
  const secondStep = '/v1/activate2fa' in paths ? SECOND_STEP : NO_SECOND_STEP;
  return [introduction(settings), secondStep, conventions(settings)].join('\n\n');
}
