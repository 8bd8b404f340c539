import ts from "typescript";

/** A component or a hook. */
type Measured = {
  name: string;
  lines: number;
  /** The number of props that a component declares. */
  props: number;
  /** The number of lines of its longest effect. */
  effect: number;
};

const effects = /^use(Layout|Insertion)?Effect$/;
const ofReact = /^(use[A-Z]|[A-Z])/;

type Fn = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction;

function isFunction(node: ts.Node): node is Fn {
  return (
    ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node) || ts.isArrowFunction(node)
  );
}

/** A function's name: its own, or that of the constant that holds it. */
function nameOf(node: Fn): string {
  if (node.name) return node.name.text;
  const { parent } = node;
  return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent.name.text : "";
}

/**
 * The number of members of a type declared in the file, directly, by name or in an intersection.
 */
function membersOf(type: ts.TypeNode | undefined, file: ts.SourceFile): number {
  if (!type) return 0;
  if (ts.isTypeLiteralNode(type)) return type.members.length;
  if (ts.isIntersectionTypeNode(type))
    return type.types.reduce((count, part) => count + membersOf(part, file), 0);
  if (!ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName)) return 0;
  const name = type.typeName.text;
  const named = file.statements.find(
    (statement) => ts.isTypeAliasDeclaration(statement) && statement.name.text === name,
  );
  return named && ts.isTypeAliasDeclaration(named) ? membersOf(named.type, file) : 0;
}

function propsOf(node: Fn, file: ts.SourceFile): number {
  const [first] = node.parameters;
  if (!first) return 0;
  const named = ts.isObjectBindingPattern(first.name) ? first.name.elements.length : 0;
  return Math.max(named, membersOf(first.type, file));
}

/** The components and hooks of a file. */
export function reactFunctions(path: string, source: string): Measured[] {
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, kind);
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const lines = (node: ts.Node) => lineAt(node.end) - lineAt(node.getStart()) + 1;
  const found: Measured[] = [];
  const visit = (node: ts.Node, within: Measured | null): void => {
    let around = within;
    if (isFunction(node) && ofReact.test(nameOf(node))) {
      const name = nameOf(node);
      const props = name.startsWith("use") ? 0 : propsOf(node, file);
      around = { name, lines: lines(node), props, effect: 0 };
      found.push(around);
    }
    if (around && ts.isCallExpression(node) && effects.test(node.expression.getText()))
      around.effect = Math.max(around.effect, lines(node));
    ts.forEachChild(node, (child) => visit(child, around));
  };
  visit(file, null);
  return found;
}
