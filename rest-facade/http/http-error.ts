import type { HttpProblemStatus } from './problem.ts'

/** An error of HTTP itself, before an operation runs: a status code and optionally a message of its own. */
export class HttpError extends Error {
  readonly status: HttpProblemStatus

  constructor(status: HttpProblemStatus, message = '') {
    super(message)
    this.name = 'HttpError'
    this.status = status
  }
}
