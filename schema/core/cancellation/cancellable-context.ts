import { cancellable } from '../../../prisma/cancellable.ts'
import { CancelledError } from '../../../prisma/hot/cancellation.ts'
import type { Context } from '../context.ts'

/** The context of a request that only reads: its statements are cancelled when its client closes the connection of the response. */
export const cancellableContext = (context: Context, response: { destroyed: boolean }): Context => ({
  ...context,
  database: cancellable(context.database, () => response.destroyed),
})

/** Whether an error only says that the client has disconnected, so that there is nothing to report or to send. */
export const isCancelled = (error: unknown): boolean => error instanceof CancelledError
