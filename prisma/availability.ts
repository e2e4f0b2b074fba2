// How a database that cannot be reached shows itself: the system's, PostgreSQL's, Prisma's and pg's own words.
const system = [
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
]
// Shutdown, crash, starting up, too many connections, a standby that cannot write,
// and what lost to another at the same moment or took too long.
const postgres = ['57P01', '57P02', '57P03', '53300', '25006', '40001', '40P01', '55P03', '57014']
const prisma = ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037']
const codes = new Set([...system, ...postgres, ...prisma])
const words =
  /Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout|the database system is|Can't reach database server/i

/** Whether a statement failed because the database could not be reached or did not answer in time, and might work later. */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false
  // PostgreSQL's own words lie two deep in Prisma's, in an object that is no Error.
  const { code, originalCode, message, cause, meta } = error as Parts
  if (isAway(code) || isAway(originalCode)) return true
  if (typeof message === 'string' && words.test(message)) return true
  return isUnavailable(cause, depth + 1) || isUnavailable(meta?.driverAdapterError, depth + 1)
}

interface Parts {
  code?: unknown
  originalCode?: unknown
  message?: unknown
  cause?: unknown
  meta?: { driverAdapterError?: unknown }
}

const isAway = (code: unknown) => typeof code === 'string' && (codes.has(code) || code.startsWith('08'))
