/** A request that takes effect once, however often it is sent. */
export interface IdempotentRequest {
  /** Digest of the key, its owner and its purpose. */
  keyHash: Uint8Array<ArrayBuffer>
  /** Digest of the validated request. */
  requestHash: Uint8Array<ArrayBuffer>
  /** The identifier of the object that the request creates. */
  resultId?: string
  /** Time when the key is deleted. Default: after 24 hours. */
  expiresAt?: Date
  /** Creates the error for another request under the key. */
  usedBefore(): Error
}
