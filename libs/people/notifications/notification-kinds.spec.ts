import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { explain } from '@app/platform/process/run-process';
import { DECLARED_KINDS } from '../../../test/support/generators/notification-kinds';
import { type NotificationKind, notificationKinds, type Phrase } from './notification-kind';
import { DeclaredKinds, NotificationKinds } from './notification-kinds';

const WORDS: Phrase = ['Nieuwe boom', 'New tree', 'Nouvel arbre'];
const FACTS = { group: 'System', urgency: 'prompt', recipients: ['contacts'], sentence: WORDS } as const;
const TO_USER = { sentence: WORDS, advice: { words: WORDS } };

const TREES = notificationKinds('Tree', {
  new: { ...FACTS, heading: WORDS },
  felled: {
    group: 'Crm',
    heading: WORDS,
    sentence: WORDS,
    toUser: TO_USER,
    params: { reason: WORDS },
    urgency: 'canWait',
    recipients: ['contacts', 'user', 'removedAddress'],
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
    const bushes = notificationKinds('Bush', { new: { ...FACTS, heading: WORDS } });
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
    const again = notificationKinds('Tree', { new: { ...FACTS, heading: WORDS } });
    const error: unknown = await kindsOf(TREES, again).catch((failure: unknown) => failure);
    expect(explain(error)).toEqual(['Two records declare the kind of notification Tree.new']);
  });

  it('are recorded only if a module declares them', async () => {
    const kinds = await kindsOf(TREES);
    expect(() => kinds.assertFits(TREES.new, {})).not.toThrow();
    const { undeclared } = notificationKinds('Tree', { undeclared: { ...FACTS, heading: WORDS } });
    expect(() => kinds.assertFits(undeclared, {})).toThrow('No module declares the kind Tree.undeclared');
  });

  it('are recorded only with what they ask for, and nothing that they have no words or readers for', async () => {
    const kinds = await kindsOf(TREES);
    const extraRecipients = [] as const;
    const fitting = { aboutUserId: null, params: { reason: 'storm' }, extraRecipients };
    expect(() => kinds.assertFits(TREES.felled, fitting)).not.toThrow();
    expect(() => kinds.assertFits(TREES.new, { aboutUserId: 1 })).not.toThrow();
    for (const [kind, input, fault] of [
      [TREES.felled, { extraRecipients }, 'Tree.felled tells a user: the notification has to say whom'],
      [TREES.felled, { aboutUserId: 1 }, 'Tree.felled tells addresses, which the notification lacks'],
      [TREES.felled, { ...fitting, params: { toString: 1 } }, 'Tree.felled has no word for toString'],
      [TREES.new, { params: { reason: 'storm' } }, 'Tree.new has no word for reason'],
      [TREES.new, { extraRecipients }, 'Tree.new tells no addresses of its own'],
    ] as const)
      expect(() => kinds.assertFits(kind, input)).toThrow(fault);
  });
});

/** What each kind says; `*.notifications.ts` declares them as plain records. */
describe.each(DECLARED_KINDS)('the kind $name', ({ kind }) => {
  it('has every word, and words for each reader that it tells', () => {
    const { heading, sentence, toUser, advice, params = {}, recipients, group } = kind;
    const phrases = [heading, sentence, ...Object.values(params)];
    for (const words of toUser === undefined ? [] : [toUser.sentence, toUser.advice.words])
      phrases.push(words);
    if (advice !== undefined) phrases.push(advice.words);
    for (const phrase of phrases)
      expect(phrase.map((text) => text.trim() !== '')).toEqual([true, true, true]);
    expect(recipients.length).toBeGreaterThan(0);
    expect(recipients.includes('user')).toBe(toUser !== undefined);
    if (recipients.includes('user')) expect(group).toBe('System');
  });
});
