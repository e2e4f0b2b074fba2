import type { Identity } from '../storage/identity.ts'
import type { StoredGrant } from '../storage/live-grants.ts'

/** An instance of an oidc-provider model in the form in which it is inserted. */
export interface NewModel {
  /** SHA-256 of the value, in hex. */
  hash: string
  kind: string
  payload: object
  expires_at: Date
}

/** The authorization code, device code or refresh token that a token request presents. */
export interface PresentedToken {
  /** The value as the client sent it. */
  value: string
  hash: Buffer
  grant: StoredGrant | null
  /** The chain to which the token belongs. Null for a device code on which no user has decided. */
  chainId: string | null
  /** True for a code, false for a refresh token. */
  isCode: boolean
}

/** The members of a token response that are known only when the token is stored. */
export interface IssuedToken {
  scope: string
  /** Slug of the team. */
  team: string
}

/**
 * A request to the token endpoint. It collects the models that the request consumes and creates, and one statement writes them when the
 * response is complete. Either all of them are written or none, and of several requests with one value only one succeeds.
 */
export interface TokenRequest {
  presented: PresentedToken | null
  /** The workload identity that requests a token, or null. */
  identity: Identity | null
  /**
   * Set if the identity provider of a team gives access in this request, otherwise null. Its token is stored before the response is complete
   * (`issueVouchedToken`). `issued` is null until then, and if the access ended.
   */
  vouched: { issued: IssuedToken | null } | null
  /** Internal key of the client or workload identity that requests a token. */
  machineId: string | null
  newModels: NewModel[]
  /** The stored response to an earlier request, if this request gets the same one. */
  replayedResponse: object | null
}
