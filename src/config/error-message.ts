/** Returns true if `error` has one of these codes, of Node (`ENOENT`) or PostgreSQL (`23505`). */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(getErrorCode(error) ?? '')
}

/** Returns the `code` of an error from Node, pg or Prisma. */
export function getErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Returns the message of an error or of any other thrown value. */
export function getErrorMessage(error: unknown): string {
  // Node throws an error without a message if it can connect to none of several addresses of a host.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(getErrorMessage).join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** Returns one line for an error of a full disk, which can come from PostgreSQL, its programs, or this process. */
export const diskFullLine = (error: unknown): string =>
  `the disk is full, so that nothing can be written: free some space (${getErrorMessage(error).trim().split('\n').at(-1)})`

/** Returns one line for a database that cannot be reached. */
export const unavailableLine = (reason: string): string => `the database cannot be reached: ${reason}`

/** Returns true if the error was thrown deliberately and needs no stack trace. JavaScript's own errors are bugs, which need one. */
export function isPlainError(error: unknown): boolean {
  const programErrors = [EvalError, RangeError, ReferenceError, SyntaxError, SuppressedError, TypeError, URIError]
  return error instanceof Error && !programErrors.some((ProgramError) => error instanceof ProgramError)
}
