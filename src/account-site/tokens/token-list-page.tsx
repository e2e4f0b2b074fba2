import type { ComponentChildren } from 'preact'
import { EmptyList, PageLinks } from '../../web/components/page-links.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { TokenList } from './token-list.tsx'
import type { ListedToken } from './token-list.tsx'

// Expired and revoked tokens accumulate, so they are listed only on request.
const allParameter = 'all'

/** Whether the page lists only tokens that work. */
export const showsLiveOnly = ({ query }: PageContext): boolean => !query.has(allParameter)

interface TokenListingProps {
  ctx: PageContext
  tokens: { nodes: readonly ListedToken[]; page: number; lastPage: number }
  /** Label of the link to the form that creates a token. */
  create: string
  /** Text for an empty list. */
  none: string
  /** Explains this kind of token. */
  children: ComponentChildren
}

/** The content of a list of personal or team tokens. */
export const TokenListing = ({ ctx, tokens, create, none, children }: TokenListingProps) => {
  const { path, query, site } = ctx
  return (
    <>
      <p>{children}</p>
      <p>
        <a class="button" href={`${path}/new`}>
          {create}
        </a>
      </p>
      {tokens.nodes.length === 0 ? (
        <EmptyList isBeyond={tokens.page > 1}>{`${none}${showsLiveOnly(ctx) ? ' that works' : ''}.`}</EmptyList>
      ) : (
        <TokenList tokens={tokens.nodes} path={path} now={site.now()} />
      )}
      <PageLinks label="Pages" path={path} query={query} list={tokens} />
      <p>
        {showsLiveOnly(ctx) ? (
          <a href={`${path}?${allParameter}`}>Also those that no longer work</a>
        ) : (
          <a href={path}>Only those that work</a>
        )}
      </p>
    </>
  )
}
