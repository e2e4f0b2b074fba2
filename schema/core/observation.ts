import { channel } from 'node:diagnostics_channel'

/** What metrics count. Values are few and never come from a client as they are. */
interface Observations {
  /** A refused request or field, by the code of its error. */
  refusal: { api: 'rest' | 'graphql' | 'oauth'; code: string }
  /** A step of a sign-in. */
  signIn: { method: 'password' | 'second_factor' | 'passkey'; result: 'succeeded' | 'failed' | 'limited' }
  tokenIssued: { grantType: string }
  /** One attempt to deliver a mail. */
  mail: { result: 'sent' | 'dropped' | 'retried' | 'failed' }
}

/**
 * Lets the parts of the service report what happens without knowing who counts it. While nobody does, publishing costs a few
 * nanoseconds.
 */
const channels = {
  refusal: channel('team-account:refusal'),
  signIn: channel('team-account:sign-in'),
  tokenIssued: channel('team-account:token-issued'),
  mail: channel('team-account:mail'),
}

export function observe<Name extends keyof Observations>(name: Name, observation: Observations[Name]): void {
  channels[name].publish(observation)
}

export function onObservation<Name extends keyof Observations>(name: Name, count: (observation: Observations[Name]) => void): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `observe` publishes on these channels
  channels[name].subscribe((observation) => count(observation as Observations[Name]))
}
