import { cancellable } from '../../../prisma/cancellable.ts'
import type { Context } from '../context.ts'

/** The context of an operation that only reads: after the signal is aborted, its statements are cancelled. */
export const untilAborted = (context: Context, signal: AbortSignal): Context => ({
  ...context,
  database: cancellable(context.database, signal),
})

/** Whether an error only says that a signal was aborted. */
export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'
