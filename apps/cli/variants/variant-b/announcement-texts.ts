import type { MailContent, MailLanguage } from '@app/mail/mail.types';
import { dateIn } from '@app/mail/mail-values';
import type { Brownout } from '../../../../config/variant-b.env';
import { OTHER_PROGRAM } from '@app/edge/usage/program-of';

/** Content of a mail about the end of Variant B. */
export interface Announcement {
  readonly organisation: string;
  readonly programs: readonly string[];
  readonly days: number;
  readonly deprecated: Date;
  readonly sunset: Date;
  /** Brown-outs that have not ended yet. */
  readonly brownouts: readonly Brownout[];
  readonly exemptUntil: Date | null;
  /** URL of the description of the API. */
  readonly docs: string;
}

/** The values of the texts, in their language. */
interface Words {
  readonly organisation: string;
  readonly days: number;
  readonly deprecated: string;
  readonly sunset: string;
  readonly docs: string;
}

interface Texts {
  readonly locale: string;
  readonly namelessProgram: string;
  readonly subject: (words: Words) => string;
  readonly use: (words: Words) => string;
  readonly dates: (words: Words) => string;
  readonly change: (words: Words) => string;
  readonly brownouts: string;
  readonly exempt: (until: string) => string;
}

const TEXTS: Readonly<Record<MailLanguage, Texts>> = {
  nl: {
    locale: 'nl-NL',
    namelessProgram: 'een programma zonder naam',
    subject: ({ sunset }) => `Variant B van onze interface stopt op ${sunset}`,
    use: ({ organisation, days }) =>
      `In de afgelopen ${days} dagen hebben deze programma's van ${organisation} Variant B van onze interface gebruikt:`,
    dates: ({ deprecated, sunset }) =>
      `Variant B is verouderd vanaf ${deprecated} en stopt op ${sunset}. Daarna krijgen deze programma's geen antwoord meer.`,
    change: ({ docs }) =>
      `Stap voor die dag over op Variant A. De beschrijving van de interface vindt u hier: ${docs}`,
    brownouts: 'Op deze tijden is Variant B bij wijze van proef uitgeschakeld (antwoord 503):',
    exempt: (until) =>
      `Uw organisatie is tot ${until} vrijgesteld van tijdelijke uitschakelingen van Variant B.`,
  },
  en: {
    locale: 'en-GB',
    namelessProgram: 'a program without a name',
    subject: ({ sunset }) => `Variant B of our interface ends on ${sunset}`,
    use: ({ organisation, days }) =>
      `In the last ${days} days, these programs of ${organisation} called Variant B of our interface:`,
    dates: ({ deprecated, sunset }) =>
      `Variant B is deprecated from ${deprecated} and ends on ${sunset}. After that these programs get no response.`,
    change: ({ docs }) =>
      `Please move to Variant A before that day. The interface is described here: ${docs}`,
    brownouts: 'At these times Variant B is switched off as a rehearsal (response 503):',
    exempt: (until) => `Your organisation is exempt from temporary switch-offs of Variant B until ${until}.`,
  },
  fr: {
    locale: 'fr-BE',
    namelessProgram: 'un programme sans nom',
    subject: ({ sunset }) => `La variante B de notre interface s'arrête le ${sunset}`,
    use: ({ organisation, days }) =>
      `Au cours des ${days} derniers jours, ces programmes de ${organisation} ont utilisé la variante B de notre interface :`,
    dates: ({ deprecated, sunset }) =>
      `La variante B est obsolète à partir du ${deprecated} et s'arrête le ${sunset}. Ensuite, ces programmes ne recevront plus de réponse.`,
    change: ({ docs }) => `Passez à la variante A avant cette date. L'interface est décrite ici : ${docs}`,
    brownouts: "À ces moments, la variante B est désactivée à titre d'essai (réponse 503) :",
    exempt: (until) =>
      `Votre organisation est exemptée des coupures temporaires de la variante B jusqu'au ${until}.`,
  },
};

/** Maximum programs in a mail. */
const MAX_PROGRAMS = 20;

/** The mail of an announcement. It is a notification, so that workers of every build can write it. */
export function announcementMail(
  announcement: Announcement,
  language: MailLanguage,
): Extract<MailContent, { template: 'notification' }> {
  const { organisation, days, docs, programs, brownouts, exemptUntil } = announcement;
  const texts = TEXTS[language];
  const dayOf = (date: Date): string =>
    new Intl.DateTimeFormat(texts.locale, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
  const { deprecated, sunset } = announcement;
  const words = { organisation, days, docs, deprecated: dayOf(deprecated), sunset: dayOf(sunset) };
  const named = programs
    .slice(0, MAX_PROGRAMS)
    .map((program) => `- ${program === OTHER_PROGRAM ? texts.namelessProgram : program}`);
  // In UTC, like the other dates of the end and their settings.
  const instant = (date: Date): string => dateIn(language, date, 'UTC');
  const times = brownouts.map(({ start, end }) => `- ${instant(start)} – ${instant(end)}`);
  const paragraphs = [
    [texts.use(words), ...named, ...(programs.length > MAX_PROGRAMS ? ['- …'] : [])],
    [texts.dates(words)],
    [texts.change(words)],
    ...(times.length > 0 ? [[texts.brownouts, ...times]] : []),
    ...(exemptUntil !== null ? [[texts.exempt(dayOf(exemptUntil))]] : []),
  ];
  const text = paragraphs.map((lines) => lines.join('\n')).join('\n\n');
  return { template: 'notification', values: { organisation, subject: texts.subject(words), text } };
}
