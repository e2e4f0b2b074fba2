// Error codes by which the operating system, PostgreSQL, Prisma and pg report that the database is temporarily unavailable.

const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTCONN',
])
const prismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'])
// Prisma's adapter replaces the code of a socket error by a kind. Outside of a query, for example at COMMIT, Prisma adds no code.
const adapterKinds = new Set(['ConnectionClosed', 'DatabaseNotReachable', 'SocketTimeout'])
/**
 * SQLSTATEs by their first characters (PostgreSQL, appendix A): connection exceptions; insufficient resources, such as a full
 * disk, memory or too many connections; shutdown, crash and start-up; system errors, such as a failed read or write; a
 * read-only standby; an idle transaction that was ended; a prepared statement that a migration changed or that the session lost;
 * serialization failure and deadlock; lock not available; timeout.
 */
const sqlStates = /^(?:08...|53...|57P..|58...|25006|25P03|0A000|26000|40001|40P01|55P03|57014)$/
const messages =
  /Connection terminated|NOTIFY connection ended|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout|the database system is|Can't reach database server/i

/**
 * Returns true if a statement failed because the database was unreachable, too slow or out of resources, so that a retry may succeed. An
 * error with a path concerns a file; it can have the same codes as a socket.
 */
export const isUnavailable = (error: unknown): boolean =>
  isAnyCause(
    error,
    ({ code, originalCode, kind, message, path }) =>
      path === undefined && ([code, originalCode, kind].some(isTransient) || matches(messages, message)),
  )

/**
 * Returns true if the whole database was unavailable, which every request reports. A statement that PostgreSQL ended because it took too
 * long is not an outage: its own plan may be the reason, so the code that repeats it must report it.
 */
export const isOutage = (error: unknown): boolean =>
  isUnavailable(error) && !isAnyCause(error, ({ code, originalCode }) => [code, originalCode].includes('57014'))

const isTransient = (code: unknown) =>
  typeof code === 'string' && (systemCodes.has(code) || prismaCodes.has(code) || adapterKinds.has(code) || sqlStates.test(code))

/** Returns why the database is unavailable in one line: the innermost cause, such as `connect ECONNREFUSED 127.0.0.1:5432`. */
export function unavailableReason(error: unknown): string {
  let reason = ''
  isAnyCause(error, ({ message, originalMessage, kind }) => {
    const text = [originalMessage, message, kind].find((each) => typeof each === 'string' && each !== '')
    if (typeof text === 'string') reason = text.trim().split('\n').at(-1) ?? text
    return false
  })
  return reason
}

/** Returns true if a file system is full: that of PostgreSQL, which reports SQLSTATE 53100, or one that this process writes to. */
export const isDiskFull = (error: unknown): boolean =>
  isAnyCause(error, ({ code, originalCode, message }) => {
    const isCode = [code, originalCode].some((each) => each === '53100' || each === 'ENOSPC' || each === 'EDQUOT')
    // Programs of PostgreSQL report a full disk only in text.
    return isCode || matches(/No space left on device/i, message)
  })

/**
 * Returns true if PostgreSQL rolled a transaction back because of another one: serialization failure or deadlock. The same transaction may
 * succeed when it is repeated.
 */
export const isConflict = (error: unknown): boolean =>
  isAnyCause(error, ({ code, originalCode }) => [code, originalCode].some((each) => each === '40001' || each === '40P01'))

/** Returns true if a statement failed only because an earlier one of its transaction did. */
export const isAbortedTransaction = (error: unknown): boolean =>
  isAnyCause(error, ({ code, originalCode }) => [code, originalCode].includes('25P02'))

const matches = (pattern: RegExp, text: unknown) => typeof text === 'string' && pattern.test(text)

interface ErrorParts {
  code?: unknown
  originalCode?: unknown
  kind?: unknown
  message?: unknown
  originalMessage?: unknown
  path?: unknown
  cause?: unknown
  meta?: { driverAdapterError?: unknown }
}

/** Returns true if an error or one of its causes matches. Prisma's errors contain PostgreSQL's two levels deep, in a plain object. */
function isAnyCause(error: unknown, fits: (parts: ErrorParts) => boolean, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false
  const parts: ErrorParts = error
  if (fits(parts)) return true
  return isAnyCause(parts.cause, fits, depth + 1) || isAnyCause(parts.meta?.driverAdapterError, fits, depth + 1)
}
