import type { Brownout } from '@app/config/variant-b.env';
import { OTHER_PROGRAM } from '@app/edge/usage/program-of';
import { greeting } from '@app/mail/greeting';
import type { MailContent, MailLanguage } from '@app/mail/mail.types';
import { dateIn } from '@app/mail/mail-values';

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
type Words = Pick<Announcement, 'organisation' | 'days' | 'docs'> &
  Readonly<Record<'deprecated' | 'sunset' | 'exemptUntil', string>>;

const LOCALES: Readonly<Record<MailLanguage, string>> = { nl: 'nl-NL', en: 'en-GB', fr: 'fr-BE' };

/** A day of UTC. In French the first of a month is an ordinal. */
function dayIn(language: MailLanguage, date: Date): string {
  const text = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
    date,
  );
  return language === 'fr' ? text.replace(/^1 /, '1er ') : text;
}

const TEMPLATES = {
  nl: ({ organisation, days, docs, deprecated, sunset, exemptUntil }: Words) => ({
    namelessProgram: 'een programma zonder naam',
    subject: `Variant B van onze interface stopt op ${sunset}`,
    use: `In de afgelopen ${days} dagen hebben deze programma’s van ${organisation} Variant B van onze interface gebruikt:`,
    dates: `Variant B is verouderd vanaf ${deprecated} en stopt op ${sunset}. Daarna krijgen deze programma’s geen antwoord meer.`,
    change: `Stap voor die dag over op Variant A. De beschrijving van de interface vindt u hier: ${docs}`,
    brownouts: 'Op deze tijden is Variant B bij wijze van proef uitgeschakeld (antwoord 503):',
    exempt: `Uw organisatie is tot ${exemptUntil} vrijgesteld van tijdelijke uitschakelingen van Variant B.`,
  }),
  en: ({ organisation, days, docs, deprecated, sunset, exemptUntil }: Words) => ({
    namelessProgram: 'a program without a name',
    subject: `Variant B of our interface ends on ${sunset}`,
    use: `In the last ${days} days, these programs of ${organisation} called Variant B of our interface:`,
    dates: `Variant B is deprecated from ${deprecated} and ends on ${sunset}. After that these programs get no response.`,
    change: `Please move to Variant A before that day. The interface is described here: ${docs}`,
    brownouts: 'At these times Variant B is switched off as a rehearsal (response 503):',
    exempt: `Your organisation is exempt from temporary switch-offs of Variant B until ${exemptUntil}.`,
  }),
  fr: ({ organisation, days, docs, deprecated, sunset, exemptUntil }: Words) => ({
    namelessProgram: 'un programme sans nom',
    subject: `La variante B de notre interface s’arrête le ${sunset}`,
    use: `Au cours des ${days} derniers jours, ces programmes de l’organisation ${organisation} ont utilisé la variante B de notre interface :`,
    dates: `La variante B est obsolète à partir du ${deprecated} et s’arrête le ${sunset}. Ensuite, ces programmes ne recevront plus de réponse.`,
    change: `Passez à la variante A avant cette date. L’interface est décrite ici : ${docs}`,
    brownouts: 'À ces moments, la variante B est désactivée à titre d’essai (réponse 503) :',
    exempt: `Votre organisation est exemptée des coupures temporaires de la variante B jusqu’au ${exemptUntil}.`,
  }),
};

/** Maximum programs in a mail. */
const MAX_PROGRAMS = 20;

/** The mail of an announcement. It is a notification, so that workers of every build can write it. */
export function announcementMail(
  announcement: Announcement,
  language: MailLanguage,
): Extract<MailContent, { template: 'notification' }> {
  const { organisation, programs, brownouts, exemptUntil } = announcement;
  const deprecated = dayIn(language, announcement.deprecated);
  const sunset = dayIn(language, announcement.sunset);
  const until = exemptUntil === null ? '' : dayIn(language, exemptUntil);
  const texts = TEMPLATES[language]({ ...announcement, deprecated, sunset, exemptUntil: until });
  const named = programs
    .slice(0, MAX_PROGRAMS)
    .map((program) => `- ${program === OTHER_PROGRAM ? texts.namelessProgram : program}`);
  // In UTC, like the other dates of the end and their settings.
  const instant = (date: Date): string => dateIn(language, date, 'UTC');
  const times = brownouts.map(({ start, end }) => `- ${instant(start)} – ${instant(end)}`);
  const paragraphs = [
    [greeting(language, '')],
    [texts.use, ...named, ...(programs.length > MAX_PROGRAMS ? ['- …'] : [])],
    [texts.dates],
    [texts.change],
    ...(times.length > 0 ? [[texts.brownouts, ...times]] : []),
    ...(exemptUntil !== null ? [[texts.exempt]] : []),
  ];
  const text = paragraphs.map((lines) => lines.join('\n')).join('\n\n');
  return { template: 'notification', values: { organisation, subject: texts.subject, text } };
}
