/** Log for the operator while a database is opened; a pino logger fits. */
export interface DatabaseLog {
  info(text: string): void
  warn(text: string): void
}
