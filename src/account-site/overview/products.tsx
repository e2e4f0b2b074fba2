import type { PageContext } from '../framework/page-context.ts'
import type { OverviewQuery } from '../generated/operations.ts'
import { productNames } from '../labels.ts'
import { isWebAddress } from '../team/applications.tsx'

type App = NonNullable<OverviewQuery['used']>['apps']['nodes'][number]

/** The products of the team that the member may use, each with a link to it if it has one. */
export const Products = ({ apps, ctx: { team } }: { apps: readonly App[]; ctx: PageContext }) => {
  const usable = apps.filter(({ id }) => team?.allApplications || team?.applications.some((each) => each.toUpperCase() === id))
  // The billing role needs no product.
  if (usable.length === 0 && team?.role === 'billing') return null
  return (
    <section aria-labelledby="products">
      <h2 id="products">Your products</h2>
      {usable.length === 0 ? (
        <p class="empty">You have no products in this team yet.</p>
      ) : (
        <ul class="tiles">
          {usable.map((app) => (
            <Tile app={app} />
          ))}
        </ul>
      )}
    </section>
  )
}

const Tile = ({ app: { id, description, url, status } }: { app: App }) => {
  const isLinked = status === 'ACTIVE' && isWebAddress(url)
  return (
    <li class={isLinked ? 'linked' : undefined}>
      {isLinked ? (
        <a href={url} rel="noreferrer">
          {productNames[id]}
        </a>
      ) : (
        <strong>{productNames[id]}</strong>
      )}{' '}
      {status === 'SUSPENDED' && <span class="badge caution">Suspended</span>}
      {description !== null && (
        <span class="about">
          <bdi>{description}</bdi>
        </span>
      )}
    </li>
  )
}
