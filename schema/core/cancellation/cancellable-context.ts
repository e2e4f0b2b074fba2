import { CancellableDatabase } from '../../../prisma/connection/cancellable-database.ts'
import { CancelledError } from '../../../prisma/connection/cancellation.ts'
import type { Context } from '../context.ts'

/** Returns the context of a request that only reads: its statements are cancelled when its client closes the connection of the response. */
export const cancellableContext = (context: Context, response: { destroyed: boolean }): Context => ({
  ...context,
  database: new CancellableDatabase(context.database, () => response.destroyed),
})

/** Returns true if an error means that the client has disconnected: the error is then not logged and has no response. */
export const isCancelled = (error: unknown): boolean => error instanceof CancelledError
