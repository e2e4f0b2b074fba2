import { inspect } from 'node:util'
import { isDiskFull, isUnavailable } from '../../prisma/connection/availability.ts'
import { diskFullLine, isPlainError, messageOf, unavailableLine } from '../config/error-message.ts'

/** The text to print for an error that ends the service: one line for an expected one, otherwise its stack. */
export function failureText(error: unknown): string {
  if (isDiskFull(error)) return diskFullLine(error)
  if (!isPlainError(error)) return inspect(error)
  return isLostConnection(error) ? unavailableLine(messageOf(error)) : messageOf(error)
}

/** Whether it is the bare error of a connection: one with a cause says by itself what failed. */
const isLostConnection = (error: unknown) => isUnavailable(error) && error instanceof Error && error.cause === undefined
