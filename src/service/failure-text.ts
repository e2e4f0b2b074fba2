import { inspect } from 'node:util'
import { isDiskFull, isUnavailable } from '../../prisma/connection/availability.ts'
import { diskFullLine, isPlainError, getErrorMessage, unavailableLine } from '../config/error-message.ts'

/** Returns the text for an error that ends the service: one line for an expected one, otherwise its stack. */
export function failureText(error: unknown): string {
  if (isDiskFull(error)) return diskFullLine(error)
  if (!isPlainError(error)) return inspect(error)
  return isLostConnection(error) ? unavailableLine(getErrorMessage(error)) : getErrorMessage(error)
}

/** Returns true for the bare error of a connection. An error with a cause already describes the failure. */
const isLostConnection = (error: unknown) => isUnavailable(error) && error instanceof Error && error.cause === undefined
