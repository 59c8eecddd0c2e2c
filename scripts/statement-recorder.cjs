// node -r ./scripts/statement-recorder.cjs dist/apps/api/main.js: writes every statement that the service
// sends, once and as JSON, a line each, to the file that RECORD_STATEMENTS names. See docs/release.md.
const { appendFileSync } = require('node:fs');
const { Client } = require('pg');

const seen = new Set();
const { query } = Client.prototype;

Client.prototype.query = function record(statement, ...rest) {
  const text = typeof statement === 'string' ? statement : statement.text;
  if (/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text) && !seen.has(text)) {
    seen.add(text);
    appendFileSync(process.env.RECORD_STATEMENTS, `${JSON.stringify(text)}\n`);
  }
  return query.call(this, statement, ...rest);
};
