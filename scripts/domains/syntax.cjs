// Questions about the syntax of a file of TypeScript or JavaScript, for the removal of a domain.
const ts = require('typescript');

const parsed = (path, text) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);

/** What each import of a file names. */
const importsOf = (file) =>
  file.statements.filter(ts.isImportDeclaration).map((statement) => ({
    target: statement.moduleSpecifier.text,
    names: [...descendants(statement)]
      .filter(ts.isImportSpecifier)
      .map(({ name, propertyName }) => (propertyName ?? name).text),
  }));

function* descendants(node) {
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) {
    yield child;
    yield* descendants(child);
  }
}

function ancestors(node) {
  const all = [];
  for (let one = node; one; one = one.parent) all.push(one);
  return all;
}

/** What surrounds a declaration and may use it. */
const scopeOf = (node) =>
  ancestors(node.parent).find((one) => ts.isBlock(one) || ts.isSourceFile(one) || ts.isFunctionLike(one));

/** Where a name has no value without a statement that declares it, or that alone sets it. */
function scopeOfName(statement, name) {
  const scopes = ancestors(statement).filter((one) => ts.isBlock(one) || ts.isSourceFile(one));
  if (isDeclaration(statement)) return scopes[0];
  const isUnset = (one) =>
    ts.isVariableStatement(one) &&
    one.declarationList.declarations.every(({ initializer }) => initializer === undefined) &&
    namesOf(one).includes(name);
  const declaring = scopes.find(({ statements }) => statements.some(isUnset));
  const isSet = (one) => ts.isExpressionStatement(one) && namesOf(one).includes(name);
  return declaring && [...descendants(declaring)].filter(isSet).length === 1 ? declaring : scopes[0];
}

/** How often a name stands for a variable or type within a node. */
const usesIn = (scope, name) =>
  [...descendants(scope)].filter((node) => ts.isIdentifier(node) && node.text === name && !isOnlyAName(node))
    .length;

const importedNames = ({ importClause }) => {
  const { name, namedBindings } = importClause ?? {};
  return [
    ...(name ? [name.text] : []),
    ...(namedBindings && ts.isNamespaceImport(namedBindings) ? [namedBindings.name.text] : []),
    ...(namedBindings && ts.isNamedImports(namedBindings)
      ? namedBindings.elements.map((one) => one.name.text)
      : []),
  ];
};

/** `a.NAME` and `{ NAME: … }` use no variable of this name. */
const isOnlyAName = (node) =>
  (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) ||
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node) ||
  (ts.isPropertySignature(node.parent) && node.parent.name === node) ||
  (ts.isBindingElement(node.parent) && node.parent.propertyName === node);

/** The name of a row: the key of a property, also of a class, or a text in a list or union. */
function nameOfRow(node) {
  if (ts.isPropertyAssignment(node) || ts.isPropertySignature(node) || ts.isPropertyDeclaration(node))
    return ts.isComputedPropertyName(node.name) ? undefined : node.name.text;
  if (ts.isShorthandPropertyAssignment(node)) return node.name.text;
  if (!ts.isStringLiteralLike(node)) return undefined;
  if (ts.isArrayLiteralExpression(node.parent)) return node.text;
  return ts.isLiteralTypeNode(node.parent) && ts.isUnionTypeNode(node.parent.parent) ? node.text : undefined;
}

function rowOfName(node) {
  if (ts.isLiteralTypeNode(node.parent)) return node.parent;
  if (!ts.isStringLiteralLike(node)) return node;
  return isRowOfTable(node.parent) && node.parent.elements[0] === node ? node.parent : node;
}

/** An array of several values in an array: `['documents', 1, 2]` goes as a whole. */
const isRowOfTable = (array) =>
  ts.isArrayLiteralExpression(array) && ts.isArrayLiteralExpression(array.parent);

const isTestCall = (node, names) => {
  if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return false;
  return new RegExp(`^(?:${names})\\b`).test(node.expression.expression.getText());
};

/** The helper whose result a statement makes: without the statement it is nothing. */
function helperWithout(statement) {
  const body = statement.parent;
  const helper = body.parent;
  if (!ts.isFunctionLike(helper) || !ts.isBlock(body)) return undefined;
  const declaration = ancestors(helper).find(ts.isStatement);
  if (!isDeclaration(declaration)) return undefined;
  if (statement === body.statements.at(-1)) return declaration;
  const names = namesOf(statement);
  const isResult = (one) =>
    ts.isReturnStatement(one) &&
    (one === statement ||
      [...descendants(one)].some((node) => ts.isIdentifier(node) && names.includes(node.text)));
  return body.statements.some(isResult) ? declaration : undefined;
}

/** The test whose function a node stands in. The rows of its table stand outside. */
function testAround(node) {
  const all = ancestors(node);
  const test = all.find((one) => isTestCall(one, 'it|test'));
  const inFunction =
    test && all.slice(0, all.indexOf(test)).some((one) => test.expression.arguments.includes(one));
  return inFunction ? test : undefined;
}

function isEmptyDescribe(node) {
  if (!isTestCall(node, 'describe\\w*')) return false;
  return ![...descendants(node)].some((one) => isTestCall(one, 'it|test|describe\\w*') || isOwnTests(one));
}

/** A call of a function of the file that may hold tests. */
const isOwnTests = (node) =>
  ts.isCallExpression(node) && /^(?:tests?|it|expect)[A-Z]\w*$/.test(node.expression.getText());

const isDeclaration = (node) =>
  ts.isVariableStatement(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isClassDeclaration(node);

const isExported = (node) =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;

/** A name in braces of a parameter or variable, where no rest takes what is left out. */
const isUnusedPart = (node, isUnused) =>
  ts.isBindingElement(node) &&
  ts.isObjectBindingPattern(node.parent) &&
  ts.isIdentifier(node.name) &&
  isUnused(node.name.text) &&
  !node.parent.elements.some((one) => one.dotDotDotToken);

/** Names that a statement declares or sets. */
function namesOf(node) {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name)
        ? [name.text]
        : name.elements
            .filter(ts.isBindingElement)
            .flatMap((one) => (ts.isIdentifier(one.name) ? [one.name.text] : [])),
    );
  if (isDeclaration(node)) return node.name ? [node.name.text] : [];
  if (
    ts.isExpressionStatement(node) &&
    ts.isBinaryExpression(node.expression) &&
    node.expression.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isIdentifier(node.expression.left)
  )
    return [node.expression.left.text];
  return [];
}

/** From the comment before a row to the comma, or the end of the line, after it. */
function rangeOf(node, text) {
  const ofUnion = ts.isUnionTypeNode(node.parent);
  let start = node.getFullStart();
  let end = node.getEnd();
  if (ofUnion) {
    // With the bar before it.
    const bar = text.lastIndexOf('|', node.getStart());
    return bar >= node.parent.getStart() - 3 ? [bar, end] : [start, text.indexOf('|', end) + 1];
  }
  if (ts.isStatement(node) || ts.isTypeElement(node) || ts.isClassElement(node) || ts.isCaseClause(node))
    return [start, end];
  const comma = /^\s*,/.exec(text.slice(end));
  if (comma) end += comma[0].length;
  else {
    const before = /,\s*$/.exec(text.slice(0, start));
    if (before) start -= before[0].length;
  }
  // A comment behind it, on the same line.
  const comment = /^[ \t]*\/\/[^\n]*/.exec(text.slice(end));
  if (comment) end += comment[0].length;
  return [start, end];
}

module.exports = {
  ancestors,
  descendants,
  helperWithout,
  importedNames,
  importsOf,
  isDeclaration,
  isEmptyDescribe,
  isExported,
  isOnlyAName,
  isRowOfTable,
  isTestCall,
  isUnusedPart,
  nameOfRow,
  namesOf,
  parsed,
  rangeOf,
  rowOfName,
  scopeOf,
  scopeOfName,
  testAround,
  usesIn,
};
