import { ScimError } from './error.ts'

export type ComparisonOperator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le'
export type FilterValue = string | number | boolean | null

/** A filter (RFC 7644 §3.4.2.2). Paths are as in the request, without the brackets of `emails[type eq "work"].value`. */
export type Filter =
  | { kind: 'and' | 'or'; filters: readonly Filter[] }
  | { kind: 'not'; filter: Filter }
  | { kind: 'present'; path: string; brackets: Filter | null }
  | { kind: 'compare'; path: string; brackets: Filter | null; operator: ComparisonOperator; value: FilterValue }
  | { kind: 'valuePath'; path: string; filter: Filter }

const maxLength = 4000
const maxDepth = 20

export const invalidFilter = (detail: string) => new ScimError(400, 'invalidFilter', detail)

// Tokens of a filter: white space, brackets, JSON strings, and words, which are attribute paths, operators and numbers.
const tokens = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y

/** Parses a filter. Throws `invalidFilter`. It is our own parser, because it has to limit the depth and the length of untrusted filters. */
export function parseFilter(text: string): Filter {
  if (text.length > maxLength) throw invalidFilter(`A filter has at most ${maxLength} characters.`)
  const parser = new Parser(readTokens(text))
  const filter = parser.alternatives(0)
  parser.end()
  return filter
}

function readTokens(text: string): string[] {
  const result: string[] = []
  tokens.lastIndex = 0
  const end = text.trimEnd().length
  while (tokens.lastIndex < end) {
    const at = tokens.lastIndex
    const [, bracket, quoted, word] = tokens.exec(text) ?? []
    const token = bracket ?? quoted ?? word
    if (token === undefined) throw invalidFilter(`The filter cannot be read from character ${at + 1} on.`)
    result.push(token)
  }
  return result
}

const operators: ReadonlySet<string> = new Set(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'])
const isOperator = (word: string): word is ComparisonOperator => operators.has(word)
const pathPattern = /^[a-z$][\w$:.-]*$/i

class Parser {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokenList: readonly string[]) {
    this.#tokens = tokenList
  }

  end(): void {
    const rest = this.#tokens[this.#at]
    if (rest !== undefined) throw invalidFilter(`"${rest}" is not expected in the filter.`)
  }

  /** `and` binds more tightly than `or` (RFC 7644 §3.4.2.2). */
  alternatives(depth: number): Filter {
    return this.#list('or', () => this.#list('and', () => this.#term(depth)))
  }

  #list(kind: 'and' | 'or', next: () => Filter): Filter {
    const first = next()
    const filters = [first]
    while (this.#takeWord(kind)) filters.push(next())
    return filters.length === 1 ? first : { kind, filters }
  }

  #term(depth: number): Filter {
    if (depth > maxDepth) throw invalidFilter(`A filter has at most ${maxDepth} brackets within each other.`)
    const isNegated = this.#takeWord('not')
    if (isNegated || this.#tokens[this.#at] === '(') {
      this.#take('(')
      const filter = this.alternatives(depth + 1)
      this.#take(')')
      return isNegated ? { kind: 'not', filter } : filter
    }
    const path = this.#next()
    if (!pathPattern.test(path)) throw invalidFilter(`"${path}" is no attribute.`)
    if (this.#tokens[this.#at] !== '[') return this.#test(path, null)
    this.#take('[')
    const filter = this.alternatives(depth + 1)
    this.#take(']')
    const part = this.#tokens[this.#at]
    if (!part?.startsWith('.')) return { kind: 'valuePath', path, filter }
    this.#at++
    // Entra ID compares a part of the values that brackets select, which RFC 7644 defines only in paths of a PATCH.
    return this.#test(path + part, filter)
  }

  #test(path: string, brackets: Filter | null): Filter {
    const operator = this.#next().toLowerCase()
    if (operator === 'pr') return { kind: 'present', path, brackets }
    if (!isOperator(operator)) throw invalidFilter(`"${operator}" is no operator.`)
    return { kind: 'compare', path, brackets, operator, value: parseValue(this.#next()) }
  }

  #takeWord(word: string): boolean {
    if (this.#tokens[this.#at]?.toLowerCase() !== word) return false
    this.#at++
    return true
  }

  #take(token: string): void {
    if (this.#tokens[this.#at] !== token)
      throw invalidFilter(`The filter needs "${token}" ${this.#tokens[this.#at] ? 'before' : 'at'} ${this.#tokens[this.#at] ?? 'its end'}.`)
    this.#at++
  }

  #next(): string {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw invalidFilter('The filter is incomplete.')
    return token
  }
}

/** Parses a comparison value, which is JSON: a string, number, boolean or null. Directories write `True`, too. */
function parseValue(token: string): FilterValue {
  try {
    const value: unknown = JSON.parse(/^(?:true|false|null)$/i.test(token) ? token.toLowerCase() : token)
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return requireStorable(value)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw invalidFilter(`${token} is no value of a filter. A text needs quotation marks.`)
}

/** Throws for texts that PostgreSQL cannot store, and therefore cannot compare. */
function requireStorable(value: FilterValue): FilterValue {
  if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0')))
    throw invalidFilter('The filter contains characters that no value has.')
  return value
}
