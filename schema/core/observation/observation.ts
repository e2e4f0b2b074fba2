import { channel } from 'node:diagnostics_channel'
import type { SignInMethod } from '../attempts/failed-sign-in.ts'
import type { IdentityProviderKind, SocialProvider } from '../../../prisma/generated/client/enums.ts'

/** An identity provider that cannot be used, and the reason. */
export interface ProviderFailure {
  /** Identifier of the provider of a team, or the name of a public one. */
  provider: string
  kind: IdentityProviderKind | SocialProvider
  /** Slug of the provider's team; absent for a public provider. */
  team?: string | undefined
  reason: string
}

/** The events that metrics count. Each property has a fixed set of values, because each value becomes a time series. */
interface Observations {
  /** A refused request or field, by the code of its error. */
  refusal: { api: 'rest' | 'mcp' | 'graphql' | 'oauth'; code: string }
  /** A step of a sign-in. */
  signIn: { method: SignInMethod; result: 'succeeded' | 'failed' | 'limited' }
  /** A sign-in that failed because its identity provider cannot be used, by kind, because teams can create any number of providers. */
  providerFailure: { kind: ProviderFailure['kind'] }
  tokenIssued: { grantType: string }
  /** One attempt to deliver a mail. */
  mail: { result: 'sent' | 'dropped' | 'retried' | 'failed' }
  /** One attempt to deliver an event to a webhook. */
  webhookDelivery: { result: 'delivered' | 'failed' }
  /** A look-up of the TXT record of a verified domain; `unanswered` if its name servers return neither records nor their absence. */
  domainCheck: { result: 'found' | 'missing' | 'unanswered' }
  /** A worker process that ended unexpectedly. */
  workerEnded: object
  /** A line of the log that could not be written. */
  logLineLost: object
}

/** There is a channel for each event, so that `schema` does not import the metrics. Publishing costs nanoseconds without a subscriber. */
const channels = {
  refusal: channel('team-account:refusal'),
  signIn: channel('team-account:sign-in'),
  providerFailure: channel('team-account:provider-failure'),
  tokenIssued: channel('team-account:token-issued'),
  mail: channel('team-account:mail'),
  webhookDelivery: channel('team-account:webhook-delivery'),
  domainCheck: channel('team-account:domain-check'),
  workerEnded: channel('team-account:worker-ended'),
  logLineLost: channel('team-account:log-line-lost'),
}

export function observe<Name extends keyof Observations>(name: Name, observation: Observations[Name]): void {
  channels[name].publish(observation)
}

export function onObservation<Name extends keyof Observations>(name: Name, count: (observation: Observations[Name]) => void): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `observe` publishes on these channels
  channels[name].subscribe((observation) => count(observation as Observations[Name]))
}
