import { isDeepStrictEqual } from 'node:util';
import { type MailMessage, MailTransport } from '@app/mail/mail-transport';
import { ENTITY_KINDS } from '@app/records/entities/entity.types';
import { type PerVariant, VARIANTS } from '../../../qa/variants';
import { type Call, Wire, type WireResponse } from '../../support/generators/access-calls';
import { wordsOf } from '../../support/generators/access-cells';
import { lowerWriteBarrier, raiseWriteBarrier } from '../../support/generators/access-state';
import {
  accessIn,
  accessTo,
  answerTo,
  contactsIn,
  forwarded,
  type Meeting,
  meetingsOf,
  nameOfMeeting,
  newsIn,
  newsInMails,
  NO_NEWS,
  shownIn,
  surprisesOf,
} from '../../support/generators/grant-answers';
import {
  cellsBeyond,
  cellsOfGrants,
  cellsOutside,
  type GrantCell,
} from '../../support/generators/grant-cells';
import { CLASS_OF, OUTSIDE } from '../../support/generators/grant-classes';
import { CLASSES, type ClassRow, OTHER_CLASSES, PEOPLE, STATES } from '../../support/generators/grant-table';
import { addressOf, type GrantWorld, makeGrantWorld, POSTED } from '../../support/generators/grant-world';
import { Interface, nameOfRoute } from '../../support/generators/interface';
import { IS_FULL } from '../../support/generators/sampled';
import { asAdmin } from '../../support/service/client';
import { runJobs } from '../../support/service/jobs';
import { type TestService, useServices } from '../../support/service/service';

/** For a machine that does much else: thousands of requests. */
const LONG = 300_000;

/** How many cells there are at least. */
const LEAST: PerVariant<number> = { A: 18_000, B: 5_000 };
/** Classes that no route has which is tried in the variant. */
const NOT_MET: PerVariant<readonly string[]> = {
  A: [],
  B: ['end of the organisation', 'of no person'],
};

const ROLES = ['', '&role=ROLE_CUSTADMIN', '&role=ROLE_SYSTEM,ROLE_APP,ROLE_DOMAIN,ROLE_MAIL'];

describe.each(VARIANTS)('the tables of grants over HTTP, Variant %s', (variant) => {
  afterAll(() => wire.close());
  const mails: MailMessage[] = [];
  const transport: MailTransport = { deliver: (mail) => Promise.resolve(void mails.push(mail)) };
  // Variant A makes what only its routes make: passkeys, codes and API keys.
  const services = useServices([...new Set(['A', variant] as const)], {
    overrides: [[MailTransport, transport]],
  });
  let service: TestService;
  let wire: Wire;
  beforeAll(() => {
    service = services.at(-1) as TestService;
    wire = new Wire(service.url);
  });
  const counts: Record<string, number> = {};
  let description: Interface;
  let world: GrantWorld;
  let cells: readonly GrantCell[];
  let meetings: readonly Meeting[];
  let adminHash: string | undefined;

  beforeAll(async () => {
    description = await Interface.of(service);
    world = await makeGrantWorld(services[0] as TestService, service);
    cells = cellsOfGrants(description, world);
    meetings = meetingsOf(world);
    const admin = await asAdmin(service);
    adminHash = admin.hash;
    await runJobs(service);
    await raiseWriteBarrier(service);
  });
  afterAll(() => void process.stdout.write(`Cells of Variant ${variant}: ${JSON.stringify(counts)}\n`));

  const sendAll = (way: string, calls: readonly Call[]): Promise<WireResponse[]> => {
    counts[way] = calls.length;
    return wire.sendAll(calls);
  };
  const may = (of: ClassRow, meeting: Meeting): boolean => answerTo(of, meeting, 'guard') === 'allowed';

  it('knows the class of every operation, and meets every class, person and state', () => {
    const served = new Set(description.routes.flatMap(({ operation }) => operation ?? []));
    const unclassed = [...served].filter((operation) => !(operation in CLASS_OF) && !(operation in OUTSIDE));
    expect(unclassed).toEqual([]);
    const met = new Set<string>(cells.map(({ of }) => of));
    expect(Object.keys(CLASSES).filter((of) => !met.has(of))).toEqual(IS_FULL ? [] : NOT_MET[variant]);
    expect(new Set(meetings.map(({ person }) => person.name))).toEqual(new Set(Object.keys(PEOPLE)));
    expect(new Set(meetings.map(({ giver }) => giver.state))).toEqual(new Set(Object.keys(STATES)));
    expect(cells.length).toBeGreaterThan(LEAST[variant]);
  });

  it(
    'hold in the answers of every route',
    async () => {
      const responses = await sendAll(
        'guard',
        cells.map(({ route, path, person }) => ({
          method: route.method,
          path,
          hash: person.client.hash,
          body: Object.keys(route.fields).length === 0 ? undefined : {},
        })),
      );
      expect(surprisesOf(cells, 'guard', responses.map(wordsOf))).toEqual([]);
    },
    LONG,
  );

  it('hold in forward-auth, where nobody has a role by a grant', async () => {
    const asked = meetings.flatMap((meeting) => ROLES.map((role) => ({ ...meeting, role })));
    const responses = await sendAll(
      'forward-auth',
      asked.map(({ giver, person, role }) => ({
        method: 'GET',
        path: `/v1/access/forward?organisation=${giver.organisationId}${role}`,
        hash: person.client.hash,
      })),
    );
    const wrong = asked.flatMap(({ role, ...meeting }, index) => {
      const expected = forwarded(meeting, role);
      const { status } = responses[index] as WireResponse;
      const line = `${nameOfMeeting(meeting)}${role} is ${expected}, answered ${status}`;
      return String(status) === expected ? [] : [line];
    });
    expect(wrong).toEqual([]);
  });

  it('say nothing of what addresses no organisation', async () => {
    const outside = cellsOutside(description, world);
    const responses = await sendAll(
      'outside',
      outside.map(({ route: { method }, path, person: { client } }) => ({
        method,
        path,
        hash: client.hash,
        body: {},
      })),
    );
    const nameOf = ({ person, route }: (typeof outside)[number]): string =>
      `${person.name}: ${nameOfRoute(route)}`;
    expect(outside.map((cell, index) => [nameOf(cell), wordsOf(responses[index] as WireResponse)])).toEqual(
      outside.map((cell) => [nameOf(cell), cell.expected]),
    );
  });

  it('hold in what everybody lists: organisations, and records in the own overview', async () => {
    const { people } = world;
    const lists = await sendAll(
      'lists',
      people.flatMap(({ client: { hash }, organisationId }) => [
        { method: 'GET', path: '/v1/organisations?limit=0', hash },
        { method: 'GET', path: `/v1/organisations/${organisationId}/entities`, hash },
      ]),
    );
    const wrong = meetings.flatMap((meeting) => {
      const { giver, person } = meeting;
      // Who has no credential lists nothing.
      if (giver.state === 'grantee suspended') return [];
      const at = 2 * people.indexOf(person);
      const got = shownIn(lists.slice(at, at + 2), giver);
      const expected = {
        organisation: may(CLASSES.read, meeting),
        records: may(OTHER_CLASSES['reading a record'], meeting) ? ENTITY_KINDS.join() : '',
      };
      return isDeepStrictEqual(got, expected) ? [] : [{ of: nameOfMeeting(meeting), got }];
    });
    expect(wrong).toEqual([]);
  });

  it('hold in the list of who has access, which names who agreed', async () => {
    // Of who is suspended nobody asks, or the rules do not say what is shown.
    const givers = world.givers.filter(({ state }) => !state.endsWith('suspended'));
    const lists = await sendAll(
      'access list',
      givers.map(({ organisationId, custadmin }) => ({
        method: 'GET',
        path: `/v1/organisations/${organisationId}/access?limit=0`,
        hash: custadmin.client.hash,
      })),
    );
    const got = givers.map(({ name }, index) => [
      name,
      accessIn(lists[index] as WireResponse, world.granteeId),
    ]);
    expect(got).toEqual(givers.map((giver) => [giver.name, accessTo(giver, world.people)]));
  });

  it('hold for keys that let into a system', async () => {
    const lists = await sendAll(
      'authorizedkeys',
      world.givers.map(({ entities }) => ({
        method: 'GET',
        path: `/v1/entities/systems/${entities.system}/authorizedkeys`,
        hash: adminHash,
      })),
    );
    const wrong = meetings
      .filter(({ person }) => person.row.credential === 'login')
      .flatMap((meeting) => {
        const { text } = lists[world.givers.indexOf(meeting.giver)] as WireResponse;
        const got = text.split('\n').some((line) => line.endsWith(` user:${meeting.person.subject.id}`));
        const expected = may(OTHER_CLASSES['a key in authorizedkeys'], meeting);
        return got === expected ? [] : [`${nameOfMeeting(meeting)}: ${expected}, answered ${got}`];
      });
    expect(wrong).toEqual([]);
  });

  it('hold for news: of System only what programs posted', async () => {
    const lists = await sendAll(
      'news',
      meetings.map(({ giver, person }) => ({
        method: 'GET',
        path: `/v1/organisations/${giver.organisationId}/notifications?limit=0`,
        hash: person.client.hash,
      })),
    );
    const wrong = meetings.flatMap((meeting, index) => {
      const got = newsIn(lists[index] as WireResponse);
      const posted = may(OTHER_CLASSES['reading news'], meeting) ? POSTED : [];
      const isTold = may(OTHER_CLASSES['reading what the service told System'], meeting);
      return String(got.posted) === String(posted) && got.ofService > 0 === isTold
        ? []
        : [{ of: nameOfMeeting(meeting), posted, got }];
    });
    expect(wrong).toEqual([]);
  });

  it('hold for mails, which tell nobody news by a grant', () => {
    const got = meetings.map(({ person, giver }) => newsInMails(mails, addressOf(person.subject.id), giver));
    counts['mails'] = got.length;
    const wrong = meetings.flatMap((meeting, at) => {
      const isTold = may(OTHER_CLASSES['a mail with news'], meeting);
      return !isTold && isDeepStrictEqual(got[at], NO_NEWS) ? [] : [nameOfMeeting(meeting)];
    });
    expect(wrong).toEqual([]);
    for (const giver of world.givers.filter(({ state }) => state === 'in force')) {
      const { own, byGrant } = contactsIn(mails, giver);
      expect(own).toEqual({ posted: POSTED, ofService: 1 });
      const posted = POSTED.filter((group) => group !== 'System');
      if (byGrant !== undefined) expect(byGrant).toEqual({ posted, ofService: 0 });
    }
  });

  it('end where a body goes beyond what a grant covers', async () => {
    await lowerWriteBarrier(service);
    const beyond = cellsBeyond(world, variant);
    const calls = beyond.map(({ call }) => call);
    const responses = await sendAll('bodies', calls);
    const wrong = beyond.flatMap(({ name }, index) => {
      const { status, reason } = responses[index] as WireResponse;
      return reason === 'GRANT_DOES_NOT_COVER' ? [] : [`${name}, answered ${status} ${reason}`];
    });
    expect(wrong).toEqual([]);
    expect(beyond.length).toBeGreaterThan(50);
  });
});
