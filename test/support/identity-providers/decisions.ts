import type { Account, Kind, Owner } from './situation.ts'

export type Decision = 'new' | 'new without address' | 'linked' | 'proof' | 'replaced'

const accounts: readonly Account[] = [
  'none',
  'unverified',
  'verified',
  'verified, with a passkey',
  'of a member created by the team',
  'created by the team, no member',
  'of a member created by the team, owner of another',
]
const withoutAddress = accounts.map((): Decision => 'new without address')
const bySocial: readonly Decision[] = ['new', 'replaced', 'proof', 'proof', 'proof', 'proof', 'proof']

/** What happens, by provider, owner of the domain, and account in the order of `accounts`. */
const table: readonly [Kind, Owner, readonly Decision[]][] = [
  ['team', 'the team', ['new', 'proof', 'proof', 'proof', 'linked', 'proof', 'proof']],
  ['team', 'another team', withoutAddress],
  ['team', 'nobody', withoutAddress],
  ['social', 'the team', bySocial],
  ['social', 'another team', bySocial],
  ['social', 'nobody', bySocial],
  ['social, address not verified', 'the team', withoutAddress],
  ['social, address not verified', 'another team', withoutAddress],
  ['social, address not verified', 'nobody', withoutAddress],
]
/** Each combination with what happens. */
export const rows = table.flatMap(([kind, owner, decisions]) =>
  accounts.map((account, index): [Kind, Owner, Account, Decision] => [kind, owner, account, decisions[index] ?? 'new']),
)
