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
  return error instanceof Error ? error.message : String(error)
}
