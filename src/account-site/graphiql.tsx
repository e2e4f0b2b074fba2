import { notFound } from '../../schema/core/errors.ts'
import { graphiqlFramePath, graphiqlPath, signInAt } from '../web/page-paths.ts'
import { page } from './framework/page.ts'

/**
 * GraphiQL below the header of the service, with the session of the user. It is a frame, because its styles would conflict with those of
 * the page, and because it needs a weaker Content-Security-Policy.
 */
export const graphiql = page({
  path: graphiqlPath,
  title: 'GraphiQL',
  isPublic: true,
  isTool: true,
  load({ site }) {
    if (!site.hasGraphiql) throw notFound()
    return undefined
  },
  view(_, { person, url, forms }) {
    const [, query] = url.split('?')
    const frame = query === undefined ? graphiqlFramePath : `${graphiqlFramePath}?${query}`
    if (!person) return <SignedOut url={url} frame={frame} />
    forms.framesOwnPages = true
    return <iframe class="tool" src={frame} title="GraphiQL" />
  },
})

const SignedOut = ({ url, frame }: { url: string; frame: string }) => (
  <>
    <p>Sign in to run queries as yourself.</p>
    <div class="buttons">
      <a class="button" href={signInAt(url)}>
        Sign in
      </a>
      <a class="button second" href={frame}>
        Use a token
      </a>
    </div>
  </>
)
