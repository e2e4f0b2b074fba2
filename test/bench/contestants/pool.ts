import pg from 'pg'

const { builtins } = pg.types

/**
 * Opens a pool like that of the service, with the same size and session settings. Dates remain text, 64-bit integers become
 * numbers. Instants become Dates as `pg` does it, or with `instantsAsText` the text of responses, which is faster.
 */
export function openPool(connectionString: string, max: number, { instantsAsText = false } = {}): pg.Pool {
  pg.types.setTypeParser(builtins.DATE, (text) => text)
  pg.types.setTypeParser(builtins.INT8, Number)
  if (instantsAsText) pg.types.setTypeParser(builtins.TIMESTAMPTZ, instantText)
  return new pg.Pool({ connectionString, max, options: '-c timezone=UTC' })
}

/** `2026-01-31 09:30:00.5+00` becomes `2026-01-31T09:30:00.500Z`. */
const instantText = (text: string) => `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`
