/** Where opening a database reports to the operator; a pino logger fits. */
export interface DatabaseLog {
  info(text: string): void
  warn(text: string): void
}
