/** A request that changes something once, however often it is sent. */
export interface IdempotentRequest {
  /** Digest of the key, with whose it is and what it is for. */
  keyHash: Uint8Array<ArrayBuffer>
  /** Digest of the validated request. */
  requestHash: Uint8Array<ArrayBuffer>
  /** The identifier of the object that the request creates. */
  resultId?: string
  /** When the key is forgotten. Default: after 24 hours. */
  expiresAt?: Date
  /** Creates the error for another request under the key. */
  usedBefore(): Error
}
