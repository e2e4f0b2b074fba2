import type { Rule, Scope } from 'eslint'

/** What the rule reads of a node. Each kind of node has some of these members. */
interface Node {
  type: string
  parent: Node | null
  name?: string
  callee?: Node
  object?: Node
  property?: Node
  argument?: Node
  left?: Node
  body?: Node
}

/** Functions of zod that build no schema. */
const otherFunctions = /^(toJSONSchema|prettifyError)$/
/** Methods that build a schema from another one. Names that other classes have, too, such as `catch`, are left out. */
const methods =
  /^(array|default|exactOptional|extend|nullable|nullish|omit|optional|partial|pick|prefault|refine|required|safeExtend|superRefine|transform)$/
/** Methods of arrays that call their argument at once. */
const iterators = /^(map|flatMap|filter|forEach|reduce|some|every|find)$/

/**
 * An ESLint rule: zod schemas are built while modules load. zod compiles a schema at its first use, so one that a request
 * builds is compiled in each request. The rule expects a bundle of all modules, in which it finds every call of a function.
 */
export const schemasAtLoad: Rule.RuleModule = {
  create({ sourceCode, report }) {
    const calls: Node[] = []
    return {
      CallExpression: (node) => void calls.push(node as unknown as Node),
      'Program:exit'() {
        const variables = new Variables(sourceCode.scopeManager)
        const laterUse = createLaterUse(variables)
        const textOf = (node: Node) =>
          sourceCode
            .getText(node as Rule.Node)
            .replaceAll(/\s+/g, ' ')
            .slice(0, 100)
        for (const call of calls) {
          const use = isBuilder(call, variables) && laterUse(call)
          if (use) report({ node: call, message: `${textOf(call)} is evaluated by ${textOf(use)}` })
        }
      },
    }
  },
}

/** Whether a call builds a schema: a function of zod or a method of a schema. */
function isBuilder({ callee }: Node, variables: Variables): boolean {
  if (callee?.type !== 'MemberExpression') return false
  const isOfZod = variables.of(callee.object)?.defs.some((each) => each.type === 'ImportBinding' && each.parent.source.value === 'zod')
  const name = callee.property?.name ?? ''
  return isOfZod ? !otherFunctions.test(name) : methods.test(name)
}

/** The variables of a program, by the nodes that name them. */
class Variables {
  readonly #scopes: Scope.ScopeManager
  readonly #byName: ReadonlyMap<unknown, Scope.Variable | null>

  constructor(scopes: Scope.ScopeManager) {
    this.#scopes = scopes
    this.#byName = new Map(scopes.scopes.flatMap(({ references }) => references.map((each) => [each.identifier, each.resolved])))
  }

  of(node: Node | undefined): Scope.Variable | null | undefined {
    return this.#byName.get(node)
  }

  /** The places that use the value of a function or call: where the variable is read to which it is assigned, or itself. */
  usesOf(node: Node): Node[] {
    const declaration = [node, node.parent].find((each) => /^(FunctionDeclaration|VariableDeclarator)$/.test(each?.type ?? ''))
    const assigned = node.parent?.type === 'AssignmentExpression' ? this.of(node.parent.left) : undefined
    const variable = declaration ? this.#scopes.getDeclaredVariables(declaration as Rule.Node)[0] : assigned
    return variable ? variable.references.filter((each) => each.isRead()).map(({ identifier }) => identifier as Node) : [node]
  }
}

/** Returns a function that finds a use because of which a node is evaluated after the modules have loaded, such as a call in a resolver. */
function createLaterUse(variables: Variables) {
  const known = new Map<Node, Node | undefined>()
  function laterUse(node: Node): Node | undefined {
    const func = functionAround(node)
    if (!func || isModule(func)) return undefined
    if (!known.has(func)) known.set(func, undefined).set(func, laterCall(func))
    return known.get(func)
  }
  /** Does so for the calls of a function, given as an expression that has it as its value. */
  function laterCall(func: Node): Node | undefined {
    for (const use of variables.usesOf(func)) {
      const later = laterCallBy(use)
      if (later) return later
    }
    return undefined
  }
  function laterCallBy(use: Node): Node | undefined {
    const { parent } = use
    if (!parent) return use
    if (isCallOf(use, parent) || isIteration(parent)) return laterUse(parent)
    const outer = isResult(use, parent) ? functionAround(use) : undefined
    if (!outer) return parent
    const calls = variables.usesOf(outer).map((each) => (each.parent && isCallOf(each, each.parent) ? laterCall(each.parent) : each))
    return calls.find((each) => each !== undefined)
  }
  return laterUse
}

function functionAround({ parent }: Node): Node | undefined {
  if (!parent) return undefined
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(parent.type) ? parent : functionAround(parent)
}

const isCallOf = (callee: Node, { type, ...call }: Node) => type === 'CallExpression' && call.callee === callee
const isIteration = ({ type, callee }: Node) => type === 'CallExpression' && iterators.test(callee?.property?.name ?? '')
const isResult = (node: Node, { type, body }: Node) => type === 'ReturnStatement' || (type === 'ArrowFunctionExpression' && body === node)

/** esbuild puts a module that is imported on demand into a function: `__esm({ "schema/execute.ts"() { … } })`. */
const isModule = ({ parent }: Node) => parent?.parent?.parent?.callee?.name === '__esm'
