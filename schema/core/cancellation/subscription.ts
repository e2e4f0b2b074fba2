/** The parts of the context that a subscription needs in addition to a single execution. */
export interface Subscription<Context> {
  /** Aborted when the subscription ends. */
  signal: AbortSignal
  /** Identifier of the last event that the client has received, if it reconnects. */
  lastEventId: string | null
  /** Authenticates again and returns the context of an execution at this time. Throws `unauthenticated` for a revoked credential. */
  renew(): Promise<Context>
  /** Follows the committed changes of a team until the signal is aborted. */
  watchTeam(teamId: string, signal: AbortSignal): Promise<Changes>
}

export interface Changes {
  /**
   * Resolves when the team may have changed since the last call, when the credential must be checked again, or when the signal is
   * aborted.
   */
  next(): Promise<void>
}

/** One event of a subscription. */
export interface SubscriptionEvent<Context> {
  /** The position in the stream from which a client can resume. */
  id: string
  /** The context of the execution of this event, for which the credential was checked again. */
  context: Context
}
