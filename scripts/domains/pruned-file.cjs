// What goes from one file with a domain: rows of its lists, members of its types, its tests about the domain.
const ts = require('typescript');
const {
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
} = require('./syntax.cjs');

const isTest = (path) => /^(?:qa|test|tools)\/|\.spec\.ts$/.test(path);

/** One file, and what goes from it. */
exports.PrunedFile = class PrunedFile {
  problems = [];
  rows = 0;
  /** How many of the rows are tests. */
  tests = 0;
  /** Exported names that went. */
  lost = new Set();
  isEmpty = false;
  /** Imports that it no longer has. */
  released = [];
  #ends = new Set();
  /** Names that the cut used. */
  #touched = new Set();

  constructor(path, text, { isGone, isOf, isQuery, isUsedBy, lists, words }) {
    this.path = path;
    this.text = text;
    this.isGone = isGone;
    this.isOf = isOf;
    this.isQuery = isQuery;
    this.isUsedBy = isUsedBy;
    this.lists = lists;
    this.words = words;
    this.isTest = isTest(path);
    this.hadTests = /^\s*(?:it|test)\b/m.test(text);
  }

  prune() {
    this.#parse();
    for (const word of this.words) {
      const rows = [...descendants(this.file)].filter((node) => nameOfRow(node) === word).map(rowOfName);
      const uses = [...descendants(this.file)].filter(
        (node) => this.isTest && ts.isStringLiteral(node) && node.text === word,
      );
      if (rows.length + uses.length === 0) this.problems.push(`${this.path}: no row of ${word}`);
      for (const row of rows) this.#end(row);
      for (const node of uses) this.#endUse(node);
    }
    this.#endImports();
    for (const node of descendants(this.file)) {
      if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) continue;
      const text = ts.isStringLiteralLike(node) ? node.text : node.getText();
      const isListed = this.isTest && ts.isArrayLiteralExpression(node.parent) && this.lists(text);
      if (isListed) this.#end(rowOfName(node));
      else if (this.isOf(text)) this.#endUse(node, { asRow: true });
      else if (this.isTest ? this.isUsedBy(text) || this.#isPath(text) : this.isQuery(text))
        this.#endUse(node);
    }
    if (this.rows === 0) return;
    this.#endEmptyConditions();
    const before = this.#state();
    this.#cut([...this.#ends]);
    this.#dropUnused(before.empty);
    this.#release(before.imports);
    this.isEmpty = this.hadTests && !/^\s*(?:it|test)\b/m.test(this.text) && /spec\.ts$/.test(this.path);
  }

  /** Drops a declaration that nobody imports, or only its `export` if the file uses it itself. */
  unexport(name) {
    this.#parse();
    const declaration = this.file.statements.find(
      (one) => isDeclaration(one) && isExported(one) && namesOf(one).length === 1 && namesOf(one)[0] === name,
    );
    if (declaration === undefined) return false;
    const before = this.#state();
    const uses = [...descendants(this.file)].filter((node) => ts.isIdentifier(node) && node.text === name);
    if (uses.length === 1) this.#cut([declaration]);
    // A type may stand in the signature of something that is exported.
    else if (ts.isVariableStatement(declaration) || ts.isFunctionDeclaration(declaration)) {
      const word = declaration.modifiers.find(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      this.text = this.text.slice(0, word.getStart()) + this.text.slice(word.getEnd() + 1);
      this.#parse();
    } else return false;
    this.#dropUnused(before.empty);
    this.#release(before.imports);
    return true;
  }

  #state() {
    const empty = [...descendants(this.file)].filter(isEmptyDescribe).map((node) => node.getText());
    return { empty, imports: importsOf(this.file) };
  }

  #release(before) {
    const names = new Map(importsOf(this.file).map((one) => [one.target, one.names]));
    this.released = before.map(({ target, names: had }) => ({
      target,
      names: had.filter((name) => !names.get(target)?.includes(name)),
    }));
  }

  #isPath = (text) => text.includes('/') && /^(?:libs|qa|test)\//.test(text) && this.isGone(text)('*');

  #parse() {
    this.file = parsed(this.path, this.text);
  }

  /** Names of removed files, and all that use them. */
  #endImports() {
    for (const statement of this.file.statements) {
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
      if (statement.moduleSpecifier === undefined) continue;
      const isGone = this.isGone(statement.moduleSpecifier.text);
      if (isGone('*')) {
        if (statement.importClause === undefined) this.#end(statement);
        for (const name of importedNames(statement)) this.#endName(name, this.file);
        this.#end(statement);
        continue;
      }
      const named = statement.importClause?.namedBindings;
      if (named === undefined || !ts.isNamedImports(named)) continue;
      for (const one of named.elements)
        if (isGone((one.propertyName ?? one.name).text)) this.#endName(one.name.text, this.file);
    }
  }

  #endName(name, scope) {
    for (const node of descendants(scope)) {
      if (!ts.isIdentifier(node) || node.text !== name || isOnlyAName(node)) continue;
      if (ancestors(node).some(ts.isImportDeclaration)) continue;
      this.#endUse(node);
    }
  }

  /** Ends the row that a use stands in; in a test, without `asRow`, the whole test. */
  #endUse(node, { asRow = false } = {}) {
    if (ancestors(node).some((one) => this.#ends.has(one))) return;
    const row = (this.isTest && !asRow && testAround(node)) || this.#rowOf(node);
    if (row === undefined) {
      const { line } = this.file.getLineAndCharacterOfPosition(node.getStart());
      this.problems.push(`${this.path}:${line + 1} names ${node.getText().slice(0, 60)} outside a list`);
      return;
    }
    this.#end(row);
  }

  /** The element of a list, member of a type, test or, in tests, statement that a node stands in. */
  #rowOf(node) {
    for (let [one, parent] = [node, node.parent]; parent; [one, parent] = [parent, parent.parent]) {
      if (ts.isArrayLiteralExpression(parent)) {
        if (isRowOfTable(parent)) continue;
        return one;
      }
      if (ts.isObjectLiteralExpression(parent)) {
        // A record in a list, as a provider, goes as a whole.
        if (ts.isArrayLiteralExpression(parent.parent)) continue;
        return one;
      }
      if (ts.isUnionTypeNode(parent) || (this.isTest && ts.isCaseClause(one))) return one;
      if (ts.isPropertySignature(one)) return one;
      if (ts.isTypeAliasDeclaration(one) || ts.isInterfaceDeclaration(one)) return one;
      if (!this.isTest) {
        if (ts.isStatement(one) && !ts.isExpressionStatement(one) && !ts.isVariableStatement(one))
          return undefined;
        continue;
      }
      if (
        ts.isStatement(one) &&
        (ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseOrDefaultClause(parent))
      )
        return testAround(one) ?? helperWithout(one) ?? (ts.isCaseClause(parent) ? parent : one);
    }
    return undefined;
  }

  #end(row) {
    if (this.#ends.has(row)) return;
    this.#ends.add(row);
    this.rows += 1;
    if (isTestCall(row, 'it|test')) this.tests += 1;
    for (const name of namesOf(row)) {
      const scope = scopeOfName(row, name);
      if (scope === this.file) this.lost.add(name);
      this.#endName(name, scope);
    }
  }

  /** A condition of which nothing is left. */
  #endEmptyConditions() {
    for (const { parent } of this.#ends) {
      const isEmpty = ts.isBlock(parent) && parent.statements.every((one) => this.#ends.has(one));
      const condition = parent.parent;
      if (isEmpty && ts.isIfStatement(condition) && condition.elseStatement === undefined)
        this.#ends.add(condition);
    }
  }

  /** Cuts nodes out of the text. */
  #cut(nodes) {
    const outer = nodes.filter((node) => !ancestors(node.parent).some((one) => nodes.includes(one)));
    for (const node of outer.flatMap((one) => [one, ...descendants(one)]))
      if (ts.isIdentifier(node)) this.#touched.add(node.text);
    const ranges = outer.map((node) => rangeOf(node, this.text)).sort((one, other) => one[0] - other[0]);
    let text = '';
    let kept = 0;
    // Two last elements of a list share the comma between them.
    for (const [start, end] of ranges) {
      text += this.text.slice(kept, Math.max(kept, start));
      kept = Math.max(kept, end);
    }
    this.text = text + this.text.slice(kept);
    this.#parse();
  }

  /** Drops what only the cut used: imports, declarations, parameters, describes without a test. */
  #dropUnused(empty) {
    for (;;) {
      const gone = [];
      const parameters = [];
      for (const node of descendants(this.file)) {
        const isUnused = (name) => this.#touched.has(name) && usesIn(scopeOf(node), name) === 1;
        if (ts.isImportDeclaration(node)) {
          const names = importedNames(node);
          if (names.length > 0 && names.every(isUnused)) gone.push(node);
        } else if (ts.isImportSpecifier(node) && isUnused(node.name.text)) gone.push(node);
        else if (
          ts.isParameter(node) &&
          !node.modifiers &&
          ts.isIdentifier(node.name) &&
          isUnused(node.name.text)
        )
          parameters.push(node.name);
        else if (isUnusedPart(node, isUnused)) gone.push(node);
        else if (this.isTest && ts.isVariableStatement(node)) gone.push(...this.#onlySet(node));
        else if (isEmptyDescribe(node) && !empty.includes(node.getText())) gone.push(node);
        if (
          isDeclaration(node) &&
          !isExported(node) &&
          namesOf(node).length > 0 &&
          namesOf(node).every(isUnused)
        )
          gone.push(node);
      }
      if (gone.length > 0) this.#cut(gone);
      else if (parameters.length > 0) this.#insert('_', parameters[0].getStart());
      else return;
    }
  }

  /** A variable that nothing reads any more, with the statements that set it. */
  #onlySet(statement) {
    const [name, ...others] = namesOf(statement);
    if (others.length > 0 || !this.#touched.has(name)) return [];
    const sets = [...descendants(scopeOf(statement))].filter(
      (node) => ts.isExpressionStatement(node) && namesOf(node).includes(name),
    );
    return sets.length > 0 && usesIn(scopeOf(statement), name) === sets.length + 1
      ? [statement, ...sets]
      : [];
  }

  #insert(text, at) {
    this.text = this.text.slice(0, at) + text + this.text.slice(at);
    this.#parse();
  }
};
