import { SOURCE_FILES } from '../../test/support/generators/table-owners';
import { CLEAN_UPS, DELETION_HANDLERS, JOB_HANDLERS, PERSONAL_DATA, USER_EVENT_HANDLERS } from './extensions';

const LISTS = {
  JobHandler: JOB_HANDLERS,
  CleanUp: CLEAN_UPS,
  DeletionHandler: DELETION_HANDLERS,
  PersonalData: PERSONAL_DATA,
  UserEventHandler: USER_EVENT_HANDLERS,
} as const;

/** The kinds that a class of records of users is, by what it declares. */
const kindsOfRecords = (body: string): readonly string[] => [
  'DeletionHandler',
  'PersonalData',
  ...(/\b(addedAt =|deleteSince\()/.test(body) ? ['UserEventHandler'] : []),
];

describe.each(Object.entries(LISTS))('the list of every %s', (kind, list) => {
  it('names each class of the kind once', () => {
    const declared = SOURCE_FILES.flatMap(({ text }) =>
      [...text.matchAll(/class (\w+) extends (\w+)(.*?)^}/gms)].flatMap(([, name, extended, body = '']) => {
        const kinds = extended === 'UserRecords' ? kindsOfRecords(body) : [extended];
        return kinds.includes(kind) && name !== 'UserRecords' ? [name] : [];
      }),
    );
    expect(declared.length).toBeGreaterThan(5);
    expect(list.map(({ name }) => name).sort()).toEqual(declared.sort());
  });
});
