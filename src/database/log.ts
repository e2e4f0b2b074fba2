/** What start-up has to say to the operator; a pino logger fits. */
export interface DatabaseLog {
  info(text: string): void
  warn(text: string): void
}
