import { html } from '../html';
import type { PageTexts } from '../page-texts';
import { attributesOf, errorOf, type FieldFaults, prefixOf, faultSummary } from './fields';
import { layout, type PageContext } from './layout';

/** The page that asks for the user name. It never shows a sent value, because another site may have sent it. */
export function askForm(context: PageContext, texts: PageTexts, faults: FieldFaults): string {
  const { title, intro, submit } = texts.ask;
  const form = { texts, faults };
  return layout(
    context,
    title,
    html`${faultSummary(form)}
      <p>${intro}</p>
      <form method="post" novalidate>
        <div class="field">
          <label for="username">${texts.labels.username}</label>
          ${errorOf('username', form)}
          <input
            id="username"
            name="username"
            type="text"
            inputmode="email"
            autocapitalize="none"
            spellcheck="false"
            autocomplete="username"
            required${attributesOf('username', form)}
          />
        </div>
        <button type="submit">${submit}</button>
      </form>`,
    prefixOf(form),
  );
}
