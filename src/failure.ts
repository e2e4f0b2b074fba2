/** Whether `error` carries one of these `code`s: Node's (`ENOENT`) and PostgreSQL's (`23505`) alike. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(codeOf(error) ?? '')
}

/** The `code` of an error of Node, pg or Prisma. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** The error's message, for a line of log or an error of our own. */
export function messageOf(error: unknown): string {
  // Node's, when a name has several addresses and none answers: it has no message of its own.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** Whether the message says it all: thrown on purpose, by us or by the system, and not a fault of the program. */
export function isPlainError(error: unknown): boolean {
  const faults = [EvalError, RangeError, ReferenceError, SyntaxError, SuppressedError, TypeError, URIError]
  return error instanceof Error && !faults.some((Fault) => error instanceof Fault)
}
