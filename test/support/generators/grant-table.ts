/**
 * The rules of grants by class of operation, written by hand from decisions.md 3, 12.1, 12.4, 12.5, 12.8,
 * 14.1, 15.4, 15.9 and 15.11, and deliberately not from privileges.ts: what the service answers is held
 * against this. The tables are read from top to bottom: who the people are, what a grant gives to whom, when
 * it gives less, and which operations are alike.
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
  // 14.1: "members of its teams and the grantee's CUSTADMINs". Its own roles give a member neither more nor
  // less.
  'member of the team': withLogin(IN_TEAM),
  'member of the team with the roles of all records': withLogin(IN_TEAM),
  // Its team holds the same records and adds keys likewise, but no grant names it.
  'member of another team with the roles of all records': withLogin(USER),
  // 15.4: "uses no grant that the giver received, holds no record of a third organisation by a team".
  'member of the team who came by a grant': withLogin(NO_GRANT),
  // 15.4: "until a manager of the giver adds this user to a team".
  'member of the team who came by a grant, and was added by a CUSTADMIN since': withLogin(IN_TEAM),
  // 14.1: "A user's API keys follow the user".
  'API key of CUSTADMIN': withKey(CUSTADMIN),
  'API key of a member of the team': withKey(IN_TEAM),
  // 12.1, 14.1: "Grants give a service key nothing".
  'service key': { circles: NO_GRANT, credential: 'service key', factor: 'lacking' },
  // 15.11: "A support login uses no grants".
  'support login of CUSTADMIN': { circles: NO_GRANT, credential: 'support login', factor: 'lacking' },
  'CUSTADMIN of a stranger': withLogin(NO_GRANT),
  // 14.1: "A manager above the grantee may end it and set teams, but does not use it".
  'CUSTADMIN above the grantee': withLogin(NO_GRANT),

  // 15.4: "one that this login has passed: an enabled authenticator, or a login made with a passkey".
  'CUSTADMIN with a passkey, by password': withLogin(CUSTADMIN, 'owned'),
  'CUSTADMIN by passkey': withLogin(CUSTADMIN, 'passed'),
  'CUSTADMIN with an authenticator': withLogin(CUSTADMIN, 'passed'),
  'member of the team with a passkey, by password': withLogin(IN_TEAM, 'owned'),
  'member of the team by passkey': withLogin(IN_TEAM, 'passed'),
  'member of the team with an authenticator': withLogin(IN_TEAM, 'passed'),
  // 15.4: a key "counts only if the credential that last wrote its value had passed", "while the key's user
  // has one".
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
/** 14.1: "What a CUSTADMIN may not either keeps its own answer." */
const AS_ITS_CUSTADMIN = { otherwise: '500 ROLE_REQUIRED' };
const WHO_MANAGES = row('nobody', 'nobody', 'CUSTADMINs', 'CUSTADMINs and team');
const NOBODY = row('nobody', 'nobody', 'nobody', 'nobody');

export const CLASSES = {
  // 3, 14.1: of `read` "every user of the grantee"; "the first team makes it true […] for `read` too"; who
  // manages reads.
  read: row('every user', 'CUSTADMINs and team', 'CUSTADMINs', 'CUSTADMINs and team'),
  // 10: "the grant reads, nothing else"; 14.1: "what a CUSTADMIN of it may". Teams, invitations, keys of SSH,
  // news, contacts of it.
  list: WHO_MANAGES,
  write: WHO_MANAGES,
  // 14.1: never "invite, make, change, disable or delete a CUSTADMIN".
  'write of people': { ...WHO_MANAGES, ...NEVER, butNotOn: ['a CUSTADMIN'] },
  // 14.1: never "contacts of a CUSTADMIN or of a user whose name is no address", lists and reads included.
  'contacts of people': {
    ...WHO_MANAGES,
    ...NEVER,
    butNotOn: ['a CUSTADMIN', 'a user whose name is no address'],
  },
  // 14.1: service keys, webhooks, "other people's API keys, passkeys, devices, logins and second factors";
  // keys of SSH "not changed".
  'keys and secrets': { ...NOBODY, ...NEVER },
  // 14.1: "the audit log, events"; 14.3: the list of who has access.
  feeds: { ...NOBODY, ...NEVER },
  documents: WHO_MANAGES,
  // 14.1: "change its parent"; "what lies beneath".
  tree: { ...NOBODY, ...NEVER },
  // 15.9: "deleting, suspending and enabling the organisation are not of the list".
  'end of the organisation': { ...NOBODY, ...AS_ITS_CUSTADMIN },
  // 14.1: "grants, suspensions, support access"; B's `acls` are the same records.
  grants: { ...NOBODY, ...NEVER },
  // 3: of the user alone: 403 for its CUSTADMIN too.
  'of oneself alone': { ...NOBODY, otherwise: '403 ACCESS_DENIED' },
  'of the operator': { ...NOBODY, ...AS_ITS_CUSTADMIN },
} satisfies Record<string, ClassRow>;
export type ClassName = keyof typeof CLASSES;

/** Classes that are no operation: what people of the grantee get of records and news of the giver. */
export const OTHER_CLASSES = {
  // 12.4, 15.4: a grant that reads shows the records; "nobody else, for `read` too"; a team that holds one
  // gives no more than the grant.
  'reading a record': row('every user', 'CUSTADMINs and team', 'CUSTADMINs', 'CUSTADMINs and team'),
  // 12.4: "who uses a `manage` grant of the owner may `manage` its records"; 15.4: "Reading opens no door".
  'managing a record': WHO_MANAGES,
  // 15.4: members of a team that holds the system, "only by a grant that manages and names that team".
  'a key in authorizedkeys': row('nobody', 'nobody', 'nobody', 'team'),
  // 15.4: App, Crm, Domain, Finance and Mail, and "of System what programs posted".
  'reading news': WHO_MANAGES,
  'reading what the service told System': NOBODY,
  // 8: mails go to contacts of the organisation and of its users, whom a grant makes nobody.
  'a mail with news': NOBODY,
} satisfies Record<string, ClassRow>;

/** When a grant gives less. */
export const STATES = {
  'in force': 'as the row says',
  // 15.9: "Grants rest while the giver is suspended, those that read too".
  'giver suspended': 'nothing',
  // 14.1: "It ends […] at `dtExpires`".
  expired: 'nothing',
  // 14.1, 15.4: `manage` counts for who has passed a factor, else 403 SECOND_FACTOR_REQUIRED; "reading by the
  // grant goes on".
  'giver demands a second factor': 'without the factor what reading gives',
  // 12.2, 14.1: its people have no credential.
  'grantee suspended': '401',
} as const;
export type State = keyof typeof STATES;

/** The ways to ask. */
export type Way = 'guard' | 'explain' | 'evaluation' | 'forward-auth';

/**
 * Ways that cannot ask: 12.4 knows users and service keys, none of their credentials; 12.3 asks of one
 * organisation at a time.
 */
export const canExpress: Readonly<Record<Way, (person: PersonRow) => boolean>> = {
  guard: () => true,
  // 12.8, explained with the credential itself.
  explain: () => true,
  evaluation: ({ credential }) => credential === 'login' || credential === 'service key',
  'forward-auth': () => true,
};

/** 15.4: "For a question about a user without a login (evaluation) owning one counts." */
const hasFactor = ({ factor }: PersonRow, way: Way): boolean =>
  factor === 'passed' || (factor === 'owned' && way === 'evaluation');

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
