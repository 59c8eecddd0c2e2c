import { html } from './html';

it('escapes every text, between tags and in attributes', () => {
  const evil = `</p><script>alert("1")</script>'\`=&lt;`;
  const escaped = '&lt;/p&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#x27;&#x60;&#x3D;&amp;lt;';
  // prettier-ignore
  expect(html`<p title="${evil}">${evil}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`);
});

it('takes other templates as they are, one or many, and nothing for undefined', () => {
  const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
  // prettier-ignore
  expect(html`<ul>${items}</ul>${undefined}${html`<hr>`}`.text).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul><hr>');
});
