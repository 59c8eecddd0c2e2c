/**
 * The description with every shared parameter, response, example and header written out where
 * an operation refers to it.
 */
function writtenOut(description) {
  const whole = (_key, value) => {
    const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(value?.$ref ?? '') ?? [];
    return kind === undefined || kind === 'schemas' ? value : description.components[kind][name];
  };
  return JSON.parse(JSON.stringify(description, whole));
}

module.exports = { writtenOut };
