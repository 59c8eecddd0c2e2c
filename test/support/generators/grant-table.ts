/**
 * The rules of grants by class of operation, written by hand from docs/rules/grants.md and rights.md, and
 * deliberately not from privileges.ts: what the service answers is held against this.
 * The tables are read from top to bottom: who the people are, what a grant gives to whom, when it gives less,
 * and which operations are alike.
 */

/** What an organisation has given to another one: nothing, or a grant of one access, for teams or not. */
export const KINDS = ['none', 'read', 'read, teams', 'manage', 'manage, teams'] as const;
export type Kind = (typeof KINDS)[number];

/** The people of the grantee who may do something by a grant. */
export type Circle = 'nobody' | 'every user' | 'CUSTADMINs' | 'CUSTADMINs and team' | 'team';

/**
 * What of the second factor that a giver demands somebody has: `owned`: has one, which the login has not
 * passed.
 */
export type Factor = 'lacking' | 'owned' | 'passed';

/** One kind of person, with one kind of credential. */
export interface PersonRow {
  /** The circles that it belongs to. Who is in none uses no grant, whatever it is for. */
  readonly circles: readonly Circle[];
  readonly credential: 'login' | 'API key' | 'service key' | 'support login';
  readonly factor: Factor;
}

const CUSTADMIN: readonly Circle[] = ['every user', 'CUSTADMINs', 'CUSTADMINs and team'];
const IN_TEAM: readonly Circle[] = ['every user', 'CUSTADMINs and team', 'team'];
const USER: readonly Circle[] = ['every user'];
const NO_GRANT: readonly Circle[] = [];

const withLogin = (circles: readonly Circle[], factor: Factor = 'lacking'): PersonRow => ({
  circles,
  credential: 'login',
  factor,
});
const withKey = (circles: readonly Circle[], factor: Factor = 'lacking'): PersonRow => ({
  circles,
  credential: 'API key',
  factor,
});

/** Of the grantee, where nothing else is said. */
export const PEOPLE = {
  CUSTADMIN: withLogin(CUSTADMIN),
  'plain user': withLogin(USER),
  // rule grants 19: members of its teams and the grantee's CUSTADMINs. Its own roles give a member neither
  // more nor less.
  'member of the team': withLogin(IN_TEAM),
  'member of the team with the roles of all records': withLogin(IN_TEAM),
  // Its team holds the same records and adds keys likewise, but no grant names it.
  'member of another team with the roles of all records': withLogin(USER),
  // rule grants 83: uses no grant that the giver received, holds no record of a third organisation by a team.
  'member of the team who came by a grant': withLogin(NO_GRANT),
  // rule grants 85: until a manager of the giver adds this user to a team.
  'member of the team who came by a grant, and was added by a CUSTADMIN since': withLogin(IN_TEAM),
  // rule grants 23: an API key uses the grants that its user uses.
  'API key of CUSTADMIN': withKey(CUSTADMIN),
  'API key of a member of the team': withKey(IN_TEAM),
  // rule grants 24: grants give a service key nothing.
  'service key': { circles: NO_GRANT, credential: 'service key', factor: 'lacking' },
  // rule grants 25: a support login uses no grants.
  'support login of CUSTADMIN': { circles: NO_GRANT, credential: 'support login', factor: 'lacking' },
  'CUSTADMIN of a stranger': withLogin(NO_GRANT),
  // rule grants 21: a manager above the grantee may end it and set teams, but does not use it.
  'CUSTADMIN above the grantee': withLogin(NO_GRANT),

  // rule grants 52: one that this login has passed: an enabled authenticator, or a login made with a passkey.
  'CUSTADMIN with a passkey, by password': withLogin(CUSTADMIN, 'owned'),
  'CUSTADMIN by passkey': withLogin(CUSTADMIN, 'passed'),
  'CUSTADMIN with an authenticator': withLogin(CUSTADMIN, 'passed'),
  'member of the team with a passkey, by password': withLogin(IN_TEAM, 'owned'),
  'member of the team by passkey': withLogin(IN_TEAM, 'passed'),
  'member of the team with an authenticator': withLogin(IN_TEAM, 'passed'),
  // rule grants 54: a key counts only if the credential that last wrote its value had passed, and while the
  // key's user has one.
  'API key made by password': withKey(CUSTADMIN, 'owned'),
  'API key made by passkey': withKey(CUSTADMIN, 'passed'),
  'API key made with an authenticator': withKey(CUSTADMIN, 'passed'),
  'API key made by passkey, which is gone': withKey(CUSTADMIN, 'lacking'),
} satisfies Record<string, PersonRow>;
export type PersonName = keyof typeof PEOPLE;

/** What a class of operations is for whom. */
export interface ClassRow {
  /** Who may, by a grant of each kind; nobody may by none. */
  readonly by: Readonly<Record<Exclude<Kind, 'none'>, Circle>>;
  /** The answer to who uses a grant to manage, and may not. */
  readonly otherwise?: string;
  /** Addressed users on whom nobody acts by a grant, for the same answer. */
  readonly butNotOn?: readonly Addressed[];
}

/** The users of the giver whom paths name. */
export const ADDRESSED = ['a user', 'a CUSTADMIN', 'a user whose name is no address'] as const;
export type Addressed = (typeof ADDRESSED)[number];

/** The columns: by a grant to read, to read for teams, to manage, to manage for teams. */
const row = (...[read, readTeams, manage, manageTeams]: [Circle, Circle, Circle, Circle]): ClassRow => ({
  by: { read, 'read, teams': readTeams, manage, 'manage, teams': manageTeams },
});

const NEVER = { otherwise: '403 GRANT_DOES_NOT_COVER' };
/** rule grants 46: what a CUSTADMIN may not either keeps its own answer. */
const AS_ITS_CUSTADMIN = { otherwise: '500 ROLE_REQUIRED' };
const WHO_MANAGES = row('nobody', 'nobody', 'CUSTADMINs', 'CUSTADMINs and team');
const NOBODY = row('nobody', 'nobody', 'nobody', 'nobody');

export const CLASSES = {
  // rule grants 17: of `read` every user of the grantee; rule grants 19: the first team makes it for teams,
  // for `read` too; who manages reads.
  read: row('every user', 'CUSTADMINs and team', 'CUSTADMINs', 'CUSTADMINs and team'),
  // rule grants 17: a grant to read reads, nothing else; rule grants 31: what a CUSTADMIN of it may. Teams,
  // invitations, keys of SSH, news, contacts of it.
  list: WHO_MANAGES,
  write: WHO_MANAGES,
  // rule grants 35: never to invite, make, change, disable or delete a CUSTADMIN.
  'write of people': { ...WHO_MANAGES, ...NEVER, butNotOn: ['a CUSTADMIN'] },
  // rule grants 43: never contacts of a CUSTADMIN or of a user whose name is no address, lists and reads
  // included (rule grants 32).
  'contacts of people': {
    ...WHO_MANAGES,
    ...NEVER,
    butNotOn: ['a CUSTADMIN', 'a user whose name is no address'],
  },
  // rule grants 36, rule grants 37: service keys, webhooks, other people's API keys, passkeys, devices,
  // logins and second factors; rule grants 39: keys of SSH are not changed.
  'keys and secrets': { ...NOBODY, ...NEVER },
  // rule grants 38: the audit log, events, the list of who has access.
  feeds: { ...NOBODY, ...NEVER },
  documents: WHO_MANAGES,
  // rule grants 34: its parent; rule grants 1: not what lies beneath.
  tree: { ...NOBODY, ...NEVER },
  // rule grants 46: to delete, suspend and enable the organisation.
  'end of the organisation': { ...NOBODY, ...AS_ITS_CUSTADMIN },
  // rule grants 36: grants, suspensions, support access; B's `acls` are the same records (rule grants 78).
  grants: { ...NOBODY, ...NEVER },
  // rule rights 27: of the user alone: 403 for its CUSTADMIN too.
  'of oneself alone': { ...NOBODY, otherwise: '403 ACCESS_DENIED' },
  'of the operator': { ...NOBODY, ...AS_ITS_CUSTADMIN },
  // rule keys 58: for service keys that name it; 403 for everybody else.
  'of no person': { ...NOBODY, otherwise: '403 ACCESS_DENIED' },
} satisfies Record<string, ClassRow>;
export type ClassName = keyof typeof CLASSES;

/** Classes that are no operation: what people of the grantee get of records and news of the giver. */
export const OTHER_CLASSES = {
  // rule grants 30: a grant that reads shows the records; rule grants 19: nobody else, for `read`
  // too; rule grants 60: a team that holds one gives no more than the grant.
  'reading a record': row('every user', 'CUSTADMINs and team', 'CUSTADMINs', 'CUSTADMINs and team'),
  // rule grants 61: members of a team that holds the system, only by a grant to manage that names that team.
  'a key in authorizedkeys': row('nobody', 'nobody', 'nobody', 'team'),
  // rule grants 95: App, Crm, Domain, Finance and Mail, and of System what programs posted.
  'reading news': WHO_MANAGES,
  'reading what the service told System': NOBODY,
  // rule notifications 29: mails go to contacts of the organisation and of its users; rule grants 22: a grant
  // makes nobody one of them.
  'a mail with news': NOBODY,
} satisfies Record<string, ClassRow>;

/** When a grant gives less. */
export const STATES = {
  'in force': 'as the row says',
  // rule grants 58: grants rest while the giver is suspended, those that read too.
  'giver suspended': 'nothing',
  // rule grants 64: it ends at `dtExpires`.
  expired: 'nothing',
  // rule grants 51: `manage` counts for who has passed a factor, else 403 SECOND_FACTOR_REQUIRED; what a
  // grant to read allows goes on.
  'giver demands a second factor': 'without the factor what reading gives',
  // rule organisations 26: its people have no credential.
  'grantee suspended': '401',
} as const;
export type State = keyof typeof STATES;

/** The ways to ask. */
export type Way = 'guard' | 'forward-auth' | 'access list';

/**
 * The list of who has access speaks of users, not of logins: who owns a second factor can pass it
 * (rule rights 57).
 */
const hasFactor = ({ factor }: PersonRow, way: Way): boolean =>
  factor === 'passed' || (factor === 'owned' && way === 'access list');

/** The meeting of a person and an organisation. */
export interface Meeting {
  readonly person: PersonRow;
  readonly kind: Kind;
  readonly state: State;
  readonly way: Way;
  readonly addressed?: Addressed | undefined;
}

/** The answer to an operation of a class: `allowed`, or status and reason. */
export function answerOf(of: ClassRow, { person, kind, state, way, addressed }: Meeting): string {
  if (state === 'grantee suspended') return '401 UNAUTHORISED';
  if (kind === 'none' || STATES[state] === 'nothing') return '403 ACCESS_DENIED';
  const isIn = ({ by }: ClassRow): boolean => person.circles.includes(by[kind]);
  if (!isIn(CLASSES.write)) return isIn(of) ? 'allowed' : '403 ACCESS_DENIED';
  const isBeyond = addressed !== undefined && of.butNotOn?.includes(addressed) === true;
  if (!isIn(of) || isBeyond) return of.otherwise ?? '403 ACCESS_DENIED';
  const readsOn = of.by.read !== 'nobody';
  const isHeld = state === 'giver demands a second factor' && !readsOn && !hasFactor(person, way);
  return isHeld ? '403 SECOND_FACTOR_REQUIRED' : 'allowed';
}
