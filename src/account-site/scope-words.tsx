import { isScope, scopes as catalogue, tokenScopes } from '../../schema/scopes.ts'
import type { Product } from '../../schema/scopes.ts'

/** What a scope allows, in people's words, completing "may …"; one that is no longer in the catalogue says its name. */
export const scopeWords = (scope: string): string => (isScope(scope) ? catalogue[scope].words : scope)

/** The same as a choice: what it allows, and its name for those who know it. */
export const scopeChoice = (scope: string) => ({ value: scope, label: sentence(scopeWords(scope)), hint: scope })

const sentence = (words: string) => words.slice(0, 1).toUpperCase() + words.slice(1)

const products: Record<Exclude<Product, 'identity'>, string> = { account: 'Account and teams', flow: 'Traffic rules' }

/** The scopes that a token can carry, by product. */
export const tokenScopeGroups = Object.entries(products).map(([product, name]) => ({
  product,
  name,
  choices: tokenScopes.filter((scope) => catalogue[scope].product === product).map(scopeChoice),
}))

const order = Object.keys(catalogue)

/** In the order of the catalogue, as they are everywhere; what is no longer in it first. */
export const inOrder = (scopes: readonly string[]): string[] => scopes.toSorted((one, other) => order.indexOf(one) - order.indexOf(other))

/** Scopes as a list in people's words. */
export const ScopeList = ({ scopes }: { scopes: readonly string[] }) => (
  <ul>
    {inOrder(scopes).map((scope) => (
      <li>{scopeWords(scope)}</li>
    ))}
  </ul>
)
