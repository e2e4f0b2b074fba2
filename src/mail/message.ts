/** A mail ready to leave. */
export interface Message {
  to: string
  subject: string
  text: string
  html: string
  /** Without angle brackets, and the same however often this mail is sent: two copies can be known as one. */
  messageId: string
  /** When it was asked for. */
  date: Date
}

/** How mails leave. `send` throws where it is not known that the mail was taken. */
export interface Transport {
  send(message: Message): Promise<void>
  close(): void
}
