import type { ComponentChildren } from 'preact'
import { NoRows, PageLinks } from '../page-links.tsx'
import type { Visit } from '../visit.ts'
import { TokenList } from './listed-token.tsx'
import type { ListedToken } from './listed-token.tsx'

// What no longer works is shown when asked for: it only ever gets more.
const all = 'all'

/** Whether those alone are asked for that work. */
export const isLive = ({ query }: Visit): boolean => !query.has(all)

interface TokenListingProps {
  visit: Visit
  tokens: { nodes: readonly ListedToken[]; page: number; lastPage: number }
  /** Where one is created. */
  create: string
  none: string
  /** What these tokens are. */
  children: ComponentChildren
}

/** A page of tokens, a person's or a team's: what they are, a way to create one, and those there are. */
export const TokenListing = ({ visit, tokens, create, none, children }: TokenListingProps) => {
  const { path, query, site } = visit
  return (
    <>
      <p>{children}</p>
      <p>
        <a class="button" href={`${path}/new`}>
          {create}
        </a>
      </p>
      {tokens.nodes.length === 0 ? (
        <NoRows isBeyond={tokens.page > 1}>{`${none}${isLive(visit) ? ' that works' : ''}.`}</NoRows>
      ) : (
        <TokenList tokens={tokens.nodes} path={path} now={site.now()} />
      )}
      <PageLinks label="Pages" path={path} query={query} list={tokens} />
      <p>{isLive(visit) ? <a href={`${path}?${all}`}>Also those that no longer work</a> : <a href={path}>Only those that work</a>}</p>
    </>
  )
}
