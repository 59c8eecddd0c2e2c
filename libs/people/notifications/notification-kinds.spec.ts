import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { explain } from '@app/platform/process/run-process';
import { type News, noticesOf, type NotificationKind, type Phrase } from './notification-kind';
import { DeclaredKinds, NotificationKinds } from './notification-kinds';

const WORDS: Phrase = ['Nieuwe boom', 'New tree', 'Nouvel arbre'];
const FACTS = { group: 'System', urgency: 'prompt', tells: ['contacts'], sentence: WORDS } as const;
const TO_USER = { sentence: WORDS, advice: { words: WORDS } };

const TREES = noticesOf('Tree', {
  new: { ...FACTS, heading: WORDS },
  felled: {
    group: 'Crm',
    heading: WORDS,
    sentence: WORDS,
    toUser: TO_USER,
    params: { reason: WORDS },
    urgency: 'canWait',
    tells: ['contacts', 'user', 'gone'],
  },
});

async function kindsOf(...domains: readonly Readonly<Record<string, NotificationKind>>[]) {
  const modules = domains.map((kinds) => {
    const useValue = new DeclaredKinds(Object.values(kinds));
    @Module({ providers: [{ provide: DeclaredKinds, useValue }] })
    class Domain {}
    return Domain;
  });
  const imports = [DiscoveryModule, ...modules];
  const app = await Test.createTestingModule({ imports, providers: [NotificationKinds] }).compile();
  await app.init();
  return app.get(NotificationKinds);
}

const row = (entityClass: string, type: string) => ({ entityClass, type, group: 'App' as const });

describe('the kinds of notifications', () => {
  it('are found in the modules of all domains', async () => {
    const bushes = noticesOf('Bush', { new: { ...FACTS, heading: WORDS } });
    const kinds = await kindsOf(TREES, bushes);
    expect(kinds.all).toEqual([TREES.new, TREES.felled, bushes.new]);
    expect(kinds.of(row('Bush', 'new'))).toBe(bushes.new);
    expect(kinds.params).toEqual({ reason: WORDS });
  });

  it('leave those that a client posts as they are', async () => {
    const kinds = await kindsOf(TREES);
    expect(kinds.of(row('Tree', 'watered'))).toEqual({ group: 'App', type: 'watered' });
    expect(kinds.of(row('Organisation', 'constructor'))).toEqual({ group: 'App', type: 'constructor' });
  });

  it('end the start in one line if two records are of one kind', async () => {
    const again = noticesOf('Tree', { new: { ...FACTS, heading: WORDS } });
    const error: unknown = await kindsOf(TREES, again).catch((failure: unknown) => failure);
    expect(explain(error)).toEqual(['Two records declare the kind of notification Tree.new']);
  });

  it('are recorded only if a module declares them', async () => {
    const kinds = await kindsOf(TREES);
    expect(() => kinds.assertDeclared(TREES.new)).not.toThrow();
    const { undeclared } = noticesOf('Tree', { undeclared: { ...FACTS, heading: WORDS } });
    expect(() => kinds.assertDeclared(undeclared)).toThrow('No module declares the kind Tree.undeclared');
  });
});

/** Each line below an expected error must not compile: `npm run typecheck` holds that. */
export const NOT_COMPILED = [
  // @ts-expect-error no words
  () => noticesOf('Tree', { new: { ...FACTS } }),
  // @ts-expect-error no French
  () => noticesOf('Tree', { new: { ...FACTS, heading: ['Boom', 'Tree'] } }),
  // @ts-expect-error no French of a param
  () => noticesOf('Tree', { new: { ...FACTS, heading: WORDS, params: { reason: ['Reden', 'Reason'] } } }),
  // @ts-expect-error no sentence
  () => noticesOf('Tree', { new: { ...FACTS, heading: WORDS, sentence: undefined } }),
  // @ts-expect-error no French sentence
  () => noticesOf('Tree', { new: { ...FACTS, heading: WORDS, sentence: ['Boom', 'Tree'] } }),
  // @ts-expect-error it tells the user, and has no words for it
  () => noticesOf('Tree', { new: { ...FACTS, tells: ['user'], heading: WORDS } }),
  () =>
    noticesOf('Tree', {
      // @ts-expect-error no advice to the user
      new: { ...FACTS, tells: ['user'], heading: WORDS, toUser: { sentence: WORDS } },
    }),
  // @ts-expect-error no urgency
  () => noticesOf('Tree', { new: { ...FACTS, heading: WORDS, urgency: undefined } }),
  // @ts-expect-error nobody is told
  () => noticesOf('Tree', { new: { ...FACTS, heading: WORDS, tells: undefined } }),
  // @ts-expect-error no group
  () => noticesOf('Tree', { new: { ...FACTS, heading: WORDS, group: undefined } }),
  // @ts-expect-error no fact has this name
  () => noticesOf('Tree', { new: { ...FACTS, heading: WORDS, advise: WORDS } }),
];

type NewsOfTree = News<typeof TREES.new>;
type NewsOfFelled = News<typeof TREES.felled>;
const NEWS = { organisationId: 1, entity: { id: 1, name: '' }, userId: null };
export const NO_NEWS = [
  // @ts-expect-error the kind has no such param
  (): NewsOfTree => ({ ...NEWS, params: { reason: 'storm' } }),
  // @ts-expect-error the kind tells no addresses besides the contacts
  (): NewsOfTree => ({ ...NEWS, extraRecipients: [] }),
  // @ts-expect-error the kind tells the user whom it is about
  (): NewsOfFelled => ({ ...NEWS, extraRecipients: [] }),
  // @ts-expect-error the kind tells addresses that go
  (): NewsOfFelled => ({ ...NEWS, aboutUserId: 1 }),
];
