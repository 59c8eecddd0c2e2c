// How the two variants differ, from their descriptions (docs/openapi-a.json and docs/openapi-b.json, which
// are written from the shapes): for docs/variants.md and for what `cli variants plan` says of an operation.
const { writtenOut } = require('./written-out.cjs');

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** `GET /organisations/{organisationId}` → the operation, for the routes of the interface. */
function operationsOf(description) {
  const operations = new Map();
  for (const [path, methods] of Object.entries(writtenOut(description).paths)) {
    if (!path.startsWith('/v1/')) continue;
    for (const method of METHODS) {
      if (methods[method]) operations.set(`${method.toUpperCase()} ${path.slice(3)}`, methods[method]);
    }
  }
  return operations;
}

const resolved = (description, schema) => {
  if (!schema?.$ref) return schema ?? {};
  const name = schema.$ref.split('/').at(-1);
  return description.components.schemas[name] ?? {};
};

/** What a schema says of one field, but for its words. */
function typeOf(schema) {
  const { type, enum: values, format, nullable, minLength, maxLength, minimum, maximum, pattern } = schema;
  const kind = Array.isArray(type) ? type.join(' or ') : (type ?? 'value');
  return [
    values ? `one of ${values.map((value) => `\`${value}\``).join(', ')}` : kind,
    ...(nullable ? ['or null'] : []),
    ...(format && !values ? [`(${format})`] : []),
    ...(minLength !== undefined ? [`at least ${minLength} characters`] : []),
    ...(maxLength !== undefined ? [`at most ${maxLength} characters`] : []),
    ...(minimum !== undefined ? [`from ${minimum}`] : []),
    ...(maximum !== undefined ? [`to ${maximum}`] : []),
    ...(pattern ? [`like \`${pattern.replaceAll('|', '\\|')}\``] : []),
  ].join(' ');
}

const wordsOf = (schema, known) => schema?.description ?? known.description ?? '';

/** Every field of a schema by its path, `user.organisation.id`, `users[].id`. */
function fieldsOf(description, schema, path = '', isRequired = false, seen = []) {
  const found = new Map();
  const known = resolved(description, schema);
  if (seen.includes(known)) return found;
  const within = [...seen, known];
  const parts = [known, ...(known.allOf ?? []), ...(known.oneOf ?? []), ...(known.anyOf ?? [])];
  // What a list holds says itself by its fields.
  if (path !== '')
    found.set(path, {
      type: `${typeOf(known)}${isRequired ? ', required' : ''}`,
      words: wordsOf(schema, known),
    });
  for (const part of parts) {
    const { properties, required = [], items } = resolved(description, part);
    for (const [name, property] of Object.entries(properties ?? {})) {
      const inner = fieldsOf(
        description,
        property,
        path === '' ? name : `${path}.${name}`,
        required.includes(name),
        within,
      );
      for (const entry of inner) found.set(...entry);
    }
    if (items) {
      for (const [name, type] of fieldsOf(description, items, `${path}[]`, false, within)) {
        if (name !== `${path}[]` || !resolved(description, items).properties) found.set(name, type);
      }
    }
    if (part !== known && part.$ref) {
      for (const entry of fieldsOf(description, part, path, isRequired, within)) {
        if (entry[0] !== path) found.set(...entry);
      }
    }
  }
  return found;
}

const jsonOf = (content) => content?.['application/json']?.schema;

function partsOf(description, operation) {
  const answers = Object.entries(operation.responses ?? {}).filter(([status]) => status.startsWith('2'));
  return {
    parameter: new Map(
      (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, schema, description: words }) => [
          name,
          { type: typeOf(resolved(description, schema)), words: words ?? '' },
        ]),
    ),
    request: fieldsOf(description, jsonOf(operation.requestBody?.content)),
    response: new Map(answers.flatMap(([, answer]) => [...fieldsOf(description, jsonOf(answer.content))])),
    status: new Map(answers.map(([status]) => [status, { type: 'status', words: '' }])),
  };
}

/** Whether every word that Variant B takes is taken by Variant A too, in what a client sends. */
const takesMore = (part, a, b) => {
  const words = ({ type }) =>
    type.startsWith('one of ') ? [...type.matchAll(/`(\w+)`/g)].map(([, word]) => word) : [];
  return (
    ['parameter', 'request'].includes(part) &&
    a.words === b.words &&
    words(b).length > 0 &&
    words(b).every((word) => words(a).includes(word))
  );
};

const isOther = (one, other) => one.type !== other.type || one.words !== other.words;

/** Fields that only one of two maps has, and those that both have otherwise. */
function differences(part, ofA, ofB) {
  const isCovered = (name, others) =>
    [...others.keys()].some(
      (other) => other !== name && (name.startsWith(`${other}.`) || name.startsWith(`${other}[`)),
    );
  const alone = (one, other) => {
    const names = [...one.keys()].filter((name) => !other.has(name));
    const tops = new Map(names.map((name) => [name, true]));
    // A field within one that is alone itself needs no line.
    return names.filter((name) => !isCovered(name, tops)).map((name) => ({ name, ...one.get(name) }));
  };
  return {
    onlyB: alone(ofB, ofA),
    onlyA: alone(ofA, ofB),
    changed: [...ofB]
      .filter(([name, { type, words }]) => ofA.has(name) && isOther(ofA.get(name), { type, words }))
      .map(([name, b]) => ({ name, b, a: ofA.get(name), takesMore: takesMore(part, ofA.get(name), b) })),
  };
}

const PARTS = ['parameter', 'request', 'response', 'status'];

/**
 * What exists only in one variant, and what of the rest a client must change. `rulesOfOneVariant` are those
 * that the shapes do not show.
 */
function compareVariants(descriptionA, descriptionB, rulesOfOneVariant) {
  const ofA = operationsOf(descriptionA);
  const ofB = operationsOf(descriptionB);
  const changed = [];
  for (const [operation, inB] of ofB) {
    const inA = ofA.get(operation);
    if (!inA) continue;
    const a = partsOf(descriptionA, inA);
    const b = partsOf(descriptionB, inB);
    const parts = Object.fromEntries(PARTS.map((part) => [part, differences(part, a[part], b[part])]));
    const rules = rulesOfOneVariant.filter(({ operations }) => operations.includes(operation));
    const isSame =
      rules.length === 0 &&
      Object.values(parts).every(
        ({ onlyA, onlyB, changed: other }) => onlyA.length + onlyB.length + other.length === 0,
      );
    if (!isSame) changed.push({ operation, summary: inB.summary, ...parts, rules });
  }
  const inBoth = (operation) => ofA.has(operation) && ofB.has(operation);
  const astray = rulesOfOneVariant.flatMap(({ operations }) => operations).filter((one) => !inBoth(one));
  if (astray.length > 0)
    throw new Error(`A rule of one variant is about no route of both: ${astray.join(', ')}`);
  const alone = (one, other) =>
    [...one]
      .filter(([operation]) => !other.has(operation))
      .map(([operation, { summary }]) => ({ operation, summary }));
  return {
    onlyB: alone(ofB, ofA),
    onlyA: alone(ofA, ofB),
    changed,
    same: [...ofB.keys()].filter(
      (operation) => ofA.has(operation) && !changed.some((entry) => entry.operation === operation),
    ),
  };
}

/**
 * What `cli variants plan` says of an operation of Variant B: as short as it can be, since
 * the service brings it along.
 */
function usedOnlyInB({ onlyB, changed }) {
  const entries = [
    ...onlyB.map(({ operation }) => [operation, { route: true }]),
    ...changed.map((entry) => [
      entry.operation,
      {
        onlyInB: PARTS.flatMap((part) => entry[part].onlyB.map(({ name }) => `${part} ${name}`)),
        otherwise: PARTS.flatMap((part) =>
          entry[part].changed.filter((field) => !field.takesMore).map(({ name }) => `${part} ${name}`),
        ).concat(entry.rules.some(({ allowsMore }) => !allowsMore) ? ['a rule'] : []),
      },
    ]),
  ];
  return Object.fromEntries(
    entries
      .filter(([, { route, onlyInB, otherwise }]) => route || onlyInB.length + otherwise.length > 0)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

module.exports = { compareVariants, usedOnlyInB, PARTS };
